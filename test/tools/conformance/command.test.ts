import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CASES } from '#tools/conformance/cases/index.js';
import type { Fixtures } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { createEmulator, emulate } from '../../support/emulate.js';
import { launch, run } from '../cli/cli.js';

const FIXTURES = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', code: '1', privacy: 'public' as const }],
};

test('ends with 0 if no rule fails, and counts skipped cases', async () => {
  const { url } = await emulate(FIXTURES);
  const { stdout, stderr, code } = await run(['conformance', '--url', url, '--token', 'ada-token']);
  expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/^(?:val-emulator: checking .*\n)*$/), code: 0 });
  expect(stdout).toContain('it needs --level write');
  expect(stdout).toMatch(/^http:\S+: \d+ skipped, \d+ passed \(\d+ cases, [\d.]+ s\)$/m);
});

test('ends with 1 if a rule fails, and prints expectation, request and rule', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('GET /v1/me/likes', { status: 418 });
  const { stdout, code } = await run(['conformance', '--url', emulator.url, '--token', 'ada-token']);
  expect(code).toBe(1);
  expect(stdout).toContain(
    [
      'failed Each item has exactly the documented keys, with values of their types listMyLikes/items',
      '  expected the status 200, found 418',
      '  GET /v1/me/likes?limit=100 -> 418',
      '  public record of the service: Items have the shape of vals in lists.',
    ].join('\n'),
  );
});

test('prints the same failure of several routes once for each rule', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('*', { status: 200, body: { data: [], links: {} }, match: { query: { limit: 101 } } });
  const { stdout } = await run(['conformance', '--url', emulator.url, '--token', 'ada-token']);
  // Of a version, of lists, of public vals, of telemetry, of projects and of organizations.
  expect(stdout.match(/^failed limit=101 is a 400 /gm)).toHaveLength(6);
  expect(stdout).toMatch(/^ {2}the same in listMyLikes\/limit-101, listMyComments\/limit-101, /m);
});

test('runs the other cases if a route does not respond', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('GET /v1/alias/{username}/{val_name}', { delay: 60_000 });
  const { stdout, code } = await run([
    'conformance',
    '--url',
    emulator.url,
    '--token',
    'ada-token',
    '--timeout',
    '300ms',
  ]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ {2}http:\S+ does not respond within 300 ms\. Set a longer --timeout\.$/m);
  expect(stdout).toMatch(/^ {2}the same in getValByName\//m);
  expect(stdout).toContain(`(${CASES.length} cases, `);
});

test('ends with 0 if the service only contradicts choices of this project', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('GET /v1/search/vals', {
    status: 200,
    body: { data: [], links: {} },
    match: { query: { query: 'HELLO' } },
  });
  const { stdout, code } = await run(['conformance', '--url', emulator.url, '--token', 'ada-token']);
  expect(code).toBe(0);
  expect(stdout).toContain('different A name in upper case is found searchVals/case');
  expect(stdout).toContain('different: undocumented behavior; service and emulator disagree.');
});

test('writes reports, and ignores failures of the baseline', async () => {
  const folder = folderOf({});
  const [json, xml] = ['report.json', 'report.xml'].map((name) => join(folder, name));
  if (!json || !xml) throw new Error('there are two');
  const emulator = await emulate(FIXTURES);
  emulator.fail('GET /v1/me/likes', { status: 418 });
  const line = ['conformance', '--url', emulator.url, '--token', 'ada-token'];
  const first = await run([...line, '--report', json, '--report', xml]);
  expect(first.code).toBe(1);
  const report = JSON.parse(readFileSync(json, 'utf8'));
  expect(report).toMatchObject({ title: 'Conformance', service: emulator.url, totals: { failed: expect.any(Number) } });
  expect(readFileSync(xml, 'utf8')).toContain('<failure message="expected the status 200, found 418">');
  for (const path of [json, xml]) expect(readFileSync(path, 'utf8')).not.toContain('ada-token');

  const second = await run([...line, '--baseline', json]);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('failed as before Each item has exactly');
  expect(second.stdout).toContain('\n0 of the failures are new.\n');
  emulator.fail('GET /v1/alias/{username}', { status: 418 });
  expect((await run([...line, '--baseline', json])).code).toBe(1);
});

test('deletes all created vals after Ctrl-C', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('POST /v1/vals', { delay: 300 });
  const command = launch(['conformance', '--url', emulator.url, '--token', 'ada-token', '--level', 'write']);
  const listNames = () => emulator.state().vals.map(({ name }) => name);
  await expect.poll(listNames).toHaveLength(2);
  expect(await command.kill('SIGINT')).toMatchObject({ code: 130, stdout: '' });
  expect(listNames()).toEqual(['hello']);
});

