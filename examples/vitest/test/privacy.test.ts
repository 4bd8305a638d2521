import { expect, test } from 'val-emulator/vitest';
import { Vals } from '../src/vals.js';

test("another user's private val is the same as an unknown one", async ({ emulator }) => {
  const { id } = emulator.add.val({ author: 'grace', name: 'diary', code: "'secret'", privacy: 'private' });

  expect(await new Vals({ baseUrl: emulator.url, token: 'ada-token' }).find(id)).toBeUndefined();
  expect(await new Vals({ baseUrl: emulator.url, token: 'grace-token' }).find(id)).toMatchObject({ name: 'diary' });
  expect(emulator).toHaveReceived('GET /v1/vals/{val_id}', { times: 2 });
});
