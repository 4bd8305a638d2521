import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { run, serve } from './cli.js';

const NAME = 'val-emulator.config.json';

/** A folder with a config file and a folder in it. */
function project(config: unknown, files: Readonly<Record<string, unknown>> = {}) {
  const root = folderOf({ [NAME]: config, ...files });
  const inner = join(root, 'packages/app');
  mkdirSync(inner, { recursive: true });
  return { root, inner };
}

/** Starts in a folder, with what the config file does not set. */
const start = async (cwd: string, args: readonly string[] = [], env = {}) => {
  const { command, url } = await serve(['--json', ...args], { cwd, env });
  const { users } = JSON.parse(command.stdout);
  return { url, users: users.map(({ username }: { username: string }) => username) };
};

const status = async (url: string) => (await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer x' } })).status;

test('start takes options from the config file in a parent folder, with paths from there', async () => {
  const { inner } = project(
    { $schema: 'x', fixtures: './data/demo.json', auth: 'lenient', specOnly: true, allowedHost: ['.test'] },
    { 'data/demo.json': { users: [{ username: 'linus' }] } },
  );
  const { url, users } = await start(inner);
  expect(users).toEqual(['linus']);
  expect(await status(url)).toBe(200);
});

test('a flag takes precedence over a variable, and that over the config file', async () => {
  const { root } = project({ fixtures: 'empty', auth: 'lenient' });
  expect(await status((await start(root)).url)).toBe(200);
  expect(await status((await start(root, [], { VAL_EMULATOR_AUTH: 'strict' })).url)).toBe(401);
  expect(await status((await start(root, ['--auth', 'lenient'], { VAL_EMULATOR_AUTH: 'strict' })).url)).toBe(200);
});

test('--generate replaces the fixtures of the config file, and sizes may be an object', async () => {
  const { root } = project('{ "fixtures": "nowhere", /* with a comment */ }');
  expect((await start(root, ['--generate', 'users=2,vals=2,runs=2'])).users).toHaveLength(2);
  expect((await start(project({ generate: { users: 3, vals: 3, runs: 3 } }).root)).users).toHaveLength(3);
});

test('generated data of the config file have a company, and people from a file beside it', async () => {
  for (const generate of [
    { users: 2, people: 'data/p.json', company: 'Acme' },
    'users=2,people=data/p.json,company=Acme',
  ]) {
    const { inner } = project({ generate }, { 'data/p.json': ['lin'] });
    expect((await start(inner)).users).toEqual(['lin', expect.any(String)]);
  }
});

test('the key val-emulator of the nearest package.json is read as the config file is, which comes first beside it', async () => {
  const settings = { fixtures: './data/demo.json', auth: 'lenient' };
  const users = (username: string) => ({ users: [{ username }] });
  const root = folderOf({
    'package.json': { name: 'a', devDependencies: { 'val-emulator': '*' }, 'val-emulator': settings },
    'data/demo.json': users('linus'),
    'both/package.json': { 'val-emulator': { fixtures: 'nowhere' } },
    'both/val-emulator.config.json': { fixtures: 'demo.json' },
    'both/demo.json': users('grace'),
    'packages/app/package.json': { devDependencies: { 'val-emulator': '*' } },
    'packages/broken/package.json': '{ "name": ',
  });
  for (const folder of ['.', 'packages/app', 'packages/broken']) {
    const { url, users: found } = await start(join(root, folder));
    expect(found).toEqual(['linus']);
    expect(await status(url)).toBe(200);
  }
  expect((await start(join(root, 'both'))).users).toEqual(['grace']);
  expect((await start(join(root, 'both'), ['--config', '../package.json'])).users).toEqual(['linus']);
  const { command } = await serve([], { cwd: join(root, 'packages/app') });
  expect(command.stdout).toContain('\nOptions from ../../package.json\n');
});

test.each<[manifest: unknown, args: string[], message: string]>([
  [{ 'val-emulator': { prot: 1 } }, [], 'package.json val-emulator.prot: unknown key. Did you mean "port"?'],
  [{ 'val-emulator': [] }, [], 'package.json val-emulator: found []; expected an object.'],
  [{}, ['--config', 'package.json'], 'package.json val-emulator: found undefined; expected an object.'],
  [
    { 'val-emulator': { maxSandboxes: -1 } },
    [],
    '--max-sandboxes (or maxSandboxes in package.json): found -1; expected at least 0.',
  ],
  [
    '{ "val-emulator": { "port": } }',
    [],
    'package.json line 1, column 29: not valid JSON: found "}"; expected a value.',
  ],
])('%j in package.json is a message with its path', async (manifest, args, message) => {
  expect(await run(args, { cwd: folderOf({ 'package.json': manifest }) })).toEqual({
    stdout: '',
    stderr: `val-emulator: ${message}\n`,
    code: 2,
  });
});

test('--config names another file, and --no-config reads none', async () => {
  const { root } = project('{', { 'other.json': { fixtures: 'empty', auth: 'lenient' } });
  expect(await status((await start(root, ['--config', 'other.json'])).url)).toBe(200);
  expect(await status((await start(root, ['--no-config', '--fixtures', 'empty'])).url)).toBe(401);
  expect(await run(['--config', 'no.json'], { cwd: root })).toEqual({
    stdout: '',
    stderr: expect.stringMatching(/^val-emulator: no\.json: could not be read \(ENOENT/),
    code: 2,
  });
});

test('the banner names the config file', async () => {
  const { inner } = project({ fixtures: 'empty' });
  const { command } = await serve([], { cwd: inner });
  expect(command.stdout).toContain(`\nOptions from ../../${NAME}\n`);
});

test('exec takes the options of the config file, without the port', async () => {
  const { root } = project({ port: 1, fixtures: 'empty', auth: 'lenient', watch: true });
  const script =
    "fetch(process.env.VAL_EMULATOR_URL + '/v1/me', { headers: { authorization: 'Bearer x' } }).then(r => process.exit(r.status - 193))";
  expect(await run(['exec', process.execPath, '-e', script], { cwd: root })).toMatchObject({ stderr: '', code: 7 });
});

test('other commands do not read the config file', async () => {
  const { root } = project('{');
  expect(await run(['check', 'empty'], { cwd: root })).toMatchObject({ code: 0 });
});

test.each<[config: unknown, message: string]>([
  [{ prot: 1 }, 'prot: unknown key. Did you mean "port"?'],
  [{ port: '4010' }, 'port: found "4010"; expected a whole number.'],
  [{ auth: 'none' }, 'auth: found "none"; expected "strict" or "lenient".'],
  [{ allowedHost: 'x' }, 'allowedHost: found "x"; expected an array of strings.'],
  [
    { generate: { user: 5 } },
    'generate: found {"user":5}; expected sizes such as { "users": 50, "seed": 42 } or "users=50,seed=42".',
  ],
])('%j in the config file is refused with the file and the key', async (config, message) => {
  expect(await run([], { cwd: project(config).inner })).toEqual({
    stdout: '',
    stderr: `val-emulator: ../../${NAME} ${message}\n`,
    code: 2,
  });
});

test('all errors of the config file are reported, and values that only the emulator can check', async () => {
  const { stderr } = await run(['--json'], { cwd: project({ prot: 1, watch: 'yes' }).root });
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'usage',
    problems: [{ path: `${NAME} prot` }, { path: `${NAME} watch` }],
  });
  expect((await run([], { cwd: project({ port: 70_000 }).root })).stderr).toBe(
    `val-emulator: --port (or port in ${NAME}): found 70000; expected a port from 0 to 65535.\n`,
  );
  expect((await run([], { cwd: project('{\n  "port": }').root })).stderr).toBe(
    `val-emulator: ${NAME} line 2, column 11: not valid JSON: found "}"; expected a value.\n`,
  );
});
