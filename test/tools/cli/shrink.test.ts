import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { launch, refusal, run } from './cli.js';

/** Records a session in which ada has added these vals, and returns its folder. */
async function record(names: readonly string[]): Promise<string> {
  await using emulator = await createEmulator({ fixtures: { users: [{ username: 'ada' }] }, listen: false });
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  for (const name of names) {
    await emulator.fetch('/v1/vals', { method: 'POST', headers, body: JSON.stringify({ name, code: '1' }) });
  }
  const folder = folderOf({});
  writeFileSync(join(folder, 'bug.ndjson'), emulator.session());
  return folder;
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** A command that has the names of the vals, and counts its tries in a file. */
const script = (body: string) => [
  process.execPath,
  '-e',
  `(async () => {
    require('fs').appendFileSync('tries', '.');
    const response = await fetch(process.env.VAL_EMULATOR_URL + '/_emulator/state');
    const names = (await response.json()).vals.map(({ name }) => name);
    ${body}
  })()`,
];
const failsWithTwo = script(
  "if (names.includes('b') && names.includes('g')) throw new Error('both of ' + names.length)",
);

/** Returns the names of the vals that a session begins without and ends with. */
async function readNames(session: string): Promise<string[]> {
  await using emulator = await createEmulator({ session, listen: false });
  return emulator.state().vals.map(({ name }) => name);
}

test('writes the smallest session in which a command fails as it did', async () => {
  const cwd = await record(NAMES);
  const { stdout, code } = await run(['shrink', 'bug.ndjson', '--', ...failsWithTwo], { cwd });

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Kept 2 of 8 requests, 4 of 4 parts of their bodies and 1 of 1 records, after \d+ tries in \d+\.\d s:\n {2}r2 POST \/v1\/vals\n {2}r7 POST \/v1\/vals\nThe command still fails: exit code 1, "Error: both of 8"\.\nWrote bug\.min\.ndjson\. Open it: val-emulator start --session bug\.min\.ndjson\n$/,
  );
  expect(await readNames(join(cwd, 'bug.min.ndjson'))).toEqual(['b', 'g']);
});

test('prints the result as JSON, with several jobs, to another file', async () => {
  const cwd = await record(NAMES);
  const flags = ['--out', 'small.ndjson', '--jobs', '3', '--json', '--match', 'both'];
  const { stdout, code } = await run(['shrink', 'bug.ndjson', ...flags, '--', ...failsWithTwo], { cwd });

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    out: 'small.ndjson',
    requests: { left: 2, of: 8 },
    parts: { left: 4, of: 4 },
    records: { left: 1, of: 1 },
    tries: readFileSync(join(cwd, 'tries'), 'utf8').length,
    seconds: expect.any(Number),
    failure: 'exit code 1, with "both"',
  });
  expect(await readNames(join(cwd, 'small.ndjson'))).toEqual(['b', 'g']);
});

test('says on a terminal how far it is', async () => {
  const cwd = await record(NAMES);
  const slow = script("setTimeout(() => process.exit(names.includes('g') ? 1 : 0), 100)");
  const { stderr } = await run(['shrink', 'bug.ndjson', '--', ...slow], { cwd, terminal: 80 });

  expect(stderr).toMatch(/val-emulator: shrinking \d of 8 requests after \d+ tries in \d+\.\d s/);
});

test('keeps the best session at Ctrl-C, and ends the command', async () => {
  const cwd = await record(NAMES);
  // It hangs once few vals are left.
  const hangs = script(
    "if (names.length === 2) setInterval(() => {}, 1000); else process.exit(names.includes('g') ? 1 : 0)",
  );
  const command = launch(['shrink', 'bug.ndjson', '--', ...hangs], { cwd, terminal: 80 });
  await command.printsError(/shrinking [3-7] of 8/);
  const { code, stderr, stdout } = await command.kill('SIGINT');

  expect({ code, stdout, raised: command.raised }).toEqual({ code: 130, stdout: '', raised: ['SIGINT'] });
  const [, left] = /val-emulator: Stopped with (\d) of 8 requests, in bug\.min\.ndjson\.\n$/.exec(stderr) ?? [];
  const names = await readNames(join(cwd, 'bug.min.ndjson'));
  expect(names).toContain('g');
  expect(String(names.length)).toBe(left);
  expect(names.length).toBeLessThan(8);
});

