import { expect } from 'vitest';
import { save } from '../src/save.js';
import { test } from './emulator.js';

test('says that a val was saved', async ({ emulator }) => {
  const status = document.createElement('p');

  await save(emulator.url, 'ada-token', 'counter', '1', status);

  expect(status.textContent).toBe('Saved');
  await emulator.expectRequest('PUT /v1/vals', { times: 1, body: { name: 'counter' } });
});

test('says that a val was not saved', async ({ emulator }) => {
  await emulator.fail('PUT /v1/vals', { status: 503, times: 1 });
  const status = document.createElement('p');

  await save(emulator.url, 'ada-token', 'counter', '1', status);

  expect(status.textContent).toBe('Not saved (503)');
});
