import { expect, test } from 'val-emulator/vitest';
import { Vals } from '../src/vals.js';

test("somebody else's private val is as if it were not there", async ({ emulator }) => {
  const { id } = emulator.add.val({ author: 'grace', name: 'diary', code: "'secret'", privacy: 'private' });

  expect(await new Vals({ baseUrl: emulator.url, token: 'ada-token' }).find(id)).toBeUndefined();
  expect(await new Vals({ baseUrl: emulator.url, token: 'grace-token' }).find(id)).toMatchObject({ name: 'diary' });
  expect(emulator).toHaveReceived('GET /v1/vals/{val_id}', { times: 2 });
});
