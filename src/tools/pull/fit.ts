import type { Fields } from '#engine/definition/context.js';
import { FixtureError, type Problem } from '#engine/lib/errors.js';
import { isObject } from '#engine/lib/objects.js';
import { formatCount } from '#engine/lib/text.js';
import { definitions } from '#vals/service/service.collection.js';
import { createEmulator } from '../../emulator.js';
import type { PulledRows } from './nouns.js';
import type { Reader } from './reader.js';

/** Limit of attempts. Each drops parts of one collection, since what refers to them has problems as well. */
const MOST_ROUNDS = 50;

/** Leaves out what the collections do not allow, which the reader notes, and what refers to it. */
export async function withoutRefused(rows: PulledRows, reader: Reader, now: Date): Promise<PulledRows> {
  let fixtures = rows;
  for (let round = 0; ; round++) {
    try {
      await (await createEmulator({ fixtures, listen: false, now })).close();
      return fixtures;
    } catch (error) {
      if (!(error instanceof FixtureError) || round === MOST_ROUNDS) throw error;
      const all = error.problems.map(({ path, message }) => ({ ...toPart(fixtures, path), message }));
      const first = definitions.names.find((name) => all.some(({ collection }) => collection === name));
      const problems = all.filter(({ collection }) => collection === first);
      if (problems.length === 0) throw error;
      noteProblems(fixtures, problems, reader);
      fixtures = withoutParts(fixtures, problems);
    }
  }
}

/** The part of a row that a problem is about: a key, or a file of a commit. */
interface Part {
  readonly collection: string;
  readonly index: number;
  readonly key: string | undefined;
  readonly file: string | undefined;
}

/** Parses the path of a problem: `vals[3].name`, `commits[0].files.src/main.ts.text`. */
function toPart(rows: PulledRows, path: string): Part {
  const [, collection = '', index, key, rest = ''] = /^(\w+)\[(\d+)\](?:\.(\w+)\.?(.*))?/s.exec(path) ?? [];
  const files = key === 'files' ? rows[collection]?.[Number(index)]?.files : undefined;
  const named = Object.keys(Object(files)).filter((name) => `${rest}.`.startsWith(`${name}.`));
  return { collection, index: Number(index), key, file: named.sort((a, b) => b.length - a.length)[0] };
}

/** Notes the problems of each key of a collection once, with the first record. */
function noteProblems(rows: PulledRows, problems: readonly (Part & Pick<Problem, 'message'>)[], reader: Reader): void {
  const counts = new Map<string, number>();
  const toGroup = ({ collection, key }: Part) => `${collection}.${key}`;
  for (const problem of problems) counts.set(toGroup(problem), (counts.get(toGroup(problem)) ?? 0) + 1);
  for (const problem of problems) {
    const others = (counts.get(toGroup(problem)) ?? 0) - 1;
    if (!counts.delete(toGroup(problem))) continue;
    const { collection, index, key, file, message } = problem;
    const { name, username, branch, val, key: blob, id }: Fields = rows[collection]?.[index] ?? {};
    const subject = [collection, name ?? username ?? branch ?? val ?? blob ?? id, file ?? key].join(' ').trimEnd();
    const more = others === 0 ? '' : ` The same holds for ${formatCount(others, 'other')}.`;
    reader.note(`Fixtures do not allow it, so it is left out: ${subject}: ${message}${more}`);
  }
}

/** Drops files, optional keys and rows with problems. Users stay without a name, since others refer to them. */
function withoutParts(rows: PulledRows, parts: readonly Part[]): PulledRows {
  const changed: Record<string, (Fields | undefined)[]> = {};
  for (const [name, list] of Object.entries(rows)) changed[name] = [...list];
  for (const { collection, index, key, file } of parts) {
    const [list, row] = [changed[collection], changed[collection]?.[index]];
    if (!list || !row) continue;
    const { required = [], properties }: Schema = definitions.byName.get(collection)?.schema ?? {};
    const isOptional = key !== undefined && Object.hasOwn(Object(properties), key) && !required.includes(key);
    if (file !== undefined && isObject(row.files)) list[index] = { ...row, files: without(row.files, file) };
    else if (collection === 'users' && key === 'username') list[index] = { ...row, username: null };
    else list[index] = isOptional ? without(row, key) : undefined;
  }
  const kept = (list: (Fields | undefined)[]) => list.filter((row) => row !== undefined);
  return Object.fromEntries(Object.entries(changed).map(([name, list]) => [name, kept(list)]));
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: object;
}

const without = (fields: Fields, key: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
