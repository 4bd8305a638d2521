import { expect, test } from 'vitest';
import { emulate } from '../../../support/emulate.js';
import { connect, FIXTURES, readEvents, send, toCall } from './agent.js';

const SQL = toCall('sqlite_execute', { sql: 'SELECT 1', database: { type: 'val', val: 'ada/site' } });
const READ = toCall('read_file', { val: 'ada/site', path: 'main.ts' });

test('a fault of HTTP replaces the response of one tool', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('tool sqlite_execute', { status: 503, times: 1, headers: { 'retry-after': '2' } });
  expect((await send(emulator, READ)).status).toBe(200);
  const failed = await send(emulator, SQL);
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await send(emulator, SQL)).status).toBe(200);
});

test('a fault has a result with isError', async () => {
  const emulator = await emulate(FIXTURES);
  const result = { content: [{ type: 'text', text: 'database is locked' }], isError: true };
  emulator.fail('tool sqlite_execute', { status: 200, body: result });
  expect(await readEvents(await send(emulator, SQL))).toMatchObject([{ id: 1, result }]);
});

test('a fault has an error of the protocol', async () => {
  const emulator = await emulate(FIXTURES);
  const error = { code: -32_603, message: 'Internal error' };
  emulator.fail('tool sqlite_execute', { status: 200, body: { error } });
  expect(await readEvents(await send(emulator, SQL))).toMatchObject([{ id: 1, error }]);
});

test('a fault cuts the event stream, delays it, or resets the connection', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('tool read_file', { truncate: 20, times: 1 });
  await expect(send(emulator, READ).then((response) => response.text())).rejects.toThrow('terminated');
  emulator.fail('tool read_file', { delay: 30, times: 1 });
  const start = performance.now();
  expect((await send(emulator, READ)).status).toBe(200);
  expect(performance.now() - start).toBeGreaterThanOrEqual(29);
  emulator.fail('tool read_file', { reset: true, times: 1 });
  await expect(send(emulator, READ)).rejects.toThrow('fetch failed');
  await expect.poll(() => emulator.requests().map(({ outcome }) => outcome)).toEqual(['truncated', 'sent', 'reset']);
});

test('a fault selects calls by their arguments', async () => {
  const emulator = await emulate(FIXTURES);
  const match = { body: { params: { arguments: { path: 'other.ts' } } } };
  emulator.fail('tool create_file', { status: 500, match });
  const agent = connect(emulator);
  await agent.call('create_file', { val: 'ada/site', path: 'one.ts', content: '' });
  await expect(agent.call('create_file', { val: 'ada/site', path: 'other.ts', content: '' })).rejects.toThrow('500');
  expect(await agent.call('list_files', { val: 'ada/site' })).toMatchObject({ count: 2 });
});

test('suggests the name of a tool', async () => {
  const emulator = await emulate(FIXTURES);
  // @ts-expect-error: a misspelt name
  expect(() => emulator.fail('tool creat_file')).toThrow('Did you mean "tool create_file"?');
});
