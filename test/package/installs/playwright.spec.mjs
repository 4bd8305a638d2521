import { expect, test } from 'val-emulator/playwright';
import { USED, use } from './use.cjs';

test('has a sandbox', async ({ emulator }) => {
  expect(await use(emulator)).toEqual(USED);
  emulator.expectRequest('GET /v1/me', { times: 1 });
});
