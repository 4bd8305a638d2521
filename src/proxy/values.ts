import { isObject } from '../lib/objects.js';
import { omitBase } from '../lib/target.js';
import { parseInstant } from '../lib/time.js';
import { nameItem } from '../remote/items.js';
import type { Difference } from './difference.js';
import { isList } from './lists.js';

/** Keys that `pull` writes with other values. */
const REPLACED = new Set(['email', 'profileImageUrl']);

interface ValueOptions {
  /** Paths that are different for another reason. */
  readonly skipped: ReadonlySet<string>;
  readonly startedAt: Date;
  /** Whether a write has left a record different. */
  readonly isDiverged: (id: string) => boolean;
}

/** Compares the values of two bodies. The items of a list are compared with those of the same id. */
export function* compareValues(theirs: unknown, ours: unknown, options: ValueOptions, at = '$'): Generator<Difference> {
  if (options.skipped.has(at)) return;
  if (at === '$' && isList(theirs) && isList(ours)) {
    const own = new Map(ours.data.map((item) => [nameItem(item), item]));
    for (const item of theirs.data) {
      const name = nameItem(item);
      if (own.has(name)) yield* compareValues(item, own.get(name), options, '$.data[]');
    }
  } else if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    for (const [i, item] of theirs.entries()) yield* compareValues(item, ours[i], options, `${at}[]`);
  } else if (isObject(theirs) && isObject(ours)) {
    if (options.isDiverged(String(theirs.id))) return;
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      if (!REPLACED.has(key)) yield* compareValues(theirs[key], ours[key], options, `${at}.${key}`);
    }
  } else if (!isSame(theirs, ours, options.startedAt)) {
    // The document allows both types there, or the path would be skipped.
    yield { symptom: 'value', at, upstream: theirs, emulator: ours };
  }
}

function isSame(theirs: unknown, ours: unknown, startedAt: Date): boolean {
  if (typeof theirs !== 'string' || typeof ours !== 'string') return Object.is(theirs, ours);
  if (toComparedText(theirs) === toComparedText(ours)) return true;
  // Each side has its own clock.
  const made = parseInstant(ours);
  return made !== undefined && made >= startedAt.getTime() && parseInstant(theirs) !== undefined;
}

/** Leaves out the base of a link, and the version of a module, which is compared on its own. */
const toComparedText = (text: string): string => omitBase(text).replace(/^(https:\/\/esm\.town\/\S+)\?v=\d+$/, '$1');
