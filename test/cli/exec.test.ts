import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/index.js';
import { launch, run, serve } from './cli.js';

const print = (expression: string) => ['--', process.execPath, '-e', `console.log(${expression})`];

/** Where nothing listens: a port that was free a moment ago. */
async function deadUrl(): Promise<string> {
  const emulator = await createEmulator({ fixtures: 'empty' });
  await emulator.close();
  return emulator.url;
}

describe('exec', () => {
  test('gives the command an emulator that answers, and tells it where', async () => {
    const { VAL_EMULATOR_URL: url, VAL_EMULATOR_TOKEN: token } = {
      VAL_EMULATOR_URL: 'process.env.VAL_EMULATOR_URL',
      VAL_EMULATOR_TOKEN: 'process.env.VAL_EMULATOR_TOKEN',
    };
    const ask = `fetch(${url} + '/v1/me', { headers: { authorization: 'Bearer ' + ${token} } })`;
    const script = `${ask}.then((r) => r.json()).then((me) => console.log(me.username))`;

    const { stdout, stderr, code } = await run(['exec', '--', process.execPath, '-e', script]);

    expect({ stdout, stderr, code }).toStrictEqual({ stdout: 'ada\n', stderr: '', code: 0 });
  });

  test('fills address and token into variables of other names', async () => {
    const { stdout } = await run(['exec', '--env', 'API={url}/v1?t={token}', ...print('process.env.API')]);

    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\?t=ada-token\n$/);
  });

  test('takes the flags of start, and leaves those behind -- to the command', async () => {
    const { stdout } = await run([
      'exec',
      '--fixtures',
      'empty',
      ...print('process.env.VAL_EMULATOR_TOKEN, process.argv.slice(1)'),
      '--',
      '--port',
      'x',
    ]);

    expect(stdout).toBe("ada-token [ '--port', 'x' ]\n");
  });

  test('passes the exit code on', async () => {
    expect((await run(['exec', '--', process.execPath, '-e', 'process.exit(7)'])).code).toBe(7);
  });

  test('passes signals on, and ends with the command', async () => {
    const script = "process.on('SIGTERM', () => process.exit(5)); console.log('ready'); setInterval(() => {}, 1000)";
    const command = launch(['exec', '--', process.execPath, '-e', script]);
    await command.prints(/ready/);

    expect((await command.kill('SIGTERM')).code).toBe(5);
  });

  test('a command that a signal ended has the exit code of shells', async () => {
    const { code } = await run(['exec', '--', process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")']);

    expect(code).toBe(137);
  });

  test.each([
    [['exec'], /^val-emulator: What is to be run\? Put it behind --/],
    [['exec', '--', 'no-such-program'], /^val-emulator: Could not run "no-such-program": .*ENOENT\n$/],
    [
      ['exec', '--env', 'API={ulr}', ...print('1')],
      /^val-emulator: --env: found {ulr}; expected {url} or {token}\. Did you mean "{url}"\?\n$/,
    ],
    [['exec', '--env', 'x', ...print('1')], /^val-emulator: --env: found "x"; expected a name and a value/],
    [['exec', '--fixtures', 'defalt', ...print('1')], /Did you mean "default"\?\n$/],
  ])('%j is a sentence and exit code 2', async (args, message) => {
    const { stdout, stderr, code } = await run(args);

    expect({ stdout, code }).toStrictEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(message);
  });
});

describe('wait', () => {
  test('ends once the emulator answers', async () => {
    const { url } = await serve();

    const { stdout, code } = await run(['wait', '--url', url]);

    expect(stdout).toBe(`${url} answers (val-emulator 0.1.0).\n`);
    expect(code).toBe(0);
  });

  test('gives up after the timeout', async () => {
    const url = await deadUrl();

    const { stderr, code } = await run(['wait', '--url', url, '--timeout', '200ms']);

    expect(stderr).toContain(`val-emulator: Could not reach an emulator at ${url}: nothing listens there.`);
    expect(code).toBe(2);
  });

  test('refuses a timeout that is none', async () => {
    const { stderr, code } = await run(['wait', '--timeout', 'soon']);

    expect(stderr).toMatch(/--timeout: found "soon"; expected a duration/);
    expect(code).toBe(2);
  });
});
