import { createEmulator, ExpectationError, FixtureError } from 'val-emulator';
import * as helper from 'val-emulator/jest';

const { expect, test } = helper;

test('ES modules have the same classes at both entry points', async ({ emulator }) => {
  expect(FixtureError).toBe(helper.FixtureError);
  expect(() => emulator.expectRequest('GET /v1/me')).toThrow(ExpectationError);
  await expect(createEmulator({ fixtures: 'defalt' })).rejects.toBeInstanceOf(helper.FixtureError);
});

test('a statement of SQL runs', async ({ emulator }) => {
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const sql = { method: 'POST', headers, body: '{"statement":"SELECT 6 * 7"}' };
  expect(await (await emulator.fetch('/v1/sqlite/execute', sql)).json()).toMatchObject({ rows: [[42]] });
});

test('generated data can be loaded', async () => {
  const generated = await createEmulator({ generate: { users: 2, seed: 1 }, listen: false });
  expect(generated.state().users).toHaveLength(2);
});
