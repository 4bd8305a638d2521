import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { launch, run, serve as startEmulator } from '../cli/cli.js';
import { start } from './support.js';

/** The words of a pull into `mine` of the working directory. */
const pullWords = (url: string, ...more: string[]) => [
  ...['pull', '--url', url, '--token', 'ada-token', '--out', 'mine', ...more],
];

describe('val-emulator pull', () => {
  test('writes fixtures that check accepts and start opens, and lists facts that the API hides', async () => {
    const cwd = folderOf({});
    const { url } = await start();
    const { stdout, code } = await run(pullWords(url, '--private'), { cwd });
    expect(stdout).toMatch(
      /^Wrote \d+ users, 1 organization, \d+ memberships, \d+ projects, \d+ branches, .* to mine\//,
    );
    expect(stdout).toMatch(/\nnot seen: .*\nStart it: val-emulator start --fixtures mine\n$/);
    expect(code).toBe(0);
    expect(readdirSync('.')).toEqual(['mine']);
    expect(readdirSync('mine').sort()).toEqual(['fixtures.json', 'pulled.json']);
    expect(JSON.parse(readFileSync('mine/fixtures.json', 'utf8')).$schema).toBe(
      '../node_modules/val-emulator/schema/fixtures.schema.json',
    );
    expect(JSON.parse(readFileSync('mine/pulled.json', 'utf8'))).toMatchObject({
      from: url,
      options: { private: true, keep: false, history: true, projects: [] },
      read: { '/v1/me': 1, '/v1/me/likes': 1, '/v2/me/vals': 1 },
      unseen: expect.arrayContaining([expect.stringContaining('Who else likes and imports the vals')]),
    });
    expect(await run(['check', 'mine'])).toMatchObject({ stdout: expect.stringMatching(/^mine: \d+ users/), code: 0 });
    const { command, url: opened } = await startEmulator(['--fixtures', 'mine', '--watch']);
    const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
    await fetch(`${opened}/v1/vals`, { method: 'POST', headers, body: '{"name":"added","code":"1"}' });
    const words = ['state', '--relative', '--brief', '--out', 'mine/fixtures.json', '--url', opened];
    expect(await run(words)).toMatchObject({ code: 0 });
    await command.kill('SIGTERM');
    expect(readFileSync('mine/fixtures.json', 'utf8')).toContain('"added"');
    expect(await run(pullWords(url))).toMatchObject({ code: 0 });
    expect(readFileSync('mine/fixtures.json', 'utf8')).not.toContain('"added"');
  });

  test('writes nothing after Ctrl-C', async () => {
    const cwd = folderOf({});
    const emulator = await start({ fixtures: 'busy' });
    emulator.fail('GET /v1/runs/{run_id}', { delay: 30 });
    const interrupted = launch(pullWords(emulator.url), { cwd });
    await expect.poll(() => emulator.requests({ limit: 5_000 }).length).toBeGreaterThan(50);
    expect(await interrupted.kill('SIGINT')).toEqual({ stdout: '', stderr: '', code: 130 });
    expect(interrupted.raised).toEqual(['SIGINT']);
    expect(readdirSync('.')).toEqual([]);
  });

  test('compares with an earlier pull, and ends with 1 for a difference', async () => {
    const cwd = folderOf({});
    const { url } = await start();
    const compare = (...more: string[]) =>
      run(['pull', '--url', url, '--token', 'ada-token', '--compare', 'mine', ...more], { cwd });
    expect(await run(pullWords(url), { cwd })).toMatchObject({ code: 0 });
    expect(await compare()).toMatchObject({
      stdout: expect.stringMatching(/^Read \d+ users, [\s\S]*\n0 differences from mine\.\n$/),
      code: 0,
    });
    const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'fresh', privacy: 'public' });
    expect((await fetch(`${url}/v2/vals`, { method: 'POST', headers, body })).status).toBe(201);
    expect(await compare()).toMatchObject({
      stdout: expect.stringMatching(
        /\n\+ projects ada\/fresh \([0-9a-f-]{36}\)\n {2}\+ owner: "ada"\n {2}\+ name: "fresh"\n/,
      ),
      code: 1,
    });
    const { stdout, code } = await compare('--json', '--out', 'new');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ out: 'new', from: url },
      drift: { total: 2, changes: [{ collection: 'projects', type: 'added', before: null }, { part: true }] },
    });
    expect(code).toBe(1);
    expect(readFileSync('new/fixtures.json', 'utf8')).toContain('"fresh"');
    expect(await compare('--ignore', 'projects.*', '--ignore', 'branches.*')).toMatchObject({ code: 0 });
  });

  test('refuses a folder with other files', async () => {
    const cwd = folderOf({});
    mkdirSync(join(cwd, 'mine'));
    writeFileSync(join(cwd, 'mine/notes.txt'), '');
    expect(await run(pullWords('http://127.0.0.1:1'), { cwd })).toMatchObject({
      stderr: 'val-emulator: --out: the folder mine has notes.txt. Name a new folder, or one of an earlier pull.\n',
      code: 2,
    });
  });

  test('writes no token, no address and no private val', async () => {
    const cwd = folderOf({});
    const { url } = await start({
      fixtures: {
        users: [{ username: 'ada', email: 'ada@planted.example' }],
        vals: [
          { author: 'ada', name: 'hello', code: 'const key = "ada-token";', privacy: 'public' },
          { author: 'ada', name: 'planted', code: '1', privacy: 'private' },
        ],
      },
    });
    expect(await run(pullWords(url), { cwd })).toMatchObject({ stderr: '', code: 0 });
    expect(readFileSync('mine/fixtures.json', 'utf8')).not.toMatch(/ada-token|planted/);
  });

  test.each([
    [
      ['--url', 'http://127.0.0.1:1', '--out', 'o'],
      '--token: missing. Give the token of the account, or set VAL_EMULATOR_TOKEN.',
    ],
    [
      ['--url', 'http://127.0.0.1:1', '--token', 'x', '--out', 'o', '--since', 'monday'],
      '--since: found "monday"; expected a time such as "2024-06-11T00:00:00Z", or a duration such as "30d".',
    ],
    [['--url', 'http://127.0.0.1:1', '--token', 'x'], '--out: missing. Name a folder to write to, or use --compare.'],
    [
      ['--url', 'http://127.0.0.1:1', '--token', 'x', '--out', 'o', '--project', 'site'],
      '--project: found "site"; expected an owner and a name such as "grace/site".',
    ],
    [
      ['--url', 'http://127.0.0.1:1', '--token', 'x', '--out', 'o', '--limit', '0'],
      '--limit: found "0"; expected a number of items, at least 1.',
    ],
  ])('refuses %j', async (flags, message) => {
    const { stdout, stderr, code } = await run(['pull', ...flags]);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `val-emulator: ${message}\n`, code: 2 });
  });

  const failWith = async (url: string, message: RegExp) => {
    const ended = await run(pullWords(url, '--timeout', '5s'), { cwd: folderOf({}) });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(readdirSync('.')).toEqual([]);
  };

  test('explains an unknown token in one line', async () => {
    const { url } = await start({ fixtures: { users: [{ username: 'grace' }] } });
    await failWith(url, /^val-emulator: http:\S+ refuses the token of --token \(401\)\.$/m);
  });

  test('explains a service without TLS in one line', async () => {
    const server = createServer({}).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await failWith(
      `https://127.0.0.1:${port}`,
      /^val-emulator: https:\S+ does not respond: TLS failed \(ERR_SSL_\w+\)\.$/m,
    );
  });

  test('explains the certificate of another host in one line', async () => {
    const cause = Object.assign(new Error("Host: localhost. is not in the cert's altnames"), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
    onTestFinished(() => void vi.unstubAllGlobals());
    await failWith(
      'https://localhost',
      /^val-emulator: https:\S+ does not respond: its certificate is for another host\.$/m,
    );
  });
});
