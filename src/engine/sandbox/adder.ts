import { type Definitions, mapCollections } from '../definition/definitions.js';
import type { AdderName, Collected, ExportedIn, InputIn } from '../definition/types.js';
import { showCallers } from '../lib/caller-stack.js';
import { finish, settle } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { addRecord, insertAll } from '../seed/insert.js';
import type { Draft } from '../state/state.js';
import type { Act } from './clock.js';

/**
 * Adds a record, or a list of records. One signature, since the compiler begins the error of several with "No overload matches this
 * call". N is inferred from a list alone. It is `any` where the compiler compares the signature with several, and fits each of them.
 */
export type Adder<I, T, L = T[]> = <N extends number = never>(
  input: I | (readonly I[] & { readonly length: N }),
) => 0 extends 1 & N ? T & L : [N] extends [never] ? T : L;

export type AddOf<C extends Collected> = {
  -readonly [N in keyof C as AdderName<C, N>]: Adder<InputIn<C, N>, ExportedIn<C, N>>;
};

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

export const makeAdders = <T extends object>({ all }: Definitions, target: Target, act: Act): T =>
  showCallers(
    mapCollections<T>(
      all,
      (definition) => (input: unknown) =>
        act(() =>
          addRecords(target, definition.name, input, (draft, record, now) =>
            finish(settle(addRecord(draft, definition, record, now))),
          ),
        ),
      ({ adder }) => adder,
    ),
  );
