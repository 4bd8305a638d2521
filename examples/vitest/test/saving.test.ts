import { expect, test } from 'val-emulator/vitest';
import { Vals } from '../src/vals.js';

test('saves a val under its name', async ({ emulator }) => {
  const vals = new Vals({ baseUrl: emulator.url, token: 'ada-token' });

  const first = await vals.save('counter', 'export const count = 1;');
  const second = await vals.save('counter', 'export const count = 2;');

  expect(first).toMatchObject({ name: 'counter', version: 0 });
  expect(second).toMatchObject({ id: first.id, version: 1, code: 'export const count = 2;' });
  expect(emulator).toHaveReceived('PUT /v1/vals', { times: 2, body: { name: 'counter' } });
  expect(emulator).toHaveNoUnhandledRequests();
});

test('finds a saved val', async ({ emulator }) => {
  const vals = new Vals({ baseUrl: emulator.url, token: 'ada-token' });

  const { id } = await vals.save('counter', 'export const count = 1;');

  expect(await vals.find(id)).toMatchObject({ name: 'counter', code: 'export const count = 1;' });
});

test('reports the reason of a val that cannot be saved', async ({ emulator }) => {
  const vals = new Vals({ baseUrl: emulator.url, token: 'ada-token' });

  await expect(vals.save('counter', '')).rejects.toThrow('body/code must NOT have fewer than 1 characters');
  expect(emulator).toHaveReceived('PUT /v1/vals', { times: 1 });
});
