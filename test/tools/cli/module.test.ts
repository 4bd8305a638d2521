import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { refusal, run, serve, serveProcess, spawnCli } from './cli.js';

const seedOf = (username: string) => `export default () => ({ users: [{ username: '${username}' }] });\n`;

test('--fixtures-module runs a module, which --watch runs again when it is saved', async () => {
  const cwd = folderOf({ 'seed.mjs': seedOf('ada') });
  const { command, url } = await serveProcess(['--fixtures-module', './seed.mjs', '--watch'], { cwd });
  expect(command.stdout).toContain('ada-token');

  writeFileSync(join(cwd, 'seed.mjs'), 'export default { users: [{}] };');
  await command.printsError(/ {2}seed\.mjs users\[0\]\.username: missing; .*\nKeeping the previously loaded data\.\n/);
  writeFileSync(join(cwd, 'seed.mjs'), 'export default { users: [ };');
  await command.printsError(/ {2}seed\.mjs: threw SyntaxError: .*\nKeeping the previously loaded data\.\n/);
  writeFileSync(join(cwd, 'seed.mjs'), seedOf('grace'));
  await command.prints(/Reloaded \.?\/?seed\.mjs: 1 user\./);
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer grace-token' } });
  expect(await response.json()).toMatchObject({ username: 'grace' });
});

test('an unchanged module is loaded by exec, a variable and the config file', async () => {
  const cwd = folderOf({
    'data/seed.mjs': seedOf('ada'),
    'val-emulator.config.json': { fixturesModule: './data/seed.mjs' },
  });
  mkdirSync(join(cwd, 'inner'));
  const started = await serve(['--json'], { cwd: join(cwd, 'inner') });
  expect(JSON.parse(started.command.stdout).users).toMatchObject([{ username: 'ada' }]);
  // A flag replaces the module of the file.
  const other = await serve(['--json', '--generate', 'users=2'], { cwd });
  expect(JSON.parse(other.command.stdout).users).toHaveLength(2);
  const script = 'process.stdout.write(process.env.VAL_EMULATOR_TOKEN)';
  for (const [flags, env] of [
    [['--fixtures-module', 'data/seed.mjs', '--no-config'], {}],
    [['--no-config'], { VAL_EMULATOR_FIXTURES_MODULE: 'data/seed.mjs' }],
  ] as const) {
    const { stdout } = await spawnCli(['exec', ...flags, '--', process.execPath, '-e', script], { cwd, env }).end();
    expect(stdout).toBe('ada-token');
  }
});

test('other commands and flags refuse a module, and run nothing of it', async () => {
  const cwd = folderOf({ 'seed.mjs': 'process.exit(9);' });
  const reason = 'seed.mjs: a module is code, which --fixtures-module runs (option fixturesModule); expected JSON.';
  expect(await run(['start', '--fixtures', 'seed.mjs'], { cwd })).toEqual(
    refusal(`1 problem in the fixtures:\n  ${reason}`),
  );
  expect(await run(['check', 'seed.mjs'], { cwd })).toMatchObject({
    stdout: `${reason}\nseed.mjs: 1 problem.\n`,
    code: 1,
  });
  expect(await run(['seed', 'seed.mjs', '--url', 'http://127.0.0.1:9'], { cwd })).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining(reason),
    code: 2,
  });
  const advice = 'Unknown argument: seed.mjs. Did you mean --fixtures-module seed.mjs?';
  expect((await run(['start', 'seed.mjs'], { cwd })).stderr).toContain(advice);
  expect((await run(['seed.mjs'], { cwd })).stderr).toContain(advice);
});

test('a module of TypeScript is run where Node.js strips types, and is refused elsewhere', async () => {
  const text = "const users: { username: string }[] = [{ username: 'ada' }];\nexport default { users };\n";
  const cwd = folderOf({ 'seed.ts': text, 'package.json': { type: 'module' } });
  const command = spawnCli(['start', '--port', '0', '--fixtures-module', 'seed.ts'], { cwd });
  if (Reflect.get(process.features, 'typescript')) {
    await command.prints(/ada-token/);
  } else {
    expect(await command.end()).toEqual(
      refusal(
        `1 problem in the fixtures:\n  seed.ts: Node.js ${process.versions.node} does not run TypeScript: use 22.18 or later, or a module in JavaScript.`,
      ),
    );
  }
});
