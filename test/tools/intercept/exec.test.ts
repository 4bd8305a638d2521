import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { run, start, TOKEN, writeProgram } from './programs.js';

/** Runs a program for Node with a `request` of the real address and a `control` request to the emulator. */
const runScript = (source: string, flags: readonly string[] = []) =>
  run(
    [
      process.execPath,
      writeProgram(
        'program.mjs',
        `const headers = { authorization: 'Bearer ${TOKEN}' };
        const request = (path) => fetch('https://api.val.town' + path, { headers });
        const control = async (path, init) => (await fetch(process.env.VAL_EMULATOR_URL + '/_emulator/' + path, init)).json();
        const post = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
        ${source}`,
      ),
    ],
    { flags },
  );

test.for([[[]], [['--sandbox', 'demo']]] as const)('every path is of the API: %j', async ([flags]) => {
  const { stdout, stderr } = await runScript(
    `
    const paths = ['/v2/me', '/', '/_emulator/health', '/_emulator/ui/', '/_sandbox/x/v1/me', '/v1/../_emulator/state', '/v1/me'];
    for (const path of paths) {
      const response = await request(path);
      console.log(response.status, (await response.text()).slice(0, 60));
    }
    console.log((await control('requests')).map(({ path, status }) => path + ' ' + status).join());`,
    ['--log', 'text', ...flags],
  );

  expect(stdout.split('\n').map((line) => line.slice(0, 3))).toEqual([
    '501',
    '404',
    '404',
    '404',
    '404',
    '404',
    '200',
    '/v2',
    '',
  ]);
  expect(stdout).toContain('{"message":"Route GET:/_emulator/health not found"');
  const served = [
    ...['/v2/me 501', '/ 404', '/_emulator/health 404', '/_emulator/ui/ 404', '/_sandbox/x/v1/me 404'],
    ...['/_emulator/state 404', '/v1/me 200'],
  ];
  expect(stdout).toContain(`\n${served.join()}\n`);
  expect(stderr.match(/(?<=api\.val\.town)\/\S* \d+/g)).toEqual(served);
  expect(stderr).toContain('does not implement this part of version 2 of the API');
});

test('links and the journal have the name', async () => {
  const { stdout } = await runScript(`
    console.log((await (await request('/v1/me/runs?limit=1')).json()).links.next);
    const { spawnSync } = await import('node:child_process');
    spawnSync('curl', ['-s', 'http://api.val.town/v1/me']);
    const requests = await control('requests');
    for (const { path, request } of requests) console.log(path, request.headers.host);
    console.log(/proxy-authorization/i.test(JSON.stringify(requests)));`);

  expect(stdout.split('\n')).toEqual([
    'https://api.val.town/v1/me/runs?limit=1&offset=1',
    '/v1/me/runs?limit=1 api.val.town',
    '/v1/me api.val.town',
    'false',
    '',
  ]);
});

test('--sandbox chooses the sandbox that responds', async () => {
  const { stdout } = await runScript(
    `
    await request('/v1/me');
    console.log(new URL(process.env.VAL_EMULATOR_URL).pathname, (await control('requests')).length);
    console.log((await (await request('/v1/me/runs?limit=1')).json()).links.next);`,
    ['--sandbox', 'demo'],
  );

  expect(stdout).toBe('/_sandbox/demo 1\nhttps://api.val.town/v1/me/runs?limit=1&offset=1\n');
});

test.for([
  ['fetch', "await request('/v1/me').catch(({ cause }) => console.log(cause.code));"],
  [
    'curl',
    "const { spawnSync } = await import('node:child_process');" +
      "console.log(spawnSync('curl', ['-sS', 'https://api.val.town/v1/me']).stderr.includes('reset by peer') && 'ECONNRESET');",
  ],
] as const)('a fault resets the connection as the real host does: %s', async ([, source]) => {
  const { stdout } = await runScript(`
    await control('faults', post({ route: 'GET /v1/me', reset: true }));
    ${source}
    console.log((await control('requests'))[0].outcome);`);

  expect(stdout).toBe('ECONNRESET\nreset\n');
});

