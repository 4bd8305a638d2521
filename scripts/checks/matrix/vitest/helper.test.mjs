import { emulatorTest, expect, test } from 'val-emulator/vitest';
import { beforeEach, describe } from 'vitest';

const one = emulatorTest({ fixtures: { users: [{ username: 'one' }] } });
const two = emulatorTest({ fixtures: { users: [{ username: 'two' }] } });
const names = (emulator) => emulator.users.map(({ username }) => username);

test('the default options', ({ emulator }) => {
  expect(names(emulator)).toContain('ada');
});

one('options of a first test', async ({ emulator }) => {
  expect(names(emulator)).toEqual(['one']);
  const response = await fetch(`${emulator.url}/v1/me`, { headers: { authorization: 'Bearer one-token' } });
  expect(response.status).toBe(200);
  expect(emulator).toHaveReceived('GET /v1/me', { times: 1 });
});

two('options of a second test in the same file and worker', ({ emulator }) => {
  expect(names(emulator)).toEqual(['two']);
  expect(emulator).toHaveNoUnhandledRequests();
});

describe('hooks', () => {
  beforeEach(({ emulator }) => {
    emulator.add.val({ author: 'one', name: 'report', code: '1' });
  });

  one('a hook has prepared the sandbox', async ({ emulator }) => {
    expect((await emulator.fetch('/v1/alias/one/report')).status).toBe(200);
  });
});

test('a statement of SQL runs', async ({ emulator }) => {
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const sql = { method: 'POST', headers, body: '{"statement":"SELECT 6 * 7"}' };
  expect(await (await emulator.fetch('/v1/sqlite/execute', sql)).json()).toMatchObject({ rows: [[42]] });
});

test.for([1, 2])('a row of a table has a sandbox: %i', (number, { emulator }) => {
  expect(emulator.name).toMatch(new RegExp(`-${number}-\\d+$`));
});
