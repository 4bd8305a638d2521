import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatReasons } from '#engine/lib/reasons.js';
import type { RequestLog } from '#engine/options/callbacks.js';
import { emulate } from '../../../support/emulate.js';
import { run } from '../../../tools/cli/cli.js';
import { connect, FIXTURES, HEADERS, send, toCall } from './agent.js';

const MAIN = { val: 'ada/site', path: 'main.ts' };

interface Refused {
  /** A message, or the text of one. */
  readonly sent: object | string;
  readonly name: string;
  readonly status: string;
  readonly why: string;
}

/** A message for each way in which the tool server refuses. */
const REFUSED: readonly Refused[] = [
  {
    sent: toCall('create_file', { ...MAIN, val: 'ada/sit', content: '1' }),
    name: 'tool create_file',
    status: '200 error',
    why: 'Project not found - there is no "ada/sit" in projects - Did you mean "ada/site"?',
  },
  {
    sent: toCall('read_file', { val: 'eve/diary', path: 'notes.md' }),
    name: 'tool read_file',
    status: '200 error',
    why: 'Project not found - eve/diary exists, but ada may not read it - Send the token of a user who may read it',
  },
  {
    sent: toCall('list_vals', { limit: '5' }),
    name: 'tool list_vals',
    status: '200 error',
    why: 'Input validation error: Invalid arguments for tool list_vals: limit: Invalid input: expected number, received string - limit was "5" - Send numbers, booleans and objects as JSON, not in a string',
  },
  {
    sent: toCall('get_val_detail', { vall: 'ada/site' }),
    name: 'tool get_val_detail',
    status: '200 error',
    why: 'Input validation error: Invalid arguments for tool get_val_detail: val: Invalid input: expected string, received undefined - Found "vall" in the arguments. Did you mean "val"?',
  },
  {
    // The value is a secret.
    sent: toCall('set_env_var', { val: 'ada/site', key: 'KEY', value: 4_242 }),
    name: 'tool set_env_var',
    status: '200 error',
    why: 'Input validation error: Invalid arguments for tool set_env_var: value: Invalid input: expected string, received number',
  },
  {
    sent: toCall('update_file', { ...MAIN, content: '2', run: { kind: 'run_file' } }),
    name: 'tool update_file',
    status: '200 error',
    why: 'The file main.ts is at version 2. The emulator runs no code. Run the file with Deno or Node.js, with its API base URL set to the emulator, or seed what it would respond.',
  },
  {
    sent: toCall('creat_file'),
    name: 'POST /v3/mcp',
    status: '200 error',
    why: 'Tool creat_file not found - there is no tool "creat_file" - Did you mean "create_file"?',
  },
  {
    sent: { jsonrpc: '2.0', id: 1, method: 'tools/lists' },
    name: 'POST /v3/mcp',
    status: '200 error',
    why: 'Method not found - there is no method "tools/lists" - Did you mean "tools/list"?',
  },
  { sent: '[]', name: 'POST /v3/mcp', status: '400', why: 'Bad Request: empty JSON-RPC batch' },
  { sent: '{', name: 'POST /v3/mcp', status: '400', why: 'Parse error: Invalid JSON' },
];

test('a refused message has its reason and status in each view', async () => {
  const seen: RequestLog[] = [];
  const emulator = await emulate(FIXTURES, { onRequest: (log) => seen.push(log) });
  await connect(emulator).call('read_file', MAIN);
  for (const { sent } of REFUSED) await (await send(emulator, sent)).text();

  const refused = emulator.requests({ refused: true });
  expect(refused.map(formatReasons)).toEqual(REFUSED.map(({ why }) => why));
  expect(emulator.requests({ refused: false }).map(({ route }) => route)).toEqual(['tool read_file']);
  const lines = (await run(['requests', '--refused', '--url', emulator.url])).stdout.trimEnd().split('\n').slice(1);
  const shown = (text: string) => text.replace(/\s+/g, ' ');
  for (const [i, { name, status, why }] of REFUSED.entries()) {
    expect(shown(lines[i] ?? '')).toContain(`${name.replace('POST ', '')} ${why}`);
    expect(lines[i]).toContain(status);
    const explained = await emulator.explain(refused[i]?.id ?? '');
    expect(explained.summary).toMatch(new RegExp(`^r\\d+ ${name}\\b.* was refused with ${status}\\.$`));
  }
  const logged = seen.filter(({ target }) => target === '/v3/mcp').slice(1);
  expect(logged.map(formatReasons)).toEqual(REFUSED.map(({ why }) => why));
  await expect(async () => emulator.expectNoOther(['tool read_file'])).rejects.toThrow(
    `9 of 11 in all:\n  r2 tool create_file 200 error by ada (Project not found`,
  );
});

