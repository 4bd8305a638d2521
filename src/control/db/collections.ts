import type { State } from '../../domain/state.js';
import type { CollectionName } from '../../fixtures/schema.js';
import { comments } from './comments.js';
import { likes } from './likes.js';
import { runs } from './runs.js';
import type { Entry, Table } from './table.js';
import { users } from './users.js';
import { vals } from './vals.js';
import { versions } from './versions.js';

/** What json-server works on: plain arrays of plain records, which it writes to. */
export type Collections = Record<CollectionName, Entry[]>;

export const TABLES: Readonly<Record<CollectionName, Table>> = { users, vals, versions, runs, likes, comments };

export const isCollection = (name: string): name is CollectionName => Object.hasOwn(TABLES, name);
export const COLLECTION_NAMES: readonly CollectionName[] = Object.keys(TABLES).filter(isCollection);

export const collectionsOf = (state: State): Collections => eachCollection((name) => TABLES[name].entries(state));

/** A copy whose records can be written to. json-server replaces fields and changes nothing within them. */
export const copyCollections = (collections: Collections): Collections =>
  eachCollection((name) => collections[name].map((entry) => ({ ...entry })));

/** Whether nothing was written to any collection between two states. */
export const hasSameRecords = (a: State, b: State): boolean => COLLECTION_NAMES.every((name) => a[name] === b[name]);

const eachCollection = (entriesOf: (name: CollectionName) => Entry[]): Collections => ({
  users: entriesOf('users'),
  vals: entriesOf('vals'),
  versions: entriesOf('versions'),
  runs: entriesOf('runs'),
  likes: entriesOf('likes'),
  comments: entriesOf('comments'),
});

/** A record that was written: only `after` if it is new, only `before` if it is gone. */
export interface Change {
  readonly collection: CollectionName;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** What a request to json-server changed, which is one record at most. New records stand last, the others keep their order. */
export function changeBetween(before: Collections, after: Collections): Change | undefined {
  for (const collection of COLLECTION_NAMES) {
    const old = before[collection];
    const now = after[collection];
    const place = old.length < now.length ? old.length : old.findIndex((entry, i) => !hasSameFields(entry, now[i]));
    const isGone = now.length < old.length;
    if (place >= 0) return { collection, before: old[place], after: isGone ? undefined : now[place] };
  }
  return undefined;
}

function hasSameFields(a: Entry, b: Entry | undefined): boolean {
  if (!b) return false;
  const fields = Object.keys(a);
  return fields.length === Object.keys(b).length && fields.every((field) => a[field] === b[field]);
}