test('ends a try that takes too long, which is another failure', async () => {
  const cwd = await record(['a', 'b']);
  const hangs = script("if (names.length < 2) setInterval(() => {}, 1000); else throw new Error('all')");
  const { stdout } = await run(['shrink', 'bug.ndjson', '--timeout', '8s', '--', ...hangs], { cwd });

  expect(stdout).toContain('Kept 2 of 2 requests');
});

test('reads the first and the last 8 MB of an output', async () => {
  const cwd = await record(['a', 'b']);
  const prints = script(`
    if (!names.includes('a')) return;
    const { writeSync } = require('fs');
    const write = (megabytes) => writeSync(1, 'x'.repeat(megabytes * 1_048_576));
    for (const text of ['at the begin', 'in the middle', 'at the end']) {
      if (text !== 'at the begin') for (let i = 0; i < 10; i++) write(1);
      writeSync(1, '\\n' + text);
    }
    process.exitCode = 1;
  `);
  const shrink = (text: string) => run(['shrink', 'bug.ndjson', '--match', text, '--', ...prints], { cwd });

  for (const text of ['at the begin', 'at the end']) {
    const { stdout } = await shrink(text);
    expect(stdout).toContain('Kept 1 of 2 requests');
    expect(stdout).toContain(`The command still fails: exit code 1, with "${text}".`);
  }
  expect((await shrink('in the middle')).stderr).toContain('Check --match.');
});

test('does not wait for programs that the command leaves behind', async () => {
  const cwd = await record(['a']);
  const leaves = script(`
    const options = { detached: true, stdio: ['ignore', 'inherit', 'inherit'] };
    require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 12000)'], options).unref();
    process.stdout.write(String(process.pid));
    if (names.length > 0) throw new Error('one');
  `);
  const start = performance.now();
  const { stdout } = await run(['shrink', 'bug.ndjson', '--', ...leaves], { cwd });

  expect(stdout).toContain('Kept 1 of 1 requests');
  expect(performance.now() - start).toBeLessThan(25_000);
});

describe('ends at once', () => {
  test.each([
    [
      'a command that passes',
      '',
      1,
      /^val-emulator: The command does not fail after the whole session \(8 requests\): exit code 0\./,
    ],
    [
      'one that always fails',
      'process.exit(3)',
      3,
      /^val-emulator: The command fails the same without any request: exit code 3\./,
    ],
    [
      'one that fails differently each time',
      "throw new Error(require('fs').readFileSync('tries', 'utf8').length > 1 ? 'second' : 'first')",
      2,
      /^val-emulator: The command ends differently each time, .*: exit code 1, "Error: first"; then exit code 1, "Error: second"\./,
    ],
  ])('after %s', async (_, body, tries, message) => {
    const cwd = await record(NAMES);

    expect(await run(['shrink', 'bug.ndjson', '--', ...script(body)], { cwd })).toEqual(refusal(message, 1));
    expect(readFileSync(join(cwd, 'tries'), 'utf8')).toHaveLength(tries);
    expect(existsSync(join(cwd, 'bug.min.ndjson'))).toBe(false);
  });

  test.each([
    [['bug.ndjson'], 2, /^val-emulator: Missing command\. Usage: val-emulator shrink bug\.ndjson -- npm test\n$/],
    [['bug.ndjson', '--', 'no-such-program'], 127, /^val-emulator: Cannot run "no-such-program"/],
    [['bug.ndjson', '--jobs', '0', 'true'], 2, /^val-emulator: --jobs: found "0"; expected a number from 1 to 64\.\n$/],
    [['bug.ndjson', '--out', 'none/x', 'true'], 2, /^val-emulator: --out: cannot write none\/x/],
    [
      ['bug.ndjson', '-o', './bug.ndjson', 'true'],
      2,
      /^val-emulator: --out: found "\.\/bug\.ndjson"; expected another file than the session\.\n$/,
    ],
    [['bug.ndjson', '--timeout', '0', 'true'], 1, /^val-emulator: The command does not fail after the whole session/],
    [['missing.ndjson', 'true'], 2, /^val-emulator: missing\.ndjson cannot be read: ENOENT/],
    [
      ['tries', 'true'],
      2,
      /^val-emulator: tries is not a session: val-emulator record did not write its first line\.\n$/,
    ],
  ])('%j', async (words, code, message) => {
    const cwd = await record(['a']);
    writeFileSync(join(cwd, 'tries'), '');

    expect(await run(['shrink', ...words], { cwd })).toEqual(refusal(message, code));
  });
});