test('a fault cuts the body off', async () => {
  const { stdout } = await runScript(`
    await control('faults', post({ route: 'GET /v1/me', truncate: 10 }));
    await (await request('/v1/me')).text().catch(({ cause }) => console.log(cause.code));`);

  expect(stdout).toMatch(/^(?:UND_ERR_SOCKET|ECONNRESET)\n$/);
});

test('intercepts several names, and no other', async () => {
  const program = writeProgram(
    'program.mjs',
    `for (const name of ['one.example', 'two.example', 'three.invalid']) {
      console.log(await fetch('https://' + name + '/v1/me').then(({ status }) => status, ({ cause }) => cause.code));
    }`,
  );

  const { stdout } = await run([process.execPath, program], { flags: ['--intercept=one.example,TWO.example'] });

  expect(stdout).toMatch(/^401\n401\n(?:ENOTFOUND|EAI_AGAIN)\n$/);
});

test('passes the exit code on', async () => {
  expect(await run([process.execPath, '-e', 'process.exit(7)'])).toEqual({
    stdout: '',
    stderr:
      'val-emulator: No request reached the emulator. A program that ignores proxies needs the address in VAL_EMULATOR_URL.\n',
    code: 7,
  });
});

test('passes signals on, and removes its files', async () => {
  const TMPDIR = folderOf({});
  const script = "process.on('SIGTERM', () => process.exit(5)); console.log('ready'); setInterval(() => {}, 1000)";
  const command = start([process.execPath, '-e', script], { env: { TMPDIR } });
  await command.prints(/ready/);
  const [folder = ''] = readdirSync(TMPDIR);
  const files = readdirSync(join(TMPDIR, folder)).map((name) => join(TMPDIR, folder, name));

  expect(statSync(join(TMPDIR, folder)).mode & 0o777).toBe(0o700);
  expect(files.length).toBeGreaterThan(2);
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o600));
  expect(files.filter((file) => readFileSync(file, 'latin1').includes('PRIVATE KEY'))).toEqual([]);
  expect((await command.kill('SIGTERM')).code).toBe(5);
  expect(readdirSync(TMPDIR)).toEqual([]);
});

test.for([
  [['--intercept=npm', 'test'], '--intercept: found "npm"; expected the name of a host, such as api.val.town.'],
  [['--only'], '--only: use it with --intercept.'],
  [['--sandbox', 'x'], '--sandbox: use it with --intercept.'],
  [['--intercept', '--strict'], '--strict: use it with --only.'],
  [['--intercept', '--sandbox', 'a b'], 'Invalid sandbox name "a b": use 1–64 of A–Z a–z 0–9 . _ -'],
] as const)('%j ends with a sentence and exit code 2', async ([flags, message]) => {
  const { spawnCli } = await import('../cli/cli.js');

  const { stderr, code } = await spawnCli(['exec', ...flags, '--', process.execPath, '-e', '']).end();

  expect(stderr).toContain(`val-emulator: ${message}`);
  expect(code).toBe(2);
});

/** The processes that have a variable, with their commands. Linux only. */
function findProcesses(variable: string): string[] {
  const read = (id: string, file: string) => {
    try {
      return readFileSync(`/proc/${id}/${file}`, 'latin1');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && read(id, 'environ').includes(variable))
    .map((id) => read(id, 'cmdline'));
}

test('many runs at once leave no file and no process', async () => {
  const runs = Number(process.env.INTERCEPT_RUNS ?? 12);
  const TMPDIR = folderOf({});
  const INTERCEPT_MARK = `mark-${process.pid}-${performance.now()}`;
  const args = ['-sS', '-H', `authorization: Bearer ${TOKEN}`, '-o', '/dev/null', '-w', '%{http_code}'];

  const ended = await Promise.all(
    Array.from({ length: runs }, () =>
      run(['curl', ...args, 'https://api.val.town/v1/me'], { env: { TMPDIR, INTERCEPT_MARK } }),
    ),
  );

  expect(ended).toEqual(Array.from({ length: runs }, () => ({ stdout: '200', stderr: '', code: 0 })));
  expect(readdirSync(TMPDIR)).toEqual([]);
  expect(findProcesses(INTERCEPT_MARK)).toEqual([]);
});
