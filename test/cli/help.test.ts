import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from './cli.js';

/** Those that act on a running emulator. */
const REMOTE = [
  ...['reset', 'seed', 'snapshot', 'restore', 'state', 'users', 'add'],
  ...['requests', 'unhandled', 'expect', 'history', 'rewind', 'fail', 'clock'],
];
const LOCAL = ['export', 'import', 'compact', 'generate', 'check', 'schema', 'openapi', 'completion'];
const SERVICE = ['conformance', 'pull', 'proxy'];
const COMMANDS = ['start', 'exec', 'wait', ...REMOTE, 'sandboxes', 'fork', 'cluster', 'record', ...SERVICE, ...LOCAL];

test.each(['--help', '-h'])('%s lists the commands, and the options of the default one', async (flag) => {
  const { stdout, stderr, code } = await run([flag]);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const listed = [...stdout.matchAll(/^ {2}val-emulator (\w+)[^\n]* {2,}\S/gm)].map(([, name]) => name);
  expect(listed.slice(0, COMMANDS.length)).toEqual(COMMANDS);
  for (const option of ['--port', '--rate-limit', '--allowed-host', '--max-sandboxes'])
    expect(stdout).toContain(option);
  expect(stdout).toContain('--no-control');
});

test.each(COMMANDS)('%s -h tells what it takes, with an example', async (command) => {
  const { stdout, stderr, code } = await run([command, '-h']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(new RegExp(`^val-emulator ${command}`));
  expect(stdout).toMatch(new RegExp(`\nExamples:\n +(?:SHELL=zsh )?val-emulator ${command}`));
  expect(stdout).toContain('--json');
  if (REMOTE.includes(command)) for (const option of ['--url', '--sandbox', '--json']) expect(stdout).toContain(option);
});

test('help prints the help of the program or of a command', async () => {
  expect(await run(['help'])).toEqual(await run(['--help']));
  expect(await run(['help', 'seed'])).toEqual(await run(['seed', '--help']));
  expect(await run(['help', 'sed'])).toMatchObject({ stderr: expect.stringMatching(/Did you mean "seed"\?/), code: 2 });
});

test('the help of the program names the documents', async () => {
  const { stdout } = await run(['--help']);
  const [, folder = '', homepage] = /^Docs: node_modules\/val-emulator\/(\S+), (https:\S+)$/m.exec(stdout) ?? [];
  expect(existsSync(new URL(`../../${folder}/command-line.md`, import.meta.url))).toBe(true);
  expect(homepage).toBe(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).homepage);
});

test('the help of exec has no argument that is only taken after --', async () => {
  const { stdout } = await run(['exec', '--help']);
  expect(stdout).toMatch(/^val-emulator exec \[options\] <command> \[arguments\]\n\nRun a command with an emulator\n/);
  expect(stdout).not.toContain('Positionals');
});

test('a command that is as close to two is a question for both', async () => {
  expect((await run(['stat'])).stderr).toBe(
    'val-emulator: Unknown command "stat". Did you mean "start" or "state"?\nSee val-emulator --help.\n',
  );
});
