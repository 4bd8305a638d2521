import { adders } from '../fixtures/insert.js';
import type { Input } from '../fixtures/schema.js';
import type { Instant } from '../lib/time.js';
import type { Draft } from '../model/state.js';

/** Adds a record, or a list of records. */
export interface Adder<I, T> {
  (record: I): T;
  (records: readonly I[]): T[];
}

const isList = <I>(input: I | readonly I[]): input is readonly I[] => Array.isArray(input);

/** Inserts a record in fixture format. */
export type AddRecord<T> = (draft: Draft, input: unknown, now: Instant) => T;

function makeAdder<I, T>(addOne: (record: I) => T, addAll: (records: readonly I[]) => T[]): Adder<I, T> {
  function addAny(record: I): T;
  function addAny(records: readonly I[]): T[];
  function addAny(input: I | readonly I[]): T | T[] {
    return isList(input) ? addAll(input) : addOne(input);
  }
  return addAny;
}

interface Target {
  addRecord<T>(collection: string, input: unknown, add: AddRecord<T>): T;
  addRecords<T>(collection: string, inputs: readonly unknown[], add: AddRecord<T>): T[];
}

/** Makes what adds records of each collection. */
export function makeAdders(target: Target) {
  const make = <I, T>(collection: string, add: AddRecord<T>): Adder<I, T> =>
    makeAdder(
      (record) => target.addRecord(collection, record, add),
      (records) => target.addRecords(collection, records, add),
    );
  return {
    user: make<Input<'users'>, ReturnType<typeof adders.user>>('users', adders.user),
    val: make<Input<'vals'>, ReturnType<typeof adders.val>>('vals', adders.val),
    run: make<Input<'runs'>, ReturnType<typeof adders.run>>('runs', adders.run),
    like: make<Input<'likes'>, ReturnType<typeof adders.like>>('likes', adders.like),
    comment: make<Input<'comments'>, ReturnType<typeof adders.comment>>('comments', adders.comment),
  };
}
