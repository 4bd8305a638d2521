import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { emulate } from '../../support/emulate.js';
import { launch, run } from './cli.js';

const ADA = { users: [{ username: 'ada' }] };
const SESSION = '1a2b3c4d 12 {"type":"header"}\n';

/** The commands that write a file by --out, with the start of a file of their kind. */
const COMMANDS: readonly [words: readonly string[], own: string, others: readonly string[]][] = [
  [['generate', '--users', '1', '--vals', '0', '--runs', '0'], '{"users": []}', [SESSION]],
  [['state'], '{ "$schema": "x.json", "vals": [] }', [SESSION]],
  [['record'], SESSION, ['{"users": []}', '{}']],
];
/** What somebody has written, which no command has made. */
const HANDWRITTEN = [
  'notes',
  '{"name": "my-package"}',
  '{"todo": []}',
  '[]',
  '{"$schema": "x.json", "linter": {}}',
  '{"users": 7}',
];

/** Runs a command that writes the file out.json, in a folder that has it. */
async function write(words: readonly string[], text: string, flags: readonly string[] = [], mode = 0o644) {
  const cwd = folderOf({ 'out.json': text });
  const path = join(cwd, 'out.json');
  chmodSync(path, mode);
  const { url } = await emulate(ADA);
  const remote = words[0] === 'generate' ? [] : ['--url', url];
  const line = [...words, ...remote, '--out', 'out.json', ...flags];
  return { cwd, path, line, read: () => readFileSync(path, 'utf8'), mode: () => statSync(path).mode & 0o7777 };
}

