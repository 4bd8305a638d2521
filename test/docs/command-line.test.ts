import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../engine/fixtures/loading.js';
import { run, serve } from '../tools/cli/cli.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const readme = read('README.md');
const fixturesPage = read('docs/fixtures.md');
const page = read('docs/command-line.md');

/** The file demo.json of the README. */
const [, demo = ''] = /```json\n(\{\n {2}"users"[\s\S]*?)```/.exec(readme) ?? [];
const invalid = demo
  .replace('"name": "greet"', '"name": "greet", "privacy": "publik"')
  .replace('"user": "grace", "val": "ada/hello"', '"user": "grace", "val": "ada/helo"');

test('the samples of errors in fixtures match the output', async () => {
  const cwd = folderOf({ 'demo.json': invalid });
  const started = await run(['start', '--fixtures', './demo.json'], { cwd });
  expect(started.code).toBe(2);
  expect(started.stderr).toMatch(/^val-emulator: 2 problems in the fixtures:\n/);
  expect(fixturesPage).toContain(`\`\`\`text\n${started.stderr}\`\`\``);
  const checked = await run(['check', 'default', './demo.json'], { cwd });
  expect(checked.code).toBe(1);
  expect(page).toContain(`$ val-emulator check default ./demo.json\n${checked.stdout}\`\`\``);
});

test('the sample of a reload matches the output', async () => {
  const [, loaded = '', errors = ''] = /--watch --quiet\n\.\.\.\n(Reloaded .*\n)([\s\S]*?)```/.exec(page) ?? [];
  const cwd = folderOf({ 'demo.json': demo });
  const { command } = await serve(['--fixtures', './demo.json', '--watch', '--quiet'], { cwd });

  writeFileSync(join(cwd, 'demo.json'), `${demo}\n`);
  expect((await command.prints(/Reloaded .*\n/))[0]).toBe(loaded);
  writeFileSync(join(cwd, 'demo.json'), demo.replace('"val": "grace/greet"', '"val": "grace/great"'));
  await command.printsError(/Keeping/);

  expect(command.stderr).toBe(errors);
});
