import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../src/index.js';
import { folderOf } from '../fixtures/loading.js';
import { emulate } from '../support/emulate.js';
import { findFreePort } from '../support/ports.js';
import { launch, ready, run } from './cli.js';

const TOWN = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: '1', privacy: 'public' as const }],
  runs: [{ val: 'ada/hello', runStartAt: '2024-06-11T22:05:12Z' }],
  comments: [{ author: 'grace', val: 'ada/hello', comment: 'Nice' }],
};
const town = (options: EmulatorOptions = {}) => emulate(TOWN, options);

async function send({ fetch, url }: Emulator, method: string, path: string, body?: object, user = 'ada') {
  const headers = { authorization: `Bearer ${user}-token`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(path.replace(/^http:..[^/]*/, url), {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Requests with ids and names that the emulator makes, links that a client follows, and errors. */
async function work(emulator: Emulator): Promise<void> {
  const val = await send(emulator, 'POST', '/v1/vals', { code: 'export const a = 1;' });
  await send(emulator, 'POST', `/v1/vals/${val.id}/versions`, {
    code: `import { a } from 'https://esm.town/v/ada/${val.name}';`,
  });
  await send(emulator, 'GET', val.links.self);
  await send(emulator, 'GET', `/v1/alias/ada/${val.name}`, undefined, 'grace');
  const runs = await send(emulator, 'GET', '/v1/me/runs?limit=1');
  await send(emulator, 'GET', `/v1/runs/${runs.data[0].id}`);
  await send(emulator, 'GET', `/v1/me/comments?since=${encodeURIComponent('2024-06-11T00:00:00Z')}`);
  await send(emulator, 'POST', '/v1/vals', { name: val.name, code: '2' });
  await send(emulator, 'GET', '/v1/me', undefined, 'nobody');
  await emulator.fetch('/v1/me');
  await send(emulator, 'GET', '/v1/missing');
  await send(emulator, 'DELETE', `/v1/vals/${val.id}`);
}

/** Records what a client does. */
async function recordWork(...works: ((emulator: Emulator) => Promise<unknown>)[]) {
  const emulator = await town();
  for (const each of works) await each(emulator);
  const path = join(folderOf({}), 'bug.ndjson');
  writeFileSync(path, emulator.session());
  return { path, emulator };
}

test('a session is recorded over HTTP, opened and walked', async () => {
  const emulator = await town();
  await work(emulator);
  const cwd = folderOf({});
  expect(await run(['record', '--out', 'bug.ndjson', '--url', emulator.url], { cwd })).toEqual({
    stdout: `Wrote the session of ${emulator.url} to bug.ndjson.\n`,
    stderr: '',
    code: 0,
  });
  const text = readFileSync(join(cwd, 'bug.ndjson'), 'utf8');
  expect((await run(['record', '--url', emulator.url])).stdout).toBe(text);

  const { command, url } = await ready(launch(['start', '--session', 'bug.ndjson', '--port', '0'], { cwd }));
  expect(command.stdout).toMatch(/^Data: in memory \(session bug\.ndjson, 12 requests, 3 commits\)\n/);
  const { stdout } = await run(['history', '--json', '--url', url]);
  expect(JSON.parse(stdout)).toEqual(emulator.history());
  expect((await run(['rewind', 'r2', '--url', url])).code).toBe(0);
  expect(JSON.parse((await run(['history', '--json', '--url', url])).stdout)).toHaveLength(1);
  await command.kill('SIGTERM');

  const past = await ready(launch(['start', '--session', 'bug.ndjson', '--at', 'r2', '--port', '0'], { cwd }));
  expect(past.command.stdout).toMatch(/^Data: in memory \(session bug\.ndjson, 11 requests, 2 commits\)\n/);
  const unknown = await run(['start', '--session', 'bug.ndjson', '--at', 'r9', '--port', '0'], { cwd });
  expect(unknown).toEqual({
    stdout: '',
    stderr:
      'val-emulator: --at: found "r9"; expected a commit of the session. It has r1, r2, r12. The last one before it is r2.\n',
    code: 2,
  });
  const watched = await run(['start', '--session', 'bug.ndjson', '--watch'], { cwd });
  expect(watched).toMatchObject({ stderr: 'val-emulator: --session: cannot be used with --watch.\n', code: 2 });
  writeFileSync(join(cwd, 'other.json'), '{}');
  const other = await run(['start', '--session', 'other.json', '--port', '0'], { cwd });
  expect(other.stderr).toContain('other.json is no session: line 1');
  expect((await run(['record', '--url', `${emulator.url}/x`, '--out', 'x'], { cwd })).code).toBe(4);
});

test('a sandbox is recorded', async () => {
  const emulator = await town();
  const sandbox = emulator.sandbox('checkout');
  await sandbox.fetch('/v1/missing-in-the-sandbox');
  const { stdout } = await run(['record', '--url', emulator.url, '--sandbox', 'checkout']);
  expect(stdout).toContain('/v1/missing-in-the-sandbox');
  expect((await run(['record', '--url', emulator.url])).stdout).not.toContain('missing-in-the-sandbox');
});

test('a replay against the same data is equal, although ids and times differ', async () => {
  const { path } = await recordWork(work);
  const other = await town({ idSeed: 'another', now: '2025-01-01T00:00:00Z' });
  expect(await run(['replay', path, '--against', other.url])).toEqual({
    stdout: '12 requests: 12 equal, 0 different\n',
    stderr: '',
    code: 0,
  });
  expect(other.requests()).toHaveLength(12);
  // Again, on what the first replay has left: the deleted val is free again.
  await send(other, 'POST', '/v1/vals', { code: '1' });
  expect(await run(['replay', path, '--against', other.url, '--reset'])).toMatchObject({ code: 0 });
  expect(other.requests()).toHaveLength(12);
  const fork = `${other.url}/_sandbox/fresh`;
  expect(await run(['replay', path, '--against', fork, '--token', 'ada=ada-token'])).toMatchObject({ code: 0 });
  expect(other.sandbox('fresh').requests()).toHaveLength(12);
});

test('a replay of more commits than the history has is equal', async () => {
  const { path } = await recordWork(async (each) => {
    const vals = [];
    for (let i = 0; i < 105; i++) vals.push(await send(each, 'POST', '/v1/vals', { code: `${i}` }));
    for (const { name } of vals.slice(0, 3)) await send(each, 'GET', `/v1/alias/ada/${name}`);
  });
  const other = await town({ idSeed: 'another' });
  expect(await run(['replay', path, '--against', other.url])).toMatchObject({
    stdout: '108 requests: 108 equal, 0 different\n',
  });
});

test('a replay reports each difference of status and body', async () => {
  const { path } = await recordWork(work);
  const other = await town({ idSeed: 'another' });
  other.fail('GET /v1/me/runs', { status: 503, times: 1 });
  const failed = await run(['replay', path, '--against', other.url]);
  expect(failed).toEqual({
    stdout: 'r5 GET /v1/me/runs?limit=1: status: expected 200, found 503\n12 requests: 11 equal, 1 different\n',
    stderr: '',
    code: 1,
  });

  other.reset();
  other.fail('GET /v1/vals/{val_id}', { status: 200, body: { name: 'x', likeCount: 1, list: [1] } });
  const { stdout, code } = await run(['replay', path, '--against', other.url, '--json']);
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    requests: 12,
    equal: 11,
    different: 1,
    skipped: 0,
    results: [{ id: 'r3', method: 'GET' }],
  });
  const { differences } = report.results[0];
  expect(differences).toContainEqual({ at: '$.likeCount', expected: 0, found: 1 });
  expect(differences).toContainEqual({ at: '$.list', found: [1] });
  expect(differences).toContainEqual({ at: '$.version', expected: 1 });
});

test('a replay tells of what cannot match', async () => {
  const { path, emulator } = await recordWork(async (each) => {
    const [val] = each.exportState().vals;
    each.fail('POST /v1/vals', { status: 503, times: 1 });
    await send(each, 'POST', '/v1/vals', { code: '1' });
    await send(each, 'GET', `/v1/vals/${val?.id}`, undefined, 'grace');
  });
  const other = await emulate({ users: [{ username: 'grace' }] });
  const id = emulator.exportState().vals[0]?.id;
  expect(await run(['replay', path, '--against', other.url])).toEqual({
    stdout: [
      'r1 POST /v1/vals: skipped: a fault responded when it was recorded',
      `r2 GET /v1/vals/${id}: status: expected 200, found 404`,
      `r2 GET /v1/vals/${id}: ${id} is of the seed data, which this server may lack`,
      '2 requests: 0 equal, 1 different, 1 skipped\n',
    ].join('\n'),
    stderr: '',
    code: 1,
  });
});

/** A service without a control API, which sends clients elsewhere. */
async function serveOther(elsewhere: string) {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    response.writeHead(302, { location: elsewhere }).end();
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${port}`, received };
}

test('a real service gets the tokens that are given, and no other host is called', async () => {
  const { path } = await recordWork(async (each) => {
    await send(each, 'GET', '/v1/me');
    await send(each, 'GET', '/v1/me', undefined, 'grace');
  });
  const bait = await serveOther('http://127.0.0.1:1');
  const { url, received } = await serveOther(bait.url);
  expect(await run(['replay', path, '--against', url])).toEqual({
    stdout: '',
    stderr: `val-emulator: ${url} is no emulator, so it needs tokens: --token ada=SECRET.\n`,
    code: 2,
  });
  const { stdout, code } = await run(['replay', path, '--against', url, '--token', 'ada=a=b==']);
  expect({ stdout, code }).toEqual({
    stdout:
      'r1 GET /v1/me: status: expected 200, found 302\nr2 GET /v1/me: skipped: there is no token for grace\n2 requests: 0 equal, 1 different, 1 skipped\n',
    code: 1,
  });
  expect(received.at(-1)?.headers.authorization).toBe('Bearer a=b==');
  await run(['replay', path, '--against', url, '--token', 'all==', '--token', 'grace=g']);
  expect(received.slice(-2).map(({ headers }) => headers.authorization)).toEqual(['Bearer all==', 'Bearer g']);
  expect(bait.received).toEqual([]);
  const typo = await run(['replay', path, '--against', url, '--token', 'grce=g']);
  expect(typo.stderr).toBe('val-emulator: --token: the session has no user "grce". Did you mean "grace"?\n');
});

test('a server that does not respond is told from one that differs', async () => {
  const { path } = await recordWork((each) => send(each, 'GET', '/v1/me'));
  const url = `http://127.0.0.1:${await findFreePort()}`;
  expect(await run(['replay', path, '--against', url])).toEqual({
    stdout: '',
    stderr: `val-emulator: ${url} does not respond: connection refused.\n`,
    code: 3,
  });
  expect(await run(['replay', path, '--against', 'nowhere'])).toMatchObject({ code: 2 });
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -20));
  const damaged = await run(['replay', path, '--against', url]);
  expect(damaged.stderr).toMatch(/is damaged: line \d+ is not as it was written/);
  expect(damaged.code).toBe(2);
});
