import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../fixtures/loading.js';
import { emulate } from '../support/emulate.js';
import { launch, run } from './cli.js';

const TOWN = {
  users: [{ username: 'ada', email: 'ada@planted.example' }, { username: 'grace' }],
  vals: [
    { author: 'ada', name: 'hello', code: 'const key = "ada-token";', privacy: 'public' as const },
    { author: 'ada', name: 'secret', code: '1', privacy: 'private' as const },
  ],
  likes: [{ user: 'grace', val: 'ada/hello' }],
};

test('an account becomes fixtures that check accepts and start opens', async () => {
  const { url } = await emulate(TOWN);
  const out = join(folderOf({}), 'world');
  const { stdout, stderr, code } = await run(['pull', '--from', url, '--token', 'ada-token', '--out', out]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toContain(`Wrote 2 users, 1 val, 1 like to ${join(out, 'fixtures.json')}.`);
  expect(stdout).toContain('not seen: Who else likes the vals');
  expect(stdout).toMatch(/^The emulator responds equally to the \d+ requests of this pull\.$/m);
  expect(readdirSync(out).sort()).toEqual(['fixtures.json', 'pulled.json']);
  expect(readdirSync(join(out, '..'))).toEqual(['world']);
  const fixtures = readFileSync(join(out, 'fixtures.json'), 'utf8');
  expect(fixtures).toMatch(/"\$schema": ".*node_modules\/val-emulator\/schema\/fixtures\.schema\.json"/);
  expect(fixtures).not.toMatch(/ada-token|planted|secret/);
  expect(JSON.parse(readFileSync(join(out, 'pulled.json'), 'utf8'))).toMatchObject({ from: url, records: { vals: 1 } });
  expect((await run(['check', out])).code).toBe(0);
  expect((await run(['check', join(out, 'fixtures.json')])).code).toBe(0);
  // A second pull replaces it.
  const again = await run(['pull', '--from', url, '--token', 'ada-token', '--out', out, '--private', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ out, records: { vals: 2 }, drift: { different: 0 } });
});

test('Ctrl-C keeps what was read for the next attempt', async () => {
  const emulator = await emulate(TOWN);
  emulator.fail('GET /v1/vals/{val_id}', { delay: 600_000, times: 1 });
  const folder = folderOf({});
  const out = join(folder, 'world');
  const line = ['pull', '--from', emulator.url, '--token', 'ada-token', '--out', out];
  const first = launch(line);
  await expect.poll(() => readdirSync(folder)).toEqual(['world.partial']);
  await expect.poll(() => readFileSync(join(folder, 'world.partial'), 'utf8')).toContain('/v1/me/runs');
  expect((await first.kill('SIGINT')).stdout).toBe('');
  expect(readdirSync(folder)).toEqual(['world.partial']);
  expect((await run(line)).code).toBe(0);
  expect(readdirSync(folder)).toEqual(['world']);
});

test.each([
  [
    ['--from', 'example.com', '--token', 'x', '--out', 'o'],
    '--from: found "example.com"; expected a URL such as "https://api.example.com".',
  ],
  [['--from', 'http://127.0.0.1:65533', '--out', 'o'], '--token: missing. The account is that of the token.'],
  [
    ['--from', 'http://127.0.0.1:65533', '--token', 'x', '--out', 'o', '--since', 'monday'],
    /^--since: found "monday"; expected a time/,
  ],
  [
    ['--from', 'http://127.0.0.1:65533', '--token', 'x', '--out', 'o', '--keep', '--anonymize', '1'],
    '--keep and --anonymize contradict each other. Choose one.',
  ],
])('%j is refused in one line', async (args, message) => {
  const { stdout, stderr, code } = await run(['pull', ...args]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr.replace(/^val-emulator: |\n$/g, '')).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
});

test('a service that is away, a wrong token and a folder with other files leave nothing behind', async () => {
  const { url } = await emulate(TOWN);
  const folder = folderOf({});
  const out = join(folder, 'world');
  const away = await run(['pull', '--from', 'http://127.0.0.1:65533', '--token', 'x', '--out', out]);
  expect(away).toMatchObject({ code: 2, stderr: expect.stringContaining('does not respond: connection refused.') });
  const refused = await run(['pull', '--from', url, '--token', 'x', '--out', out]);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${url} refuses the token of --token (401).`),
  });
  mkdirSync(out);
  writeFileSync(join(out, 'notes.txt'), '');
  const other = await run(['pull', '--from', url, '--token', 'ada-token', '--out', out]);
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has notes.txt. Name a new folder, or one of an earlier pull.'),
  });
  expect(readdirSync(folder)).toEqual(['world']);
});
