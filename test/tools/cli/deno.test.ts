import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type DenoRun, makeShellVariables, prepareDeno } from '#tools/cli/deno.js';
import { emulate } from '../../support/emulate.js';

/** Prepares a command for an emulator of its own. */
async function prepare(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { url } = await emulate({ users: [{ username: 'ada' }] });
  const run = await prepareDeno(words, { url, token: 'ada-token', env });
  onTestFinished(() => run[Symbol.dispose]());
  return { run, url, host: new URL(url).host };
}

/** Writes a config file of Deno, and returns its folder. */
function writeConfig(config: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'deno.json'), JSON.stringify(config));
  return folder;
}

const mapOf = ({ words }: DenoRun): string =>
  words.find((word) => word.startsWith('--import-map='))?.replace('--import-map=', '') ?? '';
const readMap = (run: DenoRun): unknown => JSON.parse(readFileSync(mapOf(run), 'utf8'));

test('a command gets the permissions that modules need, before its own words', async () => {
  const { run, host } = await prepare(['npx', 'deno', 'test', '--no-config', 'a_test.ts', '--', '-A']);

  expect(run.words).toEqual([
    ...['npx', 'deno', 'test', `--import-map=${mapOf(run)}`, '--no-lock', '--allow-import', '--allow-env'],
    ...[`--allow-net=${host}`, '--node-modules-dir=none', '--no-config', 'a_test.ts', '--', '-A'],
  ]);
  expect(run.variables).toEqual({ DENO_AUTH_TOKENS: `ada-token@${host}`, valtown: 'ada-token' });
});

test('lists of permissions of the user are kept, and get what is missing', async () => {
  const given = ['--allow-net=example.com', '--allow-env=HOME', '-I', '--lock=own.lock', '--no-config'];
  const { run, host } = await prepare(['deno', 'run', ...given, 'a.ts'], { DENO_AUTH_TOKENS: 'own@example.com' });
  const all = (await prepare(['deno', 'run', '-A', '--no-config', 'a.ts'])).run;

  expect(run.words.slice(3)).toEqual([
    '--node-modules-dir=none',
    `--allow-net=example.com,${host}`,
    '--allow-env=HOME,VAL_EMULATOR_URL,VAL_EMULATOR_TOKEN,VAL_TOWN_API_KEY,valtown,VAL_EMULATOR_PROJECTS,VALTOWN_ENTRYPOINT',
    ...['-I', '--lock=own.lock', '--no-config', 'a.ts'],
  ]);
  expect(run.variables.DENO_AUTH_TOKENS).toBe(`ada-token@${host};own@example.com`);
  expect(all.words.slice(3)).toEqual(['--no-lock', '--node-modules-dir=none', '-A', '--no-config', 'a.ts']);
});

test('the map has the modules of the emulator, and imports of the config file before them', async () => {
  const folder = writeConfig({
    imports: {
      'https://esm.town/v/std/oauth': './test/oauth.ts',
      lib: 'https://esm.town/v/ada/site/lib.ts',
      hono: 'npm:hono@4',
      '@std/assert': 'jsr:@std/assert@1',
    },
    scopes: {
      './lib/': { other: './other.ts' },
      'https://esm.town/v/ada/': { 'https://esm.town/v/grace/q': './q.ts', r: 'https://esm.town/v/grace/r' },
    },
  });
  const at = (path: string) => pathToFileURL(join(folder, path)).href;
  const { run, url } = await prepare(['deno', 'test', '--config', join(folder, 'deno.json')]);

  const map = readMap(run);
  const served = (path: string) => Object(map).imports['https://esm.town/'] + path;
  expect(map).toEqual({
    imports: {
      'https://esm.town/': expect.stringMatching(`^${url}/_emulator/esm/[\\da-f-]{36}/$`),
      'val-emulator/std/test': expect.stringMatching(`^${url}/_emulator/esm/[\\da-f-]{36}/v/std/test\\.ts$`),
      'val-emulator/std/types': expect.stringMatching(`/v/std/types/types\\.d\\.ts$`),
      'https://esm.town/v/std/oauth': at('test/oauth.ts'),
      [served('v/std/oauth')]: at('test/oauth.ts'),
      lib: served('v/ada/site/lib.ts'),
      hono: 'npm:hono@4',
      'hono/': 'npm:/hono@4/',
      '@std/assert': 'jsr:@std/assert@1',
      '@std/assert/': 'jsr:/@std/assert@1/',
    },
    scopes: {
      [at('lib/')]: { other: at('other.ts') },
      [served('v/ada/')]: {
        'https://esm.town/v/grace/q': at('q.ts'),
        [served('v/grace/q')]: at('q.ts'),
        r: served('v/grace/r'),
      },
    },
  });
});

