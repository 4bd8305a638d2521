import { ForeignDataError } from '../definition/service-errors.js';
import { DataError, reasonFor } from '../lib/errors.js';
import { finish, type Steps } from '../lib/steps.js';
import { type Disk, systemDisk } from './disk.js';
import { damaged, FORMAT, isLine, type Line, NO_LINE, parseLine } from './lines.js';

const NEWLINE = 0x0a;
/** Bytes of the first read, and of the largest: most files are small. */
const [FIRST_READ, LARGEST_READ] = [64 * 1024, 4 * 1024 * 1024];
const STEP_LINES = 50;

export function* readParts(path: string, disk = systemDisk): Generator<Buffer> {
  const file = disk.openSync(path, 'r');
  try {
    for (let length = FIRST_READ; ; length = Math.min(2 * length, LARGEST_READ)) {
      const part = Buffer.allocUnsafe(length);
      const size = disk.readSync(file, part, 0, length, null);
      if (size === 0) return;
      yield part.subarray(0, size);
    }
  } finally {
    disk.closeSync(file);
  }
}

/** Yields lines without their ends, each with the position after it. The last one may lack its end. */
function* splitLines(parts: Iterable<Buffer>): Generator<{ bytes: Buffer; end: number; isComplete: boolean }> {
  let rest = Buffer.alloc(0);
  let position = 0;
  for (const part of parts) {
    const bytes = Buffer.concat([rest, part]);
    let start = 0;
    for (let next = bytes.indexOf(NEWLINE); next >= 0; next = bytes.indexOf(NEWLINE, start)) {
      position += next + 1 - start;
      yield { bytes: bytes.subarray(start, next), end: position, isComplete: true };
      start = next + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield { bytes: rest, end: position + rest.length, isComplete: false };
}

export interface ReadResult {
  /** Bytes that do not count at the end, or before the current epoch: of a write that was torn. */
  readonly torn: number;
  /** Bytes that were written at once, before the changes. */
  readonly begin: number;
  /** The number of the last line that counts. */
  readonly lines: number;
  /** Checksum of the last line, except for the one that began the epoch. */
  readonly last: string;
}

/**
 * Reads a file line by line. Torn writes are skipped, and so is all that a process has written after the next one began its
 * epoch: it sent no response for that.
 * @throws DataError for lines that were changed, removed, doubled or swapped, if they were durable once
 * @throws DataError for a line that `onLine` rejects, and for a file of a newer emulator
 */
export const readLines = (path: string, onLine: (line: Line) => void, disk: Disk): ReadResult =>
  finish(readLinesInSteps(path, onLine, undefined, readParts(path, disk)));

/**
 * Reads lines as {@link readLines} does, in steps.
 * @param advice what to do about a damaged file
 * @param parts the content of the file, which `path` names in messages
 */
export function* readLinesInSteps(
  path: string,
  onLine: (line: Line) => void,
  advice: string | undefined,
  parts: Iterable<Buffer>,
): Steps<ReadResult> {
  let [number, lines, size, length, begin, torn] = [0, 0, 0, 0, 0, 0];
  let [epoch, last] = [-1, NO_LINE];
  /** The lines of a change whose last line is to come. */
  let change: Line[] = [];
  /** The first bytes that are not a line, and whether a crash leaves such bytes. */
  let gap: { readonly number: number; readonly start: number; isTorn: boolean } | undefined;
  const refuse = (line: number) => damaged(path, `line ${line} is not as it was written`, advice);
  for (const { bytes, end, isComplete } of splitLines(parts)) {
    if (++number % STEP_LINES === 0) yield;
    const start = size;
    size = end;
    if (bytes.length === 0) continue;
    const parsed = isComplete ? parseLine(bytes) : undefined;
    if (!parsed) {
      // A crash leaves a line without its end, or with blocks of zeros that were not written. The first line was written at
      // once with others: its reader says what the file is not.
      gap ??= { number, start, isTorn: !isComplete || bytes.includes(0) || number === 1 };
      continue;
    }
    // Each write begins with an empty line, unless that is the end of a torn one.
    if (gap?.number === number - 1 && parsed.epoch !== epoch) gap.isTorn = true;
    if (parsed.epoch < epoch) continue;
    const isFirst = parsed.epoch > epoch;
    const isNext = parsed.previous === (isFirst ? NO_LINE : last);
    if (!isNext) {
      // The lines after a torn one were written together with it.
      if (!gap || parsed.durable > gap.start) throw refuse(gap?.number ?? number);
      continue;
    }
    if (gap && isFirst && !gap.isTorn) throw refuse(gap.number);
    gap = undefined;
    const line: unknown = JSON.parse(parsed.json);
    if (!isLine(line)) throw damaged(path, `line ${number} is of an unknown type`, advice);
    if (line.type === 'header' && line.format > FORMAT) {
      const { version } = line;
      throw new DataError(`${path} was written by val-emulator ${version} in a newer format. Use ${version} or later.`);
    }
    // A change that was torn before this epoch has no effect.
    if (isFirst) change = [];
    change.push(line);
    try {
      if (!line.more) for (const each of change.splice(0)) onLine(each);
    } catch (error) {
      if (error instanceof DataError) throw error;
      if (error instanceof ForeignDataError) throw new DataError(`${path} ${error.message}`);
      throw damaged(path, `line ${number}: ${reasonFor(error)}`, advice);
    }
    // An epoch begins before its process has read what came before: its second line names the last of that.
    if (isFirst && number > 1) torn = Math.max(0, start - 1 - length);
    else last = parsed.checksum;
    epoch = parsed.epoch;
    if (line.type === 'begin') begin = end;
    if (line.type !== 'part' && !line.more) {
      length = end;
      lines = number;
    }
  }
  if (gap && !gap.isTorn) throw refuse(gap.number);
  return { begin, torn: torn + size - length, lines, last };
}
