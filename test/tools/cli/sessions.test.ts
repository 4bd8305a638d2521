import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { emulate } from '../../support/emulate.js';
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
  expect(other.stderr).toContain('other.json is not a session: ');
  expect((await run(['record', '--url', `${emulator.url}/x`, '--out', 'x'], { cwd })).code).toBe(4);
});

test('a session without a journal is recorded, and the command says that it has no requests', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] }, { journal: false });
  await send(emulator, 'GET', '/v1/me');
  const { stdout, stderr, code } = await run(['record', '--url', emulator.url]);
  expect([stdout.split('\n').length > 1, stderr, code]).toEqual([true, 'The session has no requests.\n', 0]);
});

test('a sandbox is recorded', async () => {
  const emulator = await town();
  const sandbox = emulator.sandbox('checkout');
  await sandbox.fetch('/v1/missing-in-the-sandbox');
  const { stdout } = await run(['record', '--url', emulator.url, '--sandbox', 'checkout']);
  expect(stdout).toContain('/v1/missing-in-the-sandbox');
  const whole = await run(['record', '--url', emulator.url]);
  expect(whole.stdout).not.toContain('missing-in-the-sandbox');
  expect(whole.stderr).toBe('The session has no requests. Sandboxes with requests, for --sandbox: checkout (1).\n');
});