test('a setting for packages is kept', async () => {
  const config = join(writeConfig({ nodeModulesDir: 'manual' }), 'deno.json');
  const byConfig = await prepare(['deno', 'test', '--config', config]);
  const byFlag = await prepare(['deno', 'test', '--no-config', '--node-modules-dir=auto']);

  expect(byConfig.run.words.filter((word) => word.startsWith('--node-modules-dir'))).toEqual([]);
  expect(byFlag.run.words.filter((word) => word.startsWith('--node-modules-dir'))).toEqual(['--node-modules-dir=auto']);
});

test('three lines do the same without exec, and the map is removed at the end', async () => {
  const { run, url, host } = await prepare(['deno', 'test', '--no-config']);
  const map = mapOf(run);

  expect(run.lines.slice(1)).toEqual([
    `val-emulator start --port ${new URL(url).port} --detach`,
    `curl -s ${url}/_emulator/esm/import-map.json > import-map.json`,
    [
      ...[
        `VAL_EMULATOR_URL=${url}`,
        'VAL_EMULATOR_TOKEN=ada-token',
        `DENO_AUTH_TOKENS='ada-token@${host}'`,
        'deno test',
      ],
      ...["'--import-map=import-map.json'", '--no-lock', '--allow-import', '--allow-env', `'--allow-net=${host}'`],
      ...["'--node-modules-dir=none'", '--no-config'],
    ].join(' '),
  ]);
  run[Symbol.dispose]();
  expect(() => readFileSync(map)).toThrow('ENOENT');
});

test('check and eval get the flags that they have', async () => {
  const check = await prepare(['deno', 'check', '--no-config', 'a.ts']);
  const evaluate = await prepare(['deno', 'eval', '--no-config', '1']);

  expect(check.run.words.slice(3)).toEqual([
    ...['--no-lock', '--allow-import', '--node-modules-dir=none', '--no-config', 'a.ts'],
  ]);
  expect(evaluate.run.words.slice(3)).toEqual(['--no-lock', '--node-modules-dir=none', '--no-config', '1']);
});

test('in a task, each command of Deno gets the flags', async () => {
  const folder = writeConfig({
    tasks: {
      test: 'deno fmt --check && deno test --allow-net=example.com',
      dev: { description: 'Serves', command: 'deno run -A main.ts | cat; echo deno', dependencies: ['test'] },
      group: { dependencies: ['test'] },
    },
  });
  const config = join(folder, 'deno.json');

  const { run, host } = await prepare(['deno', 'task', '--config', config, 'test', 'a']);
  const [, , written = '', ...rest] = run.words;
  const { tasks } = JSON.parse(readFileSync(written.replace('--config=', ''), 'utf8'));
  const map = join(written.replace('--config=', ''), '../import-map.json');
  const start = `--import-map=${map} --no-lock`;

  expect(rest).toEqual([`--cwd=${folder}`, 'test', 'a']);
  expect(readMap({ ...run, words: [`--import-map=${map}`] })).toMatchObject({ imports: {} });
  expect(tasks).toEqual({
    test: expect.stringMatching(/^deno fmt --check && deno test /),
    dev: {
      description: 'Serves',
      command: `deno run '${start.split(' ')[0]}' --no-lock '--node-modules-dir=none' -A main.ts | cat; echo deno`,
      dependencies: ['test'],
    },
    group: { dependencies: ['test'] },
  });
  expect(tasks.test).toContain(` --allow-net=example.com,${host}`);
  expect(run.lines).toEqual([]);
});

test('the variables of a shell have the flags, whose map stays', async () => {
  const { url } = await emulate({ users: [{ username: 'ada' }] });

  const variables = await makeShellVariables({ url, token: 'ada-token', env: {} });

  const [map = '', ...flags] = (variables.VAL_EMULATOR_DENO ?? '').split(' ');
  onTestFinished(() => rmSync(join(map.replace('--import-map=', ''), '..'), { recursive: true }));
  expect(variables).toMatchObject({ valtown: 'ada-token', DENO_AUTH_TOKENS: `ada-token@${new URL(url).host}` });
  expect(flags).toEqual([
    ...['--no-lock', '--allow-import', '--allow-env', `--allow-net=${new URL(url).host}`, '--node-modules-dir=none'],
  ]);
  expect(Object.keys(JSON.parse(readFileSync(map.replace('--import-map=', ''), 'utf8')).imports)).toContain(
    'https://esm.town/',
  );
});

test.each([
  [
    ['npm', 'test'],
    '--deno: found "npm"; expected deno with one of the commands test, run, bench, serve, check, eval, task',
  ],
  [['deno', 'fmt'], '--deno: found "deno fmt"; expected deno with one of the commands'],
  [
    ['deno', 'test', '--import-map=a.json'],
    '--deno: found --import-map, which exec sets; move its entries to "imports"',
  ],
  [['deno', 'task', 'test', '--config=/none/deno.json'], '--deno: /none/deno.json: '],
  [['deno', 'test', '--config=/none/deno.json'], '--deno: /none/deno.json: '],
])('%j is an error', async (words, message) => {
  await expect(prepare(words)).rejects.toThrow(message);
});
