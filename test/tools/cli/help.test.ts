import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadCommands, run } from './cli.js';

const COMMANDS = await loadCommands();

describe('the help of the program', () => {
  test.each(['--help', '-h'])('%s lists the commands in five groups, without the flags of start', async (flag) => {
    const { stdout, stderr, code } = await run([flag]);

    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout.match(/^\w+$/gm)).toEqual(['Run', 'Prepare', 'Look', 'Share', 'Compare']);
    const listed = [...stdout.matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(([, usage]) => usage);
    expect(listed).toEqual(COMMANDS.map(({ usage }) => usage));
    expect(stdout).not.toContain('--port');
    const lines = stdout.split('\n').filter((line) => !line.startsWith('Docs: '));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(81);
  });

  test('names the documents', async () => {
    const { stdout } = await run(['--help']);
    const [, folder = '', homepage] = /^Docs: node_modules\/val-emulator\/(\S+), (https:\S+)$/m.exec(stdout) ?? [];
    expect(existsSync(new URL(`../../../${folder}/command-line.md`, import.meta.url))).toBe(true);
    expect(homepage).toBe(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).homepage);
  });

  test.each([40, 50, 79])('fits a terminal of %i columns, but for what has no space', async (terminal) => {
    for (const args of [['--help'], ['snapshot', '--help']]) {
      const { stdout } = await run(args, { terminal });
      const lines = stripVTControlCharacters(stdout).split('\n');
      expect(lines.filter((line) => line.length > terminal && !/^ *\S+$/.test(line))).toEqual([]);
      for (const { usage } of COMMANDS.filter(({ name }) => args.length === 1 || name.startsWith('snapshot'))) {
        expect(lines.filter((line) => line.trimEnd() === `  ${usage}` || line.startsWith(`  ${usage} `))).toHaveLength(
          1,
        );
      }
    }
  });

  test('lists the commands of a group', async () => {
    const { stdout, code } = await run(['snapshot', '--help']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^val-emulator snapshot <command>\n/);
    expect(stdout.match(/^ {2}snapshot \w+/gm)).toEqual([
      '  snapshot save',
      '  snapshot restore',
      '  snapshot list',
      '  snapshot drop',
    ]);
  });
});

