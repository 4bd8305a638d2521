import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { takePort } from '../../support/ports.js';
import { waitFor } from '../../support/wait.js';
import { launch, run, serve } from './cli.js';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const START = { time, event: 'start', pid: process.pid, version: expect.stringMatching(/^\d+\.\d+\.\d+/) };

const parseLines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('--log json prints an object for the start, each request and the stop', async () => {
  const { command, url } = await serve(['--log', 'json', '--log-control', '--fixtures', 'empty']);
  const headers = { authorization: 'Bearer ada-token', 'x-emulator-sandbox': 'one' };
  await fetch(`${url}/v1/me?x=1`, { headers });
  await fetch(`${url}/_sandbox/two/_emulator/faults`, {
    method: 'POST',
    body: '{"route":"*"}',
    headers: { 'content-type': 'application/json' },
  });
  await fetch(`${url}/_sandbox/two/v1/me`);

  const { stdout, stderr, code } = await command.kill('SIGTERM');

  const sent = { outcome: 'sent', message: null, suggestion: null, reason: null, trace: null, changes: [] };
  const common = {
    time,
    ms: expect.any(Number),
    user: null,
    hasToken: false,
    fault: null,
    id: null,
    ...sent,
    host: new URL(url).host,
  };
  expect(parseLines(stdout)).toEqual([
    { ...START, url },
    {
      ...common,
      method: 'GET',
      path: '/v1/me?x=1',
      route: 'GET /v1/me',
      status: 200,
      user: 'ada',
      hasToken: true,
      sandbox: 'one',
      id: 'r1',
    },
    {
      ...common,
      method: 'POST',
      path: '/_emulator/faults',
      route: 'POST /_emulator/faults',
      status: 201,
      sandbox: 'two',
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/me',
      route: 'GET /v1/me',
      status: 500,
      sandbox: 'two',
      fault: 'f1',
      id: 'r1',
      message: 'Internal Server Error',
      reason: 'fault f1 was injected',
    },
    { time, event: 'stopping' },
    { time, event: 'stop' },
  ]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('the line of a request has its changes, the reason of its failure, or what is easily overlooked', async () => {
  const { command, url } = await serve(['--fixtures', 'empty']);
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const send = (method: string, path: string, body: object) =>
    fetch(url + path, { method, headers, body: JSON.stringify(body) });
  const { id } = JSON.parse(await (await send('POST', '/v1/vals', { name: 'hello', code: '1' })).text());
  await send('PUT', `/v1/vals/${id}`, { name: 'hi', readme: '# A' });
  await send('PUT', `/v1/vals/${id}`, { nam: 'x', privacy: 'open' });
  await fetch(`${url}/v1/mee`);
  await send('POST', '/v1/sqlite/execute', { statement: 'SELECT "titel"' });
  await send('POST', '/v1/sqlite/execute', { sql: 'SELECT 1' });
  await run(['fail', 'GET', '/v1/me', '--delay', '1ms-2ms', '--status', '503', '--url', url]);
  await fetch(`${url}/v1/me`, { headers });
  const { stdout } = await command.kill('SIGTERM');
  const lines = stdout.split('\n').filter((line) => / \/v1\//.test(line));
  expect(lines.map((line) => line.replace(/^.*? (?=\d+\.\d ms)[\d.]+ ms/, ''))).toEqual([
    ' + ada/hello',
    ' ada/hi: name, readme',
    expect.stringMatching(/^ - body\/privacy must .* - Found "nam" in the body\. Did you mean "name"\?$/),
    ' - Route GET:/v1/mee not found - Did you mean "GET /v1/me"?',
    ' - "titel" is a text here: no column has that name',
    ` - body must have required property 'statement' - Found "sql" in the body; expected "statement"`,
    ' - Service Unavailable - fault f1 was injected',
  ]);
});

test('the line of a refused token says the same as the journal, with a token where the journal lists them', async () => {
  const { command, url } = await serve(['--fixtures', 'empty']);
  await fetch(`${url}/v1/me`, { headers: { authorization: 'ada-token' } });
  await fetch(`${url}/v1/me`);
  const requests = (await run(['requests', '--url', url])).stdout;
  const { stdout } = await command.kill('SIGTERM');
  const lacks = 'the header Authorization lacks "Bearer" - Send "Authorization: Bearer ada-token"';
  expect(requests).toContain(`${lacks}\n`);
  expect(stdout).toContain(`${lacks}\n`);
  expect(stdout).toContain('the request has no token - Try the token ada-token, or --auth lenient\n');
});

test('the line of a request whose body has the type of a form names the header to add, once', async () => {
  const { command, url } = await serve(['--fixtures', 'empty']);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer ada-token' };
  for (const path of ['/v1/vals', '/_emulator/records']) {
    const response = await fetch(url + path, { method: 'POST', headers, body: '{"username":"eve"}' });
    expect(response.status).toBe(415);
    const type = 'Unsupported Media Type: application/x-www-form-urlencoded';
    const advice = 'Send JSON in UTF-8, with the header "content-type: application/json"';
    // The service has its own message.
    expect(await response.json()).toMatchObject({ message: path === '/v1/vals' ? type : `${type}. ${advice}` });
    const [, line = ''] = await command.prints(new RegExp(`(POST +${path} 415 .*)\n`));
    expect(line.split(advice), line).toHaveLength(2);
  }
});

test.each(['text', 'json'])(
  '--log %s leaves out control requests that succeed, without --log-control',
  async (format) => {
    const { command, url } = await serve(['--log', format]);
    for (const path of ['/_emulator/users', '/_sandbox/one/_emulator/requests', '/_emulator/ui/', '/_emulator/nowhere'])
      await fetch(url + path);
    expect((await run(['requests', '--url', url])).code).toBe(0);
    await fetch(`${url}/v1/users/nobody`);
    const { stdout } = await command.kill('SIGTERM');
    const requests = stdout.split('\n').filter((line) => /^GET|"method"/.test(line));
    expect(requests.map((line) => /\/(?:_emulator|v1)\/[a-z/]+/.exec(line)?.[0])).toEqual([
      '/_emulator/nowhere',
      '/v1/users/nobody',
    ]);
  },
);

test('no line of --log json has a token, except with --json', async () => {
  const quiet = await serve(['--log', 'json', '--fixtures', 'empty', '--control-token', 'S3CRET-control']);
  await fetch(`${quiet.url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });
  await fetch(`${quiet.url}/v1/me`, { headers: { authorization: 'Bearer other-token' } });
  const { stdout, stderr } = await quiet.command.kill('SIGTERM');
  expect(stdout + stderr).not.toMatch(/ada-token|other-token|S3CRET/);

  const { command, url } = await serve(['--log', 'json', '--json', '--fixtures', 'empty']);
  const [ready, start, ...others] = parseLines((await command.kill('SIGTERM')).stdout);
  expect(ready).toEqual({ url, pid: process.pid, users: [expect.objectContaining({ token: 'ada-token' })] });
  expect(start).toEqual({ ...START, url });
  expect(others).toEqual([
    { time, event: 'stopping' },
    { time, event: 'stop' },
  ]);
});

test('warnings of unknown variables and of lost changes are objects on stderr', async () => {
  const { command, url } = await serve(['--log', 'json', '--fixtures', 'empty'], {
    env: { VAL_EMULATOR_FIXTURE: 'empty' },
  });
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  await fetch(`${url}/v1/vals`, { method: 'POST', body: '{"code":"1"}', headers });

  const { stderr } = await command.kill('SIGTERM');

  expect(parseLines(stderr)).toEqual([
    { time, event: 'warning', message: expect.stringContaining('VAL_EMULATOR_FIXTURE') },
    { time, event: 'warning', message: '1 change not kept (start --data FOLDER keeps them).' },
  ]);
});

test('a reload is an object, and so is an error in the reloaded fixtures', async () => {
  const folder = folderOf({});
  const file = join(folder, 'demo.json');
  writeFileSync(file, '{"users":[{"username":"ada"}]}');
  const command = launch(['--port', '0', '--log', 'json', '--fixtures', file, '--watch']);
  await command.prints(/"event":"start".*\n/);

  writeFileSync(file, '{"users":[{"username":"ada"},{"username":"grace"}]}');
  await command.prints(/"event":"reload".*\n/);
  writeFileSync(file, '{"users":[{"username":"ada","tier":"gold"}]}');
  await waitFor(() => expect(command.stderr).toContain('\n'));

  const { stdout, stderr } = await command.kill('SIGTERM');
  expect(parseLines(stdout)[1]).toMatchObject({ time, event: 'reload', users: 2, vals: 0 });
  expect(parseLines(stderr)).toEqual([
    {
      time,
      event: 'error',
      code: 'fixtures',
      message: expect.stringContaining('found "gold"'),
      problems: [{ path: expect.stringContaining('users[0].tier'), message: expect.stringContaining('found "gold"') }],
    },
  ]);
});

test('with --log json an error that ends the command is one line of JSON', async () => {
  const port = await takePort();
  const { stdout, stderr, code } = await run(['start', '--log', 'json', '--port', `${port}`]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(JSON.parse(stderr)).toEqual({
    error: expect.objectContaining({ message: expect.stringContaining(`${port} on 127.0.0.1 is in use`) }),
  });
});

test('with --drain the emulator accepts requests for a time after the signal, but is not ready', async () => {
  const { command, url } = await serve(['--json', '--fixtures', 'empty', '--drain', '1h']);
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  expect(await statusOf('/_emulator/ready')).toBe(200);

  command.signal('SIGTERM');
  expect(await statusOf('/_emulator/ready')).toBe(503);
  expect(await statusOf('/_emulator/health')).toBe(200);
  expect(await statusOf('/v1/me')).toBe(401);

  // A second signal ends the time, unless it comes at once.
  await sleep(150);
  expect(await command.kill('SIGTERM')).toMatchObject({ stderr: '', code: 0 });
  await expect(fetch(`${url}/_emulator/ready`)).rejects.toThrow('fetch failed');
});

test('the emulator ends after the time of --drain', async () => {
  const { command } = await serve(['--json', '--fixtures', 'empty', '--drain', '300ms']);
  const start = performance.now();
  expect(await command.kill('SIGTERM')).toMatchObject({ stderr: '', code: 0 });
  expect(performance.now() - start).toBeGreaterThan(299);
});

test('an invalid time of --drain is refused', async () => {
  expect((await run(['--drain', 'soon'])).stderr).toMatch(/^val-emulator: --drain: found "soon"; expected a duration/);
});
