import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyReader } from '#tools/cli/keys.js';

const readAll = (reads: readonly string[]) => {
  const read = createKeyReader();
  return reads.flatMap((text) => read(text)).join('');
};

test.each<[reads: string[], keys: string]>([
  [['r'], 'r'],
  [['r', 'é', '😀'], 'ré😀'],
  [['rr'], ''],
  // A busy emulator reads two keys at once.
  [['\u0003\u0003'], '\u0003\u0003'],
  [['r\u0003s'], '\u0003'],
  [['\u001b[200~r\u001b[201~'], ''],
  [['\u001b[200~r', 'r', 'r\u001b[20', '1~', 'r'], 'r'],
  [['\u001b[200~', '\u001b', '[', '2', '0', '1', '~', 'r'], 'r'],
  [['\u001b[200~a\u001b[201~\u001b[200~b', 'r', '\u001b[201~'], ''],
  [['\u001b[200~a\u0003b\u001b[201~'], ''],
  // The end of the paste was lost.
  [['\u001b[200~a', 'r', '\u0003', 'r'], '\u0003r'],
])('the typed keys of the reads %j are %j', (reads, keys) => {
  expect(readAll(reads)).toBe(keys);
});

test('marked text is not typed, wherever the reads end', () => {
  const text = fc.string({ unit: fc.constantFrom('r', 'y', 'é', '\u001b', '[', '2', '0', '1'), maxLength: 12 });
  const cuts = fc.array(fc.integer({ min: 6, max: 30 }), { maxLength: 6 });
  fc.assert(
    fc.property(text, cuts, (pasted, ends) => {
      const all = `\u001b[200~${pasted}\u001b[201~`;
      const sorted = [0, ...ends.sort((a, b) => a - b), all.length];
      const reads = sorted.slice(1).map((end, i) => all.slice(sorted[i], end));
      expect(readAll([...reads.filter((read) => read !== ''), 'k'])).toBe('k');
    }),
    { numRuns: 500 },
  );
});
