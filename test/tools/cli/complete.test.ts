import { execFileSync, spawnSync } from 'node:child_process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { VALUES } from '#tools/cli/complete.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { emulate } from '../../support/emulate.js';
import { loadCommands, run } from './cli.js';

/** Lists the words that may follow. */
async function complete(line: readonly string[], options: Parameters<typeof run>[1] = {}): Promise<string[]> {
  const { stdout, stderr, code } = await run(['--get-yargs-completions', 'val-emulator', ...line], options);
  expect({ line, stderr, code }).toEqual({ line, stderr: '', code: 0 });
  return stdout.split('\n').slice(0, -1);
}
/** Where nobody listens. */
const NOWHERE = { VAL_EMULATOR_URL: 'http://127.0.0.1:9' };

test('no completion of any command, flag or argument is $0', async () => {
  const cwd = folderOf({});
  for (const { name, args = {}, variables = {}, flags = {} } of await loadCommands()) {
    const lines = [[''], ...Object.keys({ ...variables, ...flags }).map((flag) => [`--${flag}`, ''])];
    const more = Object.keys(args).map((_, i) => [...Array(i).fill('x'), '']);
    for (const line of [...lines, ...more]) {
      const found = await complete([...name.split(' '), ...line], { cwd, env: NOWHERE });
      expect(found, `${name} ${line.join(' ')}`).not.toContain('$0');
    }
  }
});

test('files are offered where a file is meant, with datasets for fixtures', async () => {
  const cwd = folderOf({ 'demo.json': '{}', 'own/users.json': '[]', '.hidden': '' });
  const files = ['demo.json', 'own/'];
  const datasets = ['busy', 'default', 'edge-cases', 'empty', 'failures', 'popular'];
  for (const line of [
    ['start', '--fixtures', ''],
    ['seed', ''],
    ['check', ''],
    ['check', 'demo.json', ''],
  ])
    expect(await complete(line, { cwd, env: NOWHERE })).toEqual([...datasets, ...files]);
  for (const line of [
    ['start', '--session', ''],
    ['record', '--out', ''],
    ['record', '-o', ''],
    ['add', 'val', ''],
    ['edit', 'val', 'ada/hello', ''],
    ['shrink', ''],
  ])
    expect(await complete(line, { cwd, env: NOWHERE })).toEqual(files);
  expect(await complete(['start', '--fixtures', 'own/u'], { cwd, env: NOWHERE })).toEqual(['own/users.json']);
  expect(await complete(['start', '--fixtures', 'missing/'], { cwd, env: NOWHERE })).toEqual([]);
});

test('the emulator names kinds, snapshots, sandboxes, requests, commits and routes', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  emulator.snapshot('before');
  emulator.sandbox('checkout');
  await emulator.fetch('/v1/me');
  emulator.add.user({ username: 'eve' });
  const env = { VAL_EMULATOR_URL: emulator.url };

  // The first request of a route compiles its schemas, which may take longer than a completion waits.
  const soon = (...line: string[]) => expect.poll(() => complete(line, { env }), { timeout: 10_000 });
  await soon('add', '').toEqual(expect.arrayContaining(['user', 'val', 'project']));
  await soon('snapshot', 'restore', 'b').toEqual(['before']);
  await soon('snapshot', 'drop', '').toEqual(['before']);
  await soon('requests', '--sandbox', '').toEqual(['checkout']);
  for (const command of ['requests', 'explain', 'make-test']) await soon(command, '').toContain('r1');
  for (const command of ['rewind', 'history']) await soon(command, '').toEqual(['w1']);
  await soon('fail', 'P').toEqual(['POST', 'PUT', 'PATCH']);
  await soon('fail', 'POST', '/v1/v').toEqual(expect.arrayContaining(['/v1/vals']));
  await soon('expect', 'GET', '/v1/m').toContain('/v1/me');
  expect(await complete(['explain', '--url', emulator.url, ''], { env: NOWHERE })).toContain('r1');
  expect(await complete(['explain', ''], { env: NOWHERE })).toEqual([]);
  for (const flags of [
    ['--sandbox', 'checkout'],
    ['--sandbox=checkout'],
    ['--url', `${emulator.url}/_sandbox/checkout`],
  ])
    expect(await complete(['explain', ...flags, ''], { env })).toEqual([]);
  await emulator.sandbox('checkout').fetch('/v1/me');
  expect(await complete(['explain', '--sandbox', 'checkout', ''], { env })).toEqual(['r1']);
});

