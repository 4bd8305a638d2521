import { createTwoFilesPatch } from 'diff';
import { describe, expect, test } from 'vitest';
import { formatLineDiff, hasLines } from '#engine/changes/line-diff.js';
import { timeOnCpu } from '../../support/cpu.js';
import { random } from '../../support/random.js';

const diff = (before: string | null, after: string | null): string[] =>
  formatLineDiff({ name: 'a', text: before }, { name: 'b', text: after }).split('\n');

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}\n`);

describe('a difference by line', () => {
  test('has the changed lines with three lines around them', () => {
    const lines = numbers(20);
    const changed = lines.with(2, 'two\n').toSpliced(15, 1).toSpliced(17, 0, 'new\n');
    expect(diff(lines.join(''), changed.join(''))).toEqual([
      ...['--- a', '+++ b', '@@ -1,6 +1,6 @@', ' 0', ' 1', '-2', '+two', ' 3', ' 4', ' 5'],
      ...['@@ -13,8 +13,8 @@', ' 12', ' 13', ' 14', '-15', ' 16', ' 17', '+new', ' 18', ' 19'],
    ]);
  });

  test.each([
    ['one\n', 'one', ['@@ -1,1 +1,1 @@', '-one', '+one', '\\ No newline at end of file']],
    ['', 'one', ['@@ -0,0 +1,1 @@', '+one', '\\ No newline at end of file']],
    ['one\n', '', ['@@ -1,1 +0,0 @@', '-one']],
    ['a\r\nb', 'a\nb', ['@@ -1,2 +1,2 @@', '-a\r', '+a', ' b', '\\ No newline at end of file']],
    ['same\n', 'same\n', []],
  ])('of %j and %j is as of diff -u', (before, after, expected) => {
    expect(diff(before, after).slice(2)).toEqual(expected);
  });

  test('names a text that does not exist', () => {
    expect(diff(null, 'x\n')).toEqual(['--- /dev/null', '+++ b', '@@ -0,0 +1,1 @@', '+x']);
    expect(diff('x\n', null)).toEqual(['--- a', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-x']);
  });

  test('of random texts makes one of the other, and is no longer than that of another program', () => {
    const draw = random(7);
    const below = (limit: number) => Math.floor(draw() * limit);
    for (let round = 0; round < 300; round++) {
      const make = () => Array.from({ length: below(12) }, () => `${below(4)}\n`).join('');
      const [before, after] = [make(), make()];
      const [, , ...lines] = diff(before, after);
      expect(apply(before, lines)).toBe(after);
      const count = (all: readonly string[]) => all.filter((line) => /^[+-]/.test(line)).length;
      const other = createTwoFilesPatch('a', 'b', before, after).split('\n').slice(3);
      expect(count(lines), `${before}→${after}`).toBe(count(other));
    }
  });

  test.each([
    ['short lines', (i: number) => `${i}\n`],
    ['line breaks', () => '\n'],
    ['lines that come again', (i: number) => `${i % 7}\n`],
  ])('of long texts of %s takes little time and has 1,000 lines at most', async (_, line) => {
    const make = (length: number, shift: number) => {
      let text = '';
      for (let i = shift; text.length < length; i += 1 + (shift % 3)) text += line(i);
      return text;
    };
    const [before, after] = [make(80_000, 1), make(79_000, 5)];
    let lines: string[] = [];
    const time = await timeOnCpu(() => {
      lines = diff(before, after);
    });
    expect(time).toBeLessThan(2_000);
    expect(lines.length).toBeLessThanOrEqual(1_003);
  });

  test('of texts without a common line removes one and adds the other', () => {
    const [before, after] = [numbers(900).join(''), Array.from({ length: 900 }, (_, i) => `n${i}\n`).join('')];
    const lines = diff(before, after);
    expect(lines[2]).toBe('@@ -1,900 +1,900 @@');
    expect(lines.at(-1)).toBe('\\ and 801 more lines');
  });
});

/** Applies a difference, as `patch` does. */
function apply(before: string, lines: readonly string[]): string {
  const old = before.match(/[^\n]*\n/g) ?? [];
  let text = '';
  let at = 0;
  for (const line of lines) {
    const start = /^@@ -(\d+),(\d+)/.exec(line);
    if (start) {
      const first = start[2] === '0' ? Number(start[1]) : Number(start[1]) - 1;
      text += old.slice(at, first).join('');
      at = first;
    } else if (line.startsWith('+')) text += `${line.slice(1)}\n`;
    else {
      expect(`${line.slice(1)}\n`).toBe(old[at]);
      if (line.startsWith(' ')) text += old[at];
      at++;
    }
  }
  return text + old.slice(at).join('');
}

test('a text has several lines if a line follows a line break', () => {
  expect(['a\nb', '\na', 'a\n\n'].map(hasLines)).toEqual([true, true, true]);
  expect(['', 'a', 'a\n', 1, null, undefined].map(hasLines)).toEqual([false, false, false, false, false, false]);
});
