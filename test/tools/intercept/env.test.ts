import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { PATIENCE } from '../../support/patience.js';
import { spawnCli } from '../cli/cli.js';
import { CLEAN, run, TOKEN } from './programs.js';

const MAIN = `${process.execPath} ${new URL('../../../dist/cjs/val-emulator.cjs', import.meta.url).pathname}`;
const CURL = `curl -sS -o /dev/null -w '%{http_code} ' -H 'authorization: Bearer ${TOKEN}' https://api.val.town/v1/me`;
const FETCH = `${process.execPath} -e "fetch('https://api.val.town/v1/me').then(({ status }) => console.log(status))"`;

/** Runs lines of a POSIX shell. */
function runShell(lines: readonly string[]): string {
  const env = { ...process.env, ...CLEAN };
  return execFileSync('sh', ['-ec', lines.join('\n')], { env, encoding: 'utf8', timeout: PATIENCE });
}

/** Starts an emulator that intercepts. */
async function startIntercepting(TMPDIR: string) {
  const command = spawnCli(['start', '--intercept', '--port', '0'], { env: { ...CLEAN, TMPDIR } });
  const [, url = ''] = await command.prints(/listens on (\S+)/);
  return { command, url };
}

test('env sets address and token in a shell, also for the SDK', async () => {
  const emulator = await createEmulator();
  onTestFinished(() => emulator.close());
  const url = `${emulator.url}/_sandbox/demo`;
  emulator.sandbox('demo');

  const { stdout } = await spawnCli(['env', '--url', emulator.url, '--sandbox', 'demo']).end();

  expect(stdout).toBe(
    `export VAL_EMULATOR_URL='${url}'\nexport VAL_EMULATOR_TOKEN='ada-token'\nexport VAL_TOWN_BASE_URL='${url}'\nexport VAL_TOWN_API_KEY='ada-token'\n`,
  );
});

test('after env --intercept programs of a shell reach a running emulator, also when it is repeated', async () => {
  const { command, url } = await startIntercepting(folderOf({}));
  const evaluate = `eval "$(${MAIN} env --intercept --url ${url})"`;

  const stdout = runShell([evaluate, CURL, FETCH, evaluate, CURL, FETCH, 'echo "$NODE_OPTIONS" | grep -o require']);

  expect(stdout).toBe('200 401\n200 401\nrequire\n');
  await command.prints(/GET {4}api\.val\.town\/v1\/me 401 /);
});

test('start --intercept prints how to reach it, and removes its files', async () => {
  const TMPDIR = folderOf({});
  const { command, url } = await startIntercepting(TMPDIR);

  await command.prints(
    /Programs reach it as api\.val\.town, www\.val\.town after: eval "\$\(val-emulator env --intercept --url /,
  );
  const { stdout } = await spawnCli(['env', '--intercept', '--json', '--url', url]).end();

  expect(Object.keys(JSON.parse(stdout))).toEqual(
    expect.arrayContaining(['HTTPS_PROXY', 'https_proxy', 'NODE_OPTIONS', 'SSL_CERT_FILE', 'VAL_EMULATOR_URL']),
  );
  expect(JSON.parse(stdout)).toMatchObject({ VAL_TOWN_API_KEY: 'ada-token' });
  expect(JSON.parse(stdout)).not.toHaveProperty('VAL_TOWN_BASE_URL');
  expect(await command.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(TMPDIR)).toEqual([]);
});

test('the innermost of two interceptions applies alone', async () => {
  const inner = `${MAIN} exec --intercept=one.example -- sh -c 'echo $NODE_OPTIONS $NO_PROXY; curl -sS -o /dev/null -w %{http_code} https://one.example/v1/me'`;

  const { stdout } = await run(['sh', '-c', inner], { env: { NO_PROXY: 'x' } });

  expect(stdout).toMatch(/^--require \S+node\.cjs x,localhost,127\.0\.0\.1,::1\n401$/);
});

test('exec --log prints requests with the name on stderr', async () => {
  const text = await run(['sh', '-c', CURL], { flags: ['--log', 'text'] });
  const json = await run(['sh', '-c', CURL], { flags: ['--log', 'json'] });

  expect(text.stderr).toMatch(/^GET {4}api\.val\.town\/v1\/me 200 \d+\.\d ms\n$/);
  expect(JSON.parse(json.stderr)).toMatchObject({ method: 'GET', host: 'api.val.town', path: '/v1/me', status: 200 });
  expect([text.stdout, json.stdout]).toEqual(['200 ', '200 ']);
});

test.each([
  [['--intercept'], 'This emulator intercepts no host. Start it with --intercept.', 4],
  [['--intercept', '--sandbox', 'demo'], '--intercept: cannot be used with --sandbox.', 2],
])('env %j of an emulator without --intercept is refused', async (flags, message, expected) => {
  const emulator = await createEmulator();
  onTestFinished(() => emulator.close());
  emulator.sandbox('demo');

  const { stderr, code } = await spawnCli(['env', ...flags, '--url', emulator.url]).end();

  expect(stderr).toContain(message);
  expect(code).toBe(expected);
});