test('an emulator that does not respond delays a completion by less than a second', async () => {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  expect(await complete(['snapshot', 'restore', ''], { env: { VAL_EMULATOR_URL: url } })).toEqual([]);
  server.close();
});

test('each name that has values is one of a flag or an argument', async () => {
  const commands = await loadCommands();
  const known = commands.flatMap(({ name, args = {}, variables = {}, flags = {} }) =>
    Object.keys({ ...args, ...variables, ...flags }).flatMap((slot) => [slot, `${name} ${slot}`]),
  );
  expect(Object.keys(VALUES).filter((name) => !known.includes(name))).toEqual([]);
});

/** Prints the script of a shell. */
async function printScript(shell: string): Promise<string> {
  vi.stubEnv('SHELL', `/bin/${shell}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return (await run(['print', 'completion'])).stdout;
}

test.skipIf(process.platform === 'win32')(
  'the script of bash offers the words, and puts no space behind a folder',
  async () => {
    const script = await printScript('bash');
    const type = (words: string, found: string) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${script}
val-emulator() { printf '%s\\n' "$*" >&2; printf '%s\\n' ${found}; }
compopt() { echo "compopt $*"; }
COMP_WORDS=(val-emulator ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_val-emulator_yargs_completions 2>/dev/null || _val_emulator_yargs_completions
printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
    expect(type("start --fixtures ''", 'busy demo.json own/')).toBe('busy\ndemo.json\nown/\n');
    expect(type('start --fixtures o', 'own/')).toBe('compopt -o nospace\nown/\n');
  },
);

test.skipIf(spawnSync('zsh', ['--version']).status !== 0)(
  'the script of zsh sends the words up to the cursor, and puts no space behind a folder',
  async () => {
    const script = await printScript('zsh');
    const type = (words: string, current: number, found: string) =>
      execFileSync(
        'zsh',
        [
          '-fc',
          `compdef() { :; }
${script}
val-emulator() { print -r -- "$#:$@" >&2; print -rl -- ${found}; }
compadd() { print -rl -- "compadd $*"; }
_describe() { print -rl -- describe "\${(@P)2}"; }
_default() { print default; }
words=(val-emulator ${words}); CURRENT=${current}
_val-emulator_yargs_completions 2>&1`,
        ],
        { encoding: 'utf8' },
      );
    expect(type("start --fixtures ''", 4, 'busy own/ a\\ b/ c\\\\:d/')).toBe(
      '5:--get-yargs-completions val-emulator start --fixtures \ncompadd -S  -- own/ a b/ c:d/\ndescribe\nbusy\n',
    );
    expect(type('start --url later', 3, '--url:URL --unref')).toBe(
      '4:--get-yargs-completions val-emulator start --url\ndescribe\n--url:URL\n--unref\n',
    );
    expect(type('nothing', 2, '')).toBe('3:--get-yargs-completions val-emulator nothing\ndefault\n');
  },
);

test('the name of a value is escaped for zsh, where a description follows a colon', async () => {
  const cwd = folderOf({ 'c:d.json': '{}' });
  const complete = async (SHELL: string) =>
    (await run(['--get-yargs-completions', 'val-emulator', 'check', 'c'], { cwd, env: { ...NOWHERE, SHELL } })).stdout;
  expect(await complete('/bin/zsh')).toBe('c\\:d.json\n');
  expect(await complete('/bin/bash')).toBe('c:d.json\n');
});

test('the script of fish sends the program, the words before the cursor and the incomplete one', async () => {
  expect(await printScript('fish')).toContain(
    "-a '(val-emulator --get-yargs-completions (commandline -opc) (commandline -ct | string collect --allow-empty))'",
  );
});
