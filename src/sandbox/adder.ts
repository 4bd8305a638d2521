import type { ExportedDatabase } from '../fixtures/export.js';
import { adders, insertAll } from '../fixtures/insert.js';
import type { Input } from '../fixtures/schema.js';
import { finish } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import type { Draft } from '../model/state.js';
import type { Act } from './clock.js';

/** Adds a record, or a list of records. The compiler compares a wrong one with the last of these signatures. */
export interface Adder<I, T, L = T[]> {
  (records: readonly I[]): L;
  (record: I): T;
  (input: I | readonly I[]): T | L;
}

/** Inserts a record in fixture format. */
type InsertRecord<T> = (draft: Draft, input: unknown, now: Instant) => T;

interface Target {
  readonly now: Instant;
  update<T>(operation: string, change: (draft: Draft) => T): T;
}

/** Adds a record, or a list of records, in one commit. */
export const addRecords = <T>(target: Target, collection: string, input: unknown, insert: InsertRecord<T>): T | T[] =>
  target.update(`POST /_emulator/${collection}`, (draft) => {
    const insertOne = (record: unknown) => insert(draft, record, target.now);
    return Array.isArray(input) ? insertAll(collection, input, insertOne) : insertOne(input);
  });

/** Makes the function that adds records, for each collection. */
export function makeAdders(target: Target, act: Act) {
  const make = <I, T>(collection: string, insert: InsertRecord<T>): Adder<I, T> => {
    function add(records: readonly I[]): T[];
    function add(record: I): T;
    function add(input: I | readonly I[]): T | T[];
    function add(input: I | readonly I[]): T | T[] {
      return act(() => addRecords(target, collection, input, insert));
    }
    return add;
  };
  return {
    user: make<Input<'users'>, ReturnType<typeof adders.user>>('users', adders.user),
    val: make<Input<'vals'>, ReturnType<typeof adders.val>>('vals', adders.val),
    run: make<Input<'runs'>, ReturnType<typeof adders.run>>('runs', adders.run),
    like: make<Input<'likes'>, ReturnType<typeof adders.like>>('likes', adders.like),
    comment: make<Input<'comments'>, ReturnType<typeof adders.comment>>('comments', adders.comment),
    blob: make<Input<'blobs'>, ReturnType<typeof adders.blob>>('blobs', adders.blob),
    sqlite: make<Input<'sqlite'>, ExportedDatabase>('sqlite', (...args) => finish(adders.sqlite(...args))),
    email: make<Input<'emails'>, ReturnType<typeof adders.email>>('emails', adders.email),
  };
}
