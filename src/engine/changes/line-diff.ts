/** Unchanged lines around a change. */
const CONTEXT = 3;
/** Lines that differ at most, where the shortest difference is looked for. It takes their square, in time and memory. */
const MOST_EDITS = 400;
/** Lines of a difference. */
const MOST_LINES = 1_000;

const NO_FILE = '/dev/null';
const NO_BREAK = '\\ No newline at end of file';

/** Lines of one text in place of lines of another: from the first index, up to the second. */
type Block = readonly [oldStart: number, oldEnd: number, newStart: number, newEnd: number];

/** A text and its name. A text that does not exist is null. */
interface Named {
  readonly name: string;
  readonly text: string | null;
}

export const hasLines = (text: unknown): text is string => typeof text === 'string' && /\n./s.test(text);

/**
 * Formats the difference of two texts by line, as `diff -u` does. A line with `\` is a note. Texts that differ in more than 400
 * lines are shown as removed and added between the lines that they begin and end with.
 */
export function formatLineDiff(before: Named, after: Named): string {
  const [old, now] = [splitLines(before.text), splitLines(after.text)];
  const head = [before, after].map(
    ({ name, text }, i) => `${i === 0 ? '---' : '+++'} ${text === null ? NO_FILE : name}`,
  );
  const body = groupBlocks(findBlocks(old, now)).flatMap((blocks) => formatHunk(blocks, old, now));
  const rest = body.length - MOST_LINES;
  return [...head, ...body.slice(0, MOST_LINES), ...(rest > 0 ? [`\\ and ${rest} more lines`] : [])].join('\n');
}

/** Splits a text into lines, each with its line break. */
const splitLines = (text: string | null): string[] => text?.match(/[^\n]*\n|[^\n]+/g) ?? [];

function findBlocks(old: readonly string[], now: readonly string[]): Block[] {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [oldEnd, newEnd] = [old.length - end, now.length - end];
  const blocks = findEdits(old.slice(start, oldEnd), now.slice(start, newEnd));
  if (!blocks) return [[start, oldEnd, start, newEnd]];
  return blocks.map(([a, b, c, d]) => [start + a, start + b, start + c, start + d]);
}

/**
 * Finds the fewest lines to remove and add. Undefined for too many.
 * Source: E. Myers, "An O(ND) difference algorithm and its variations"
 */
function findEdits(old: readonly string[], now: readonly string[]): Block[] | undefined {
  /** After each number of edits: how far the old text is read, on each diagonal from the lowest one on. */
  const reached: number[][] = [];
  let last: readonly number[] = [0];
  for (let edits = 0; edits <= Math.min(MOST_EDITS, old.length + now.length); edits++) {
    const ends: number[] = [];
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : step(last, edits, k);
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++;
      ends.push(x);
      if (x >= old.length && x - k >= now.length) return traceBlocks([...reached, ends], old.length, now.length);
    }
    reached.push(ends);
    last = ends;
  }
  return undefined;
}

/** Ends of paths that cannot be reached are before all others. */
const UNREACHED = -1;
const endAt = (ends: readonly number[], edits: number, k: number): number => ends[(k + edits) / 2] ?? UNREACHED;

/** Whether the path to a diagonal comes from the one above, by a line that is added. */
const isAdded = (ends: readonly number[], edits: number, k: number): boolean =>
  k === -edits || (k !== edits && endAt(ends, edits - 1, k - 1) < endAt(ends, edits - 1, k + 1));

/** Returns how far one more edit leads. @param ends of paths with one edit less */
const step = (ends: readonly number[], edits: number, k: number): number =>
  isAdded(ends, edits, k) ? endAt(ends, edits - 1, k + 1) : endAt(ends, edits - 1, k - 1) + 1;

/** Follows the path from the ends of both texts back. */
function traceBlocks(reached: readonly (readonly number[])[], oldEnd: number, newEnd: number): Block[] {
  const blocks: Block[] = [];
  let [x, y] = [oldEnd, newEnd];
  for (let edits = reached.length - 1; edits > 0; edits--) {
    const ends = reached[edits - 1] ?? [];
    const k = x - y;
    const from = isAdded(ends, edits, k) ? k + 1 : k - 1;
    const before = endAt(ends, edits - 1, from);
    const [start, startNew] = [before, before - from];
    const [end, endNew] = from > k ? [start, startNew + 1] : [start + 1, startNew];
    const next = blocks.at(-1);
    if (next && next[0] === end && next[2] === endNew) blocks[blocks.length - 1] = [start, next[1], startNew, next[3]];
    else blocks.push([start, end, startNew, endNew]);
    [x, y] = [start, startNew];
  }
  return blocks.reverse();
}

/** Groups blocks whose contexts meet. */
function groupBlocks(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    const end = last?.at(-1)?.[1];
    if (last && end !== undefined && block[0] - end <= 2 * CONTEXT) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function formatHunk(blocks: readonly Block[], old: readonly string[], now: readonly string[]): string[] {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return [];
  const start = Math.max(0, first[0] - CONTEXT);
  const end = Math.min(old.length, last[1] + CONTEXT);
  const newStart = first[2] - (first[0] - start);
  const newEnd = last[3] + (end - last[1]);
  const lines: string[] = [];
  let at = start;
  for (const [from, to, newFrom, newTo] of blocks) {
    lines.push(...formatLines(' ', old.slice(at, from)), ...formatLines('-', old.slice(from, to)));
    lines.push(...formatLines('+', now.slice(newFrom, newTo)));
    at = to;
  }
  lines.push(...formatLines(' ', old.slice(at, end)));
  return [`@@ -${formatRange(start, end)} +${formatRange(newStart, newEnd)} @@`, ...lines];
}

/** Formats a range of lines by its first one, from 1 on, and their number. */
const formatRange = (start: number, end: number): string => `${end === start ? start : start + 1},${end - start}`;

const formatLines = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) => (line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, NO_BREAK]));
