import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createEmulator } from '../../src/index.js';
import { outerVariables } from './recipe.js';

/** A project with the packed package and its runners. */
let project = '';
const hasPytest = spawnSync('pytest', ['--version']).status === 0;

const runIn = (command: string) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: project,
    encoding: 'utf8',
    env: { ...outerVariables(), NO_COLOR: '1' },
  });
  return { status, output: stdout + stderr };
};

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'val-emulator-written-'));
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const packages = `'${inject('packed').tarball}' vitest@4 jest@30 @jest/globals@30`;
  const { status, output } = runIn(`npm install --prefer-offline --no-audit --no-fund ${packages}`);
  if (status !== 0) throw new Error(`cannot install the package and its runners: ${output}`);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const EVENTS = { accept: 'application/json, text/event-stream' };

/** Records what a program may do: new ids, a refusal, bytes, a fault, a rate limit, a reset, tools, a wrong token. */
async function record(): Promise<string> {
  const emulator = await createEmulator({ port: 0 });
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    fetch(emulator.url + path, {
      method,
      headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
  await send('POST', '/v1/vals', { name: 'earlier', code: '1' });
  const { id } = Object(await (await send('POST', '/v1/vals', { name: "it's", code: 'a\n`$b` {"c"}\\' })).json());
  await send('PUT', `/v1/vals/${id}`, { name: 'renamed', readme: `see {${id}} ✓` });
  await send('GET', `/v1/vals/${id}`);
  await send('POST', '/v1/vals', { name: 'renamed', code: '2' });
  await send('POST', '/v1/blob/a%20b', { bytes: [1, null, true] }, { 'content-type': 'application/octet-stream' });
  await send('GET', '/v1/blob/a%20b');
  await send('POST', '/v1/sqlite/execute', { statement: 'select 1 as one, null as nothing, 1.5 as half' });
  emulator.fail('GET /v1/me', { status: 503, times: 1 });
  await send('GET', '/v1/me');
  await send('GET', '/v1/me/runs?limit=2');
  await send('GET', '/v1/me', undefined, { authorization: 'Bearer vtwn_0123456789abcdef' });
  await send('GET', '/v1/nowhere');
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const post = (name: string, args: object) =>
    send('POST', '/v3/mcp', { ...call, params: { name, arguments: args } }, EVENTS);
  await post('no_such_tool', {});
  await post('create_val', { name: 'tooled' });
  await post('create_file', { val: 'ada/tooled', path: 'a.ts', content: '{"c"}' });
  await post('create_file', { val: 'ada/none', path: 'a.ts', content: '1' });
  emulator.fail('GET /v1/me/likes', { reset: true, times: 1 });
  await expect(send('GET', '/v1/me/likes')).rejects.toThrow();
  await send('DELETE', `/v1/vals/${id}`);
  const session = emulator.session();
  await emulator.close();
  return session;
}

test.for([
  ['vitest', 'a.test.ts', 'npx vitest run a.test.ts', '1 passed', 'npx vitest run'],
  ['jest', 'b.test.js', 'npx jest --ci b.test.js', '1 passed', 'npx jest'],
  ['node', 'c.test.mjs', 'node --test c.test.mjs', 'pass 1', 'node --test'],
  ['pytest', 'test_d.py', 'npx val-emulator exec -- pytest test_d.py', '1 passed', 'npx val-emulator exec -- pytest'],
] as const)(
  'a test for %s passes unchanged, and fails for another response',
  async ([runner, file, command, passed, run], { skip }) => {
    if (runner === 'pytest' && !hasPytest) skip('there is no pytest');
    if (runner === 'pytest' && !hasPytest) return;
    writeFileSync(join(project, 'bug.ndjson'), await record());
    const written = runIn(`npx val-emulator make-test --session bug.ndjson --runner ${runner} --out ${file}`);
    expect(written).toEqual({ status: 0, output: `Wrote ${file}. Run it: ${run} ${file}\n` });

    const first = runIn(command);
    expect(first.output).toContain(passed);
    expect(first.status).toBe(0);

    const code = readFileSync(join(project, file), 'utf8');
    expect(code).not.toContain('vtwn_');
    expect(code).toContain('renamed');
    writeFileSync(join(project, file), code.replace(/(["']?name["']?: ["'])renamed(["'],\n)/, '$1other$2'));
    const second = runIn(command);
    expect(second.output).toMatch(/renamed/);
    expect(second.status).not.toBe(0);
    rmSync(join(project, file));
  },
);

test('a test whose fixtures are in a separate file passes in each runner', async () => {
  const emulator = await createEmulator({
    port: 0,
    fixtures: {
      users: [{ username: 'ada' }],
      vals: [{ author: 'ada', name: 'long', code: `// ${'é\\"'.repeat(5_000)}` }],
    },
  });
  await fetch(`${emulator.url}/v1/alias/ada/long`);
  mkdirSync(join(project, 'tests'), { recursive: true });
  writeFileSync(join(project, 'long.ndjson'), emulator.session());
  await emulator.close();
  for (const [runner, file, command] of [
    ['vitest', 'long-a.test.ts', 'npx vitest run long-a.test.ts'],
    ['jest', 'long-b.test.js', 'npx jest --ci long-b.test.js'],
    ['node', 'long-c.test.mjs', 'node --test long-c.test.mjs'],
    ...(hasPytest ? [['pytest', 'test_long.py', 'npx val-emulator exec -- pytest test_long.py']] : []),
  ]) {
    const { output } = runIn(
      `npx val-emulator make-test last --session long.ndjson --runner ${runner} --out tests/${file}`,
    );
    expect(output).toContain(`Wrote tests/${file} and tests/`);
    const { status, output: result } = runIn(`cd tests && ${command}`);
    expect(status, result).toBe(0);
  }
  expect(readdirSync(join(project, 'tests')).filter((file) => file.endsWith('.fixture.json'))).toHaveLength(
    hasPytest ? 4 : 3,
  );
});
