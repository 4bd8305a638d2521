import { expect } from 'vitest';
import { save } from '../src/save.js';
import { test } from './emulator.js';

test('shows that a val is saved', async ({ emulator }) => {
  const status = document.createElement('p');

  await save(emulator.url, 'ada-token', 'counter', '1', status);

  expect(status.textContent).toBe('Saved');
  await emulator.expectRequest('PUT /v1/vals', { times: 1, body: { name: 'counter' } });
});

test('shows the status of a failed save', async ({ emulator }) => {
  await emulator.fail('PUT /v1/vals', { status: 503, times: 1 });
  const status = document.createElement('p');

  await save(emulator.url, 'ada-token', 'counter', '1', status);

  expect(status.textContent).toBe('Not saved (503)');
});