test('the journal of a session keeps why a call was refused', async () => {
  const emulator = await emulate(FIXTURES);
  await connect(emulator).fail('read_file', { ...MAIN, path: 'none.ts' });
  const session = join(await mkdtemp(join(tmpdir(), 'session-')), 'calls.ndjson');
  await writeFile(session, emulator.session());
  const [entry] = (await emulate({}, { fixtures: undefined, now: undefined, session })).requests({ refused: true });
  expect(entry).toMatchObject({ route: 'tool read_file', status: 200, message: 'File not found', commit: null });
});

test('a fault with isError is an error of the call', async () => {
  const emulator = await emulate(FIXTURES);
  const body = { content: [{ type: 'text', text: 'database is locked' }], isError: true };
  emulator.fail('tool read_file', { status: 200, body });
  await (await send(emulator, toCall('read_file', MAIN))).text();
  expect(emulator.requests({ refused: true })).toMatchObject([
    { message: 'database is locked', reason: 'fault f1 was injected' },
  ]);
});

test('the handshake of a client is no other request, and has names', async () => {
  const emulator = await emulate(FIXTURES);
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await send(emulator, { jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize });
  await send(emulator, { jsonrpc: '2.0', method: 'notifications/initialized' });
  await fetch(`${emulator.url}/v3/mcp`, { headers: HEADERS });
  await fetch(`${emulator.url}/.well-known/oauth-protected-resource/v3/mcp`);
  await send(emulator, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await connect(emulator).call('read_file', MAIN);

  emulator.expectToolCall('read_file', MAIN);
  emulator.expectNoOther();
  expect(emulator.requests({ refused: true })).toEqual([]);
  expect((await run(['requests', '--refused', '--url', emulator.url])).stdout).toBe('No requests.\n');
  emulator.expectRequest('GET /v3/mcp', { status: 405, refused: false });
  emulator.expectRequest('POST /v3/mcp', { times: 3 });
  emulator.expectRequest('GET /.well-known/oauth-protected-resource');
  await send(emulator, toCall('nope'));
  expect(() => emulator.expectNoOther()).toThrow('r7 POST /v3/mcp 200 error by ada (Tool nope not found');
  expect(() => emulator.expectNoOther(['POST /v3/mpc' as 'POST /v3/mcp'])).toThrow('option allowed[0].route');
});

test('a 405 by a fault, or for another method, is a refused request', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('GET /v3/mcp', { status: 405 });
  await emulator.fetch('/v3/mcp', { headers: HEADERS });
  await emulator.fetch('/v3/mcp', { method: 'PATCH', headers: HEADERS, body: '{}' });
  expect(emulator.requests({ refused: true })).toMatchObject([
    { status: 405, reason: 'fault f1 was injected' },
    { status: 405, method: 'PATCH' },
  ]);
});

test('a call of an unknown tool is unhandled, as a request to an unknown route is', async () => {
  const emulator = await emulate(FIXTURES);
  await connect(emulator).call('read_file', MAIN);
  await send(emulator, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await send(emulator, toCall('creat_file'));
  expect(emulator.unhandled()).toMatchObject([{ id: 'r3', route: null, suggestion: 'Did you mean "create_file"?' }]);
  expect(() => emulator.expectNoOther(['tool read_file', 'POST /v3/mcp'])).toThrow(
    'there was 1 of 3 in all:\n  r3 POST /v3/mcp 200 error by ada (Tool creat_file not found',
  );
});

test('a slash at the end of the endpoint is ignored', async () => {
  const { url } = await emulate(FIXTURES);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const response = await fetch(`${url}/v3/mcp/`, { method: 'POST', headers: HEADERS, body });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"result":{}')]);
});

test('rows that a tool changes are in the history, as those of the routes are', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = connect(emulator);
  const database = { type: 'val', val: 'ada/site' };
  await call('sqlite_execute', { database, sql: 'CREATE TABLE todos (title TEXT)' });
  await call('sqlite_execute', { database, sql: "INSERT INTO todos VALUES ('write')" });
  const [, entry] = emulator.requests({ route: 'tool sqlite_execute' });
  expect(entry?.rows).toMatchObject([{ record: 'sqlite/ada/site', changes: [{ after: { title: 'write' } }] }]);
});

test('a missing table is explained by the tables that there are', async () => {
  const emulator = await emulate(FIXTURES);
  const { call, fail } = connect(emulator);
  const database = { type: 'val', val: 'ada/site' };
  await call('sqlite_execute', { database, sql: 'CREATE TABLE todos (title TEXT)' });
  const message = 'SQLITE_UNKNOWN: SQLite error: no such table: todo';
  expect(await fail('sqlite_execute', { database, sql: 'SELECT * FROM todo' })).toBe(message);
  expect(emulator.requests({ refused: true })).toMatchObject([
    { message, reason: 'the database has todos', suggestion: 'Did you mean "todos"?' },
  ]);
});