test('names vals that it cannot delete after Ctrl-C', async () => {
  const emulator = await emulate(FIXTURES);
  emulator.fail('POST /v1/vals', { delay: 300 });
  emulator.fail('DELETE /v1/vals/{val_id}', { status: 403 });
  const command = launch(['conformance', '--url', emulator.url, '--token', 'ada-token', '--level', 'write']);
  await expect.poll(() => emulator.state().vals).toHaveLength(2);
  const { stderr, code } = await command.kill('SIGINT');
  expect(code).toBe(130);
  expect(stderr).toMatch(/^val-emulator: The val conformance_\w+ could not be deleted\. Delete it by hand\.\n$/);
});

test('reads the tokens from variables, and prints a report with --json', async () => {
  // Its clock runs: cases expect that a change moves updatedAt.
  const emulator = await createEmulator({ fixtures: { users: [{ username: 'ada' }, { username: 'grace' }] } });
  onTestFinished(() => emulator.close());
  const { url } = emulator;
  const env = { VAL_EMULATOR_TOKEN: 'ada-token', VAL_EMULATOR_SECOND_TOKEN: 'grace-token' };
  const { stdout, code } = await run(['conformance', '--url', url, '--level', 'write', '--json'], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ service: url, totals: { failed: 0 } });
  expect(stdout).not.toContain('--second-token');
});

describe('tokens with scopes', () => {
  const SCOPED: Fixtures = {
    users: [{ username: 'ada' }, { username: 'grace' }],
    vals: FIXTURES.vals,
    tokens: [
      { user: 'ada', token: 'ada-limited', scopes: ['email:read'] },
      {
        user: 'ada',
        token: 'ada-reader',
        scopes: ['val:read', 'user:read', 'blob:read', 'sqlite:read', 'email:read', 'telemetry:read'],
      },
    ],
  };
  const check = (url: string, args: readonly string[], env = {}) =>
    run(['conformance', '--url', url, '--token', 'ada-token', ...args], { env });
  const NEEDED = /it needs --(?:limited|reader)-token/;

  test('are what the cases of scopes need', async () => {
    const { url } = await emulate(SCOPED);
    const { stdout, code } = await check(url, ['--limited-token', 'ada-limited', '--reader-token', 'ada-reader']);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(NEEDED);
  });

  test('may come from variables; each is needed by itself', async () => {
    const { url } = await emulate(SCOPED);
    const { stdout, code } = await check(url, [], { VAL_EMULATOR_READER_TOKEN: 'ada-reader' });
    expect(code).toBe(0);
    expect(stdout.match(new RegExp(NEEDED, 'g'))).toEqual(['it needs --limited-token']);
  });

  test('that are not limited are a failure, which names no token', async () => {
    const { url } = await emulate(SCOPED);
    const { stdout, code } = await check(url, [
      '--limited-token',
      'ada-token',
      '--reader-token',
      'ada-token',
      '--json',
    ]);
    expect(code).toBe(1);
    const failed = /"id":\s*"(\w+\/(?:no-scope|reader)[\w-]*)"/g;
    expect([...stdout.matchAll(failed)].map(([, id]) => id)).toEqual(
      expect.arrayContaining(['getVal/no-scope-status', 'createVal/no-scope']),
    );
    expect(stdout).not.toContain('ada-token');
  });

  test.each([
    [['--limited-token', 'x'], 'refuses the token of --limited-token (401).'],
    [['--reader-token', 'x'], 'refuses the token of --reader-token (401).'],
    [['--reader-token', 'grace-token'], '--reader-token is of another account than --token.'],
  ])('%j end the run before the first case', async (args, message) => {
    const emulator = await emulate(SCOPED);
    const { stdout, stderr, code } = await check(emulator.url, args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain(message);
    expect(emulator.requests().every(({ method }) => method === 'GET')).toBe(true);
  });
});

test.each([
  [['example.com', '--token', 'x'], '--url: found "example.com"; expected a URL such as "https://api.example.com".'],
  [['http://127.0.0.1:65533'], '--token: missing. Give the token of the account, or set VAL_EMULATOR_TOKEN.'],
  [['http://127.0.0.1:65533', '--token', 'x'], 'http://127.0.0.1:65533 does not respond: connection refused.'],
  [
    ['http://nowhere.invalid', '--token', 'x'],
    /^http:\/\/nowhere\.invalid does not respond: (?:unknown host|host lookup failed)\.$/,
  ],
  [
    ['http://127.0.0.1:65533', '--token', 'x', '--report', 'a.txt'],
    '--report: found "a.txt"; expected a file that ends in .json or .xml.',
  ],
  [['http://127.0.0.1:65533', '--token', 'x', '--baseline', 'none.json'], /none\.json: could not be read \(ENOENT/],
])('refuses %j in one line', async (args, message) => {
  const { stdout, stderr, code } = await run(['conformance', '--url', ...args]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr.replace(/^val-emulator: |\n$/g, '')).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
});

test('refuses a baseline that is not a report', async () => {
  const path = join(folderOf({}), 'other.json');
  writeFileSync(path, '[]');
  const { stderr, code } = await run([
    'conformance',
    '--url',
    'http://127.0.0.1:65533',
    '--token',
    'x',
    '--baseline',
    path,
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('expected a report that --report has written as .json.');
});