describe.each(COMMANDS)('%s', (words, own, others) => {
  test.each([0o600, 0o640, 0o644, 0o666, 0o755])('keeps the mode %o of the file that it replaces', async (mode) => {
    const file = await write(words, own, [], mode);
    expect(await run(file.line, { cwd: file.cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(file.read()).not.toBe(own);
    expect(file.mode()).toBe(mode);
  });

  test.each([0o444, 0o400])('refuses a file of the mode %o, also with --force', async (mode) => {
    const file = await write(words, own, ['--force'], mode);
    expect(await run(file.line, { cwd: file.cwd })).toEqual({
      stdout: '',
      stderr: 'val-emulator: --out: out.json is read-only. Make it writable, or name another file.\n',
      code: 2,
    });
    expect([file.read(), file.mode(), readdirSync(file.cwd)]).toEqual([own, mode, ['out.json']]);
  });

  test.each([...HANDWRITTEN, ...others])('replaces %j by --force only', async (text) => {
    const file = await write(words, text);
    const refused = await run(file.line, { cwd: file.cwd });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^val-emulator: --out: out\.json exists, and has no \w+\. Name another file, or replace it by --force\.\n$/,
    );
    expect([file.read(), readdirSync(file.cwd)]).toEqual([text, ['out.json']]);

    expect(await run([...file.line, '--force'], { cwd: file.cwd })).toMatchObject({ code: 0, stderr: '' });
    expect(file.read()).not.toBe(text);
  });

  test('replaces its own output and an empty file without a question', async () => {
    const file = await write(words, '');
    for (const _ of ['empty', 'its own'])
      expect(await run(file.line, { cwd: file.cwd })).toMatchObject({ code: 0, stderr: '' });
  });

  test('asks on a terminal', async () => {
    const file = await write(words, 'notes');
    for (const [answer, code] of [
      ['n\n', 2],
      ['\n', 2],
      ['y\n', 0],
    ] as const) {
      expect(file.read()).toBe('notes');
      const command = launch(file.line, { cwd: file.cwd, terminal: 80 });
      await command.prints(/out\.json exists, and has no \w+\. It would be replaced\. Continue\? \[y\/N\] $/);
      command.stdin.type(answer);
      expect(await command.end()).toMatchObject({ code });
    }
    expect(file.read()).not.toBe('notes');
  });

  test('removes what a killed process has left of the file, and nothing else', async () => {
    const file = await write(words, own);
    const { pid } = spawnSync(process.execPath, ['--version']);
    const kept = ['.out.json.tmp', `.out.json.${process.ppid}.tmp`, `.other.json.${pid}.tmp`, `out.json.${pid}.tmp`];
    for (const name of [...kept, `.out.json.${pid}.tmp`]) writeFileSync(join(file.cwd, name), '');
    expect(await run(file.line, { cwd: file.cwd })).toMatchObject({ code: 0 });
    expect(readdirSync(file.cwd)).toEqual([...kept, 'out.json'].sort());
  });
});

test('a file of a folder of fixtures is replaced only if it has records', async () => {
  const cwd = folderOf({ 'demo/users.json': '{"mine": true}' });
  const line = ['generate', '--users', '1', '--vals', '0', '--out', 'demo'];
  expect(await run(line, { cwd })).toMatchObject({
    code: 2,
    stderr:
      'val-emulator: --out: demo/users.json exists, and has no records. Name another file, or replace it by --force.\n',
  });
  expect(readdirSync(join(cwd, 'demo'))).toEqual(['users.json']);
  expect(await run([...line, '--force'], { cwd })).toMatchObject({ code: 0 });
  expect(await run(line, { cwd })).toMatchObject({ code: 0 });
});

test('a comment before the first key of fixtures changes nothing', async () => {
  const file = await write(['state'], '// "todo"\n{ /* ours: */ "users": [ // first\n ] }');
  expect(await run(file.line, { cwd: file.cwd })).toMatchObject({ code: 0, stderr: '' });
});

describe('make-test', () => {
  const file = { 'bug.test.ts': '// calls val-emulator\n' };
  const line = ['make-test', 'last', '--out', 'bug.test.ts'];
  const start = async () => {
    const { url } = await emulate(ADA);
    await fetch(`${url}/v1/me`);
    return url;
  };

  test('replaces an existing test by --force only', async () => {
    const cwd = folderOf(file);
    const url = await start();
    const read = () => readFileSync(join(cwd, 'bug.test.ts'), 'utf8');
    expect(await run([...line, '--url', url], { cwd })).toEqual({
      stdout: '',
      stderr: 'val-emulator: --out: bug.test.ts exists. Name another file, or replace it by --force.\n',
      code: 2,
    });
    expect([read(), readdirSync(cwd)]).toEqual(['// calls val-emulator\n', ['bug.test.ts']]);

    const { code, stdout } = await run([...line, '--force', '--url', url], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Wrote bug.test.ts. Run it: npx vitest run bug.test.ts\n' });
    expect(read()).toContain("'/v1/me'");
    expect(await run([...line, '--url', url], { cwd })).toMatchObject({ code: 2 });
  });

  test('asks on a terminal', async () => {
    const cwd = folderOf(file);
    const terminal = launch([...line, '--url', await start()], { cwd, terminal: 80 });
    await terminal.prints(/bug\.test\.ts exists\. It would be replaced\./);
    terminal.stdin.type('n\n');
    expect(await terminal.end()).toMatchObject({ code: 2 });
    expect(readFileSync(join(cwd, 'bug.test.ts'), 'utf8')).toBe('// calls val-emulator\n');
  });

  test.each([
    ['vitest', 'refused.ts', 'refused.test.ts'],
    ['vitest', 'a/test.ts', 'a/test.test.ts'],
    ['vitest', 'a.b/refused', 'a.b/refused.test.js'],
    ['vitest', 'a/refused.spec.mjs', undefined],
    ['jest', 'refused.mjs', 'refused.test.mjs'],
    ['jest', 'a/test.js', undefined],
    ['jest', '__tests__/refused.js', undefined],
    ['node', 'refused.mjs', undefined],
    ['pytest', 'refused.py', undefined],
  ])('%s finds %s, or another name is advised', async (runner, out, renamed) => {
    const cwd = folderOf({ 'a/x': '', 'a.b/x': '', '__tests__/x': '' });
    const { stdout } = await run(['make-test', '--runner', runner, '--out', out, '--url', await start()], { cwd });
    expect(stdout).toMatch(
      renamed
        ? `Wrote ${out}. By default ${runner} does not find a test of this name; rename it ${renamed}.\n`
        : 'Run it: ',
    );
  });
});
