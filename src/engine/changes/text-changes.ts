import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../definition/context.js';
import type { RecordFile } from '../definition/define.js';
import type { ChangedRecord, Pair } from './changed-record.js';
import { formatLineDiff, hasLines } from './line-diff.js';

/** Characters of the differences of a response. */
const MOST_CHARACTERS = 1_000_000;

/** Differences by line. Of a field by its name, of a file by its path below `files/`. */
export type TextChanges = Readonly<Record<string, string>>;

/** Formats the differences of texts by line, as many as a response may have. */
export class TextDiffer {
  #left = MOST_CHARACTERS;

  /** Compares the fields with several lines, and the files of a record. Undefined without a difference, or when the response is full. */
  compare(change: ChangedRecord, [before = {}, after = {}]: Pair<Fields | undefined>): TextChanges | undefined {
    const entries = [
      ...this.#listFields(before, after),
      ...this.compareFiles(...listFileSides(change)).map(({ file, lines }) => [`files/${file.path}`, lines] as const),
    ];
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  /** Compares files by their id. Each comes as of after the change, a deleted one as of before it. */
  compareFiles(before: Iterable<RecordFile>, after: Iterable<RecordFile>): { file: RecordFile; lines: string }[] {
    return [...pairFiles(before, after)].flatMap(([from, to]) => {
      const file = to ?? from;
      const lines = file && this.#format(nameFile(from, file), nameFile(to, file));
      return lines === undefined || !file || file.text === null ? [] : [{ file, lines }];
    });
  }

  /** Compares the fields with several lines. Undefined without a difference, or when the response is full. */
  compareFields(before: Fields, after: Fields): TextChanges | undefined {
    const entries = [...this.#listFields(before, after)];
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  *#listFields(before: Fields, after: Fields): Generator<readonly [string, string]> {
    for (const name of Object.keys({ ...before, ...after })) {
      const [old = null, now = null] = [before[name], after[name]];
      if (old === now || !(hasLines(old) || hasLines(now)) || !isText(old) || !isText(now)) continue;
      const lines = this.#format({ name, text: old }, { name, text: now });
      if (lines !== undefined) yield [name, lines];
    }
  }

  #format(...sides: Parameters<typeof formatLineDiff>): string | undefined {
    if (this.#left <= 0) return undefined;
    const lines = formatLineDiff(...sides);
    this.#left -= lines.length;
    return lines;
  }
}

/** Returns the fields of a file by which it is compared. Its path and its fields may change, but not its id. */
export const toComparable = ({ path, fields, text }: RecordFile): Fields => ({ path, ...fields, text });

/** Yields the files that differ, by their id, else by their path: each before and after, and those that are gone last. */
export function* pairFiles(
  before: Iterable<RecordFile>,
  after: Iterable<RecordFile>,
): Generator<readonly [before: RecordFile | undefined, after: RecordFile | undefined]> {
  const old = new Map(Array.from(before, (file) => [file.id, file]));
  const now = new Map(Array.from(after, (file) => [file.id, file]));
  const gone = new Map([...old.values()].filter(({ id }) => !now.has(id)).map((file) => [file.path, file]));
  for (const file of now.values()) {
    const other = old.get(file.id) ?? gone.get(file.path);
    if (!old.has(file.id)) gone.delete(file.path);
    if (!other || !isDeepStrictEqual(toComparable(other), toComparable(file))) yield [other, file];
  }
  for (const file of gone.values()) yield [file, undefined];
}

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

/** Lists the files of a record before and after its change. */
export function listFileSides(change: ChangedRecord): Pair<Iterable<RecordFile>> {
  const [before = [], after = []] = change.read((names, record) => change.definition.files?.list(names.sets, record));
  return [before, after];
}

const nameFile = (file: RecordFile | undefined, { path }: RecordFile) => ({
  name: file?.path ?? path,
  text: file?.text ?? null,
});
