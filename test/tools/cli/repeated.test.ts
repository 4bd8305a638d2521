import { expect, test } from 'vitest';
import { sized } from '../../support/soak.js';
import { loadCommands, run } from './cli.js';

const COMMANDS = await loadCommands();

/** All flags of all commands, each as it is given once. An argument that does not exist keeps the command from running. */
const flags = COMMANDS.flatMap(({ name: command, variables, flags: others }) =>
  Object.entries({ ...variables, ...others }).map(([name, { type, array, alias }]) => {
    return { command, name, alias, array: array === true, value: type === 'boolean' ? [] : ['1'] };
  }),
);
const runWith = async (command: string, ...words: string[]) => {
  const { usage = '', runsProgram } = COMMANDS.find(({ name }) => name === command) ?? {};
  const required = runsProgram ? [] : (usage.match(/<[^>]*>/g) ?? []).map(() => 'x');
  const { stderr, code } = await run([...command.split(' '), ...required, ...words, '--nowhere']);
  expect(code).toBe(2);
  return stderr;
};

test('a repeated flag is refused by its name, for all flags of all commands', async () => {
  const single = flags.filter(({ array }) => !array);
  expect(single.length).toBeGreaterThan(150);
  // All flags of one command, and each flag of any: every command reads its flags in one way.
  const once = new Set(single.map(({ name }) => name));
  const chosen = single.filter(({ command, name }) => command === 'start' || once.delete(name));
  for (const { command, name, alias, value } of sized(chosen, single)) {
    const twice = `--${name}: given twice; give it once.`;
    const flag = [`--${name}`, ...value];
    expect(await runWith(command, ...flag, ...flag)).toContain(twice);
    if (typeof alias === 'string') expect(await runWith(command, ...flag, `-${alias}`, ...value)).toContain(twice);
    if (value.length === 0) expect(await runWith(command, ...flag, `--no-${name}`)).toContain(twice);
  }
});

test('a list takes one value each time, for all flags of all commands', async () => {
  const lists = flags.filter(({ array }) => array);
  expect(lists.length).toBeGreaterThan(5);
  for (const { command, name } of lists) {
    expect(await runWith(command, `--${name}`, '1', `--${name}`, '2')).not.toContain('given');
  }
});

test('a flag takes precedence over its variable, and does not repeat it', async () => {
  const { stderr, code } = await run(['check', 'empty', '--json'], { env: { VAL_EMULATOR_JSON: 'true' } });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(await runWith('start', '--port', '1', '--json')).not.toContain('given');
});

test('a flag given three times is refused, and the flags of another program are its own', async () => {
  expect(await runWith('start', '-p', '1', '--port', '2', '--port=3')).toContain(
    '--port: given 3 times; give it once.',
  );
  const program = [
    'node',
    '-e',
    'fetch(process.env.VAL_EMULATOR_URL)',
    '--',
    '--json',
    '--json',
    '--port',
    '1',
    '--port',
    '2',
  ];
  expect(await run(['exec', '--json', ...program])).toMatchObject({ code: 0, stderr: '' });
});
