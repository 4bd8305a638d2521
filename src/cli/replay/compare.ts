import { isObject } from '../../lib/objects.js';
import { omitBase } from '../../lib/target.js';
import { type Mapping, splitText } from './mapping.js';

/** Where two responses differ. */
export interface Difference {
  /** `status`, or a JSON path into the body: `$.data[0].name`. */
  readonly at: string;
  /** Absent for a value that was not expected, or was not found. */
  readonly expected?: unknown;
  readonly found?: unknown;
}

/** The user of a request: its name is what the service says that it is. */
interface Context {
  readonly mapping: Mapping;
  readonly user: string | null;
}

/** Compares the body of a response with the recorded one, and learns what the other service calls our things. */
export function compareBodies(expected: string | undefined, found: string, context: Context): Difference[] {
  const ours = parse(expected ?? '');
  const theirs = parse(found);
  return [...compareValues(ours, theirs, '$', context)];
}

/** Text that is not JSON is a value itself, and none is undefined. */
function parse(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function* compareValues(ours: unknown, theirs: unknown, at: string, context: Context): Generator<Difference> {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    for (const [i, item] of ours.entries()) {
      if (i < theirs.length) yield* compareValues(item, theirs[i], `${at}[${i}]`, context);
    }
    if (ours.length !== theirs.length) yield { at: `${at}.length`, expected: ours.length, found: theirs.length };
  } else if (isObject(ours) && isObject(theirs)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      yield* compareValues(
        ours[key],
        theirs[key],
        /^\w+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`,
        context,
      );
    }
  } else if (typeof ours === 'string' && typeof theirs === 'string') {
    if (!isSameText(ours, theirs, at, context)) yield difference(at, ours, theirs, context);
  } else if (ours !== theirs) {
    yield difference(at, ours, theirs, context);
  }
}

function difference(at: string, ours: unknown, theirs: unknown, { mapping }: Context): Difference {
  const expected = typeof ours === 'string' ? mapping.translate(ours) : ours;
  return { at, ...(ours !== undefined && { expected }), ...(theirs !== undefined && { found: theirs }) };
}

function isSameText(ours: string, theirs: string, at: string, { mapping, user }: Context): boolean {
  const expected = splitText(omitBase(ours));
  const found = splitText(omitBase(theirs));
  const isSameRest =
    expected.rest.length === found.rest.length &&
    expected.rest.every((text, i) => text === found.rest[i] || mapping.translateNames(text) === found.rest[i]);
  if (isSameRest) return expected.values.every((value, i) => mapping.match(value, found.values[i] ?? ''));
  if (at.endsWith('.username') && ours === user && mapping.pairNames(ours, theirs)) return true;
  return at.endsWith('.name') && mapping.matchNames(ours, theirs);
}
