import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findCommand } from '#tools/cli/commands.js';
import { emulate } from '../support/emulate.js';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const PAGES = ['llms.txt', 'skills/val-emulator/SKILL.md'];

/** Lists the command lines of the `sh` blocks of a page, as words. */
const listCommandLines = (page: string): string[][] =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block = '']) => block.split('\n'))
    .flatMap((line) => /^(?:npx )?val-emulator (.*?)(?: +#.*)?$/.exec(line)?.[1] ?? [])
    .map((line) => line.match(/'[^']*'|\S+/g) ?? []);

test.each(PAGES)('%s names commands and flags that exist', async (file) => {
  const lines = listCommandLines(read(file));
  expect(lines.length).toBeGreaterThan(0);
  for (const words of lines) {
    const found = findCommand(words);
    if (!found || 'listed' in found) throw new Error(`${words.join(' ')} is not a command`);
    const { args, variables, flags } = await found.command.load();
    const end = words.indexOf('--');
    const named = (end < 0 ? words : words.slice(0, end)).flatMap((word) => /^--([\w-]+)/.exec(word)?.[1] ?? []);
    expect(Object.keys({ ...args, ...variables, ...flags }), words.join(' ')).toEqual(expect.arrayContaining(named));
  }
});

test.each(PAGES)('the seed data of %s can be loaded', async (file) => {
  const [, text = ''] = /^```json\n([\s\S]*?)^```/m.exec(read(file)) ?? [];
  const emulator = await emulate(JSON.parse(text));
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada', 'grace']);
});

test('the overview for models has at most 8 KB, and the skill at most 80 lines', () => {
  expect(Buffer.byteLength(read('llms.txt'))).toBeLessThanOrEqual(8_192);
  expect(read('skills/val-emulator/SKILL.md').trimEnd().split('\n').length).toBeLessThanOrEqual(80);
});