describe('the help of a command', () => {
  test.each(COMMANDS.map(({ name, variables = {} }) => [name, variables] as const))(
    '%s -h describes what it takes, with an example',
    async (name, variables) => {
      const { stdout, stderr, code } = await run([...name.split(' '), '-h']);
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(stdout).toMatch(new RegExp(`^val-emulator ${name}`));
      expect(stdout).toMatch(new RegExp(`\nExamples:\n  # .+\n  (?:SHELL=zsh )?val-emulator ${name}`));
      expect(stdout).toContain('--json');
      for (const flag of Object.keys(variables)) expect(stdout).toContain(`--${flag}`);
    },
  );

  test.each([20, 100])('has each example on a line of its own at %s columns', async (terminal) => {
    for (const { name, examples } of COMMANDS) {
      const lines = (await run([...name.split(' '), '--help'], { terminal })).stdout.split('\n');
      for (const [line, effect] of Object.entries(examples)) {
        const index = lines.indexOf(`  ${line.replaceAll('$0', `val-emulator ${name}`)}`);
        expect(index, `${name}: ${line}`).toBeGreaterThan(0);
        const comment = lines
          .slice(0, index)
          .slice(lines.slice(0, index).findLastIndex((each) => !/^ {2}# /.test(each)) + 1);
        expect(comment.map((each) => each.slice('  # '.length)).join(' ')).toBe(effect);
      }
    }
  });

  test('is also printed by help and the name', async () => {
    expect(await run(['help'])).toEqual(await run(['--help']));
    expect(await run(['help', 'seed'])).toEqual(await run(['seed', '--help']));
    expect(await run(['help', 'snapshot', 'save'])).toEqual(await run(['snapshot', 'save', '--help']));
    expect(await run(['help', 'sed'])).toMatchObject({
      stderr: expect.stringMatching(/Did you mean "seed"\?/),
      code: 2,
    });
  });

  test('lacks the argument of exec that is accepted only after --', async () => {
    const { stdout } = await run(['exec', '--help']);
    expect(stdout).toMatch(
      /^val-emulator exec \[options\] <command> \[arguments\]\n\nRun a command with an emulator\n/,
    );
    expect(stdout).not.toContain('Positionals');
  });

  test('has the advanced options of start in a group after the others', async () => {
    const { stdout } = await run(['start', '--help']);
    expect(stdout).toMatch(/\nOptions:[\s\S]* --port [\s\S]*\nAdvanced options:[\s\S]* --store-prefix /);
  });

  test('has texts of at most 80 characters', () => {
    const texts = COMMANDS.flatMap(({ args, variables, flags }) =>
      Object.values({ ...args, ...variables, ...flags }).map(({ describe: text = '' }) => text),
    );
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter((text) => text.length > 80)).toEqual([]);
  });
});

test('a command that is equally close to two gets both as suggestions', async () => {
  expect((await run(['stat'])).stderr).toBe(
    'val-emulator: Unknown command "stat". Did you mean "start" or "state"?\nSee val-emulator --help.\n',
  );
});

test.each([
  ['ui', 'start --open'],
  ['open', 'start --open'],
  ['logs', 'requests --follow'],
  ['list', 'status'],
  ['init', 'generate --out demo.json'],
  ['version', '--version'],
  ['run', 'exec'],
  ['kill', 'stop'],
  ['undo', 'rewind 1'],
  ['test', 'make-test'],
])('the unknown command %s is an error that names "%s"', async (name, meant) => {
  for (const args of [[name], [name, '--help'], ['help', name]]) {
    const { stdout, stderr, code } = await run(args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(new RegExp(`^val-emulator: Unknown command "${name}"\\. .* ${meant}\\b.*\n`));
  }
});

test.each<[args: string[], hint: string]>([
  [['start', '--seed', 'demo'], 'Unknown argument: --seed. Did you mean --fixtures?'],
  [['start', '-d'], 'Unknown argument: -d. Did you mean --detach?'],
  [['start', '--background'], 'Unknown argument: --background. Did you mean --detach?'],
  [['requests', '-n', '5'], 'Unknown argument: -n. Did you mean --limit?'],
  [['history', '--last', '5'], 'Unknown argument: --last. Did you mean --limit?'],
  [['requests', '--failed'], 'Unknown argument: --failed. Did you mean --status 4xx,5xx?'],
  [['clock', 'freeze'], 'Unknown argument: freeze. Did you mean --freeze?'],
  [['clock', 'set', '2025-01-01'], 'Unknown arguments: set, 2025-01-01. Did you mean --set?'],
  [['clock', '--reset'], 'Unknown argument: --reset. Did you mean --resume, or the command reset, which restores all?'],
  // The command has no such flag.
  [['clock', '-n'], 'Unknown argument: -n.'],
])('%j names the flag that is meant', async (args, hint) => {
  expect((await run(args)).stderr).toBe(`val-emulator: ${hint}\nSee val-emulator ${args[0]} --help.\n`);
});

test.each([
  ['data', 'data export, data compact'],
  ['print', 'print openapi'],
])('%s alone is an error that lists its commands', async (name, listed) => {
  const { stderr, code } = await run([name]);
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(listed), code: 2 });
  expect(stderr).toContain(`The command ${name} needs a second word: `);
});

test.each([
  [['restore', 'one'], '"snapshot restore"'],
  [['completion'], '"print completion"'],
  [['export', '--data', './demo'], '"data export"'],
])('%j suggests the command of which it is the second word', async (args, name) => {
  const { stdout, stderr, code } = await run(args);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toContain(`Unknown command "${args[0]}". Did you mean ${name}?`);
});

test.each([
  [['data', 'import', 'demo.json'], 'The command data import was removed. Use start --data FOLDER --fixtures FILE,'],
  [['print', 'confidence'], 'The command print confidence was removed. docs/confidence.md has its table.'],
])('%j is refused with its replacement', async (args, advice) => {
  const { stdout, stderr, code } = await run(args);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toContain(advice);
});

test('a group without a command, or with an unknown one, lists or suggests some', async () => {
  expect(await run(['data'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('See val-emulator data --help.'),
  });
  expect((await run(['data', 'exprt'])).stderr).toContain('Did you mean "data export"?');
});
