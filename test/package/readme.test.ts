import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '#vals/service/all.routes.js';
import { ROOT } from './pack.js';
import { type Recipe, readPage, runIn, writeRecipe } from './recipe.js';

const readme = readPage(join(ROOT, 'README.md'));
const { page } = readme;

/** Returns the commands of a section without their comments. */
function readCommands(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const [own = ''] = section.split(/\n##+ /);
  const blocks = [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  return blocks.flatMap((text) => text.trim().split('\n')).map((line) => line.replace(/ +#.*/, ''));
}

/** Writes the files of the README to a project that has the package. Returns a function that runs commands there. */
function openProject(files: Recipe['files'] = readme.files) {
  const folder = writeRecipe({ ...readme, files });
  return (command: string) => runIn(folder, command);
}

test('has at most 250 lines', () => {
  expect(page.split('\n').length).toBeLessThanOrEqual(251);
});

test('names the number of routes', () => {
  const count = (version: string) => routes.filter(({ path }) => path.startsWith(`/${version}/`)).length;
  expect(page).toContain(`- **${count('v1')} routes of version 1 and ${count('v2')} of version 2**`);
  expect(count('v1') + count('v2')).toBe(routes.length);
});

test('the program that embeds an emulator prints a user', () => {
  const [, program = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const run = openProject(
    new Map([['embed.test.ts', `import { test } from 'vitest';\n${program}\ntest('ends', () => {});\n`]]),
  );

  const { status, output } = run('npx vitest run');

  expect(output).toContain("username: 'ada'");
  expect(status).toBe(0);
});

test('the fixtures are valid', () => {
  const [check = '', start = ''] = readCommands('1. Use your own data');
  const run = openProject();

  expect(run(check)).toEqual({ status: 0, output: expect.stringContaining('2 users') });
  expect(start).toBe('npx val-emulator start --fixtures demo.json --watch');
});

test('the test with a sandbox passes', () => {
  const [command = ''] = readCommands('2. Give each test a sandbox');

  const { status, output } = openProject()(command);

  expect(output).toContain('1 passed');
  expect(status).toBe(0);
});

/** Runs commands of the README in a shell that has an emulator. */
const runWithEmulator = (commands: readonly string[]) =>
  openProject(new Map([['commands.sh', ['set -e', ...commands].join('\n')]]))(
    'npx val-emulator exec -- sh commands.sh',
  );

test('the commands that inject faults work', () => {
  const commands = readCommands('3. Break it on purpose');

  const { status, output } = runWithEmulator(commands);

  expect(commands).toHaveLength(4);
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('503') });
});

test('the session is written, and the failed assertion lists the near miss', () => {
  const [expectation = '', record = '', start = ''] = readCommands('4. See what your program did');
  const send = `curl -s -H "authorization: Bearer $VAL_EMULATOR_TOKEN" $VAL_EMULATOR_URL`;
  const create = `${send}/v1/vals -H 'content-type: application/json' -d '{ "name": "raport", "code": "1" }'`;

  const { status, output } = runWithEmulator([record, `${send}/v1/me`, create, expectation]);

  const lines = readme.output.slice(0, -1);
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(output).toContain(line);
  expect(status).toBe(1);
  expect(start).toBe('npx val-emulator start --session bug.ndjson');
});

test('exec passes on the address and the token', () => {
  const [command = ''] = readCommands('5. Run it in CI, in containers, for a team');
  const program = 'console.log(process.env.API_URL, process.env.API_TOKEN)';

  const { status, output } = openProject()(command.replace('npm test', `node -e "${program}"`));

  expect(output).toMatch(/http:\/\/127\.0\.0\.1:\d+ ada-token/);
  expect(status).toBe(0);
});
