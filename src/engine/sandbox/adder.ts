import type { Act } from '../clock/clock.js';
import type { Work } from '../definition/context.js';
import type { AnyDefinition } from '../definition/define.js';
import { type Definitions, mapCollections } from '../definition/definitions.js';
import type { AdderName, Collected, ExportedIn, InputIn } from '../definition/types.js';
import { insertAll, insertRecord, prepareRecords } from '../fixtures/insert.js';
import { StateNames } from '../fixtures/names.js';
import { finish, type Steps, settle } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { showCallers } from '../platform/caller-stack.js';
import type { Draft, State, StateStore } from '../state/state.js';

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

/** How the records of a collection are given, and what is returned of an added one. */
export interface RecordForm<I, T extends object> {
  readonly collection: string;
  /** Does what takes time before records are added. */
  prepare(inputs: readonly I[], state: State, now: Instant, work: Work): Steps<Work>;
  /** Adds a record. It may take steps to return it. @throws FixtureError */
  create(input: I, draft: Draft, now: Instant, work: Work): T | Steps<T>;
}

/** The fixture format: what is returned has all defaults filled in. */
export const asFixtures = (definition: AnyDefinition): RecordForm<unknown, object> => ({
  collection: definition.name,
  prepare: (inputs, _state, now, work) => prepareRecords(definition, inputs, now, work),
  create: (input, draft, now, work) =>
    definition.write(new StateNames(draft, work), insertRecord(draft, definition, input, now, work)),
});

/** The operation of the history for records in fixture format, whichever way. */
export const ADD_RECORDS = 'POST /_emulator/records';

interface Target {
  readonly now: Instant;
  readonly store: Pick<StateStore, 'state'>;
  update<T>(operation: string, change: (draft: Draft) => T): T;
}

/** A record to add, or a list of records. */
type Addition<I, T extends object> = readonly [form: RecordForm<I, T>, input: I | readonly I[]];

/**
 * Adds a record, or a list of records, to each of several collections, in one commit. Each may refer to the ones before it. Every way
 * to add a record leads here.
 * @param operation that the history names
 * @returns what was added, in the order of the additions
 * @throws FixtureError with all errors of the first collection that has some; nothing has changed then
 */
export function* addRecords<I, T extends object>(
  target: Target,
  operation: string,
  additions: readonly Addition<I, T>[],
  work: Work = { isRequest: true },
): Steps<(T | T[])[]> {
  for (const [form, input] of additions) {
    yield* form.prepare(isList(input) ? input : [input], target.store.state, target.now, work);
  }
  const added = target.update(operation, (draft) =>
    additions.map(([{ collection, create }, input]) => {
      const add = (record: I) => create(record, draft, target.now, work);
      return isList(input) ? insertAll(collection, input, add) : add(input);
    }),
  );
  const results: (T | T[])[] = [];
  for (const made of added) {
    if (!Array.isArray(made)) {
      results.push(yield* settle(made));
      continue;
    }
    const list: T[] = [];
    for (const each of made) list.push(yield* settle(each));
    results.push(list);
  }
  return results;
}

const isList = <I>(input: I | readonly I[]): input is readonly I[] => Array.isArray(input);

export const makeAdders = <T extends object>({ all }: Definitions, target: Target, act: Act): T =>
  showCallers(
    mapCollections<T>(
      all,
      (definition) => (input: unknown) =>
        act(() => {
          const additions = [[asFixtures(definition), input]] as const;
          return finish(addRecords(target, ADD_RECORDS, additions, { isRequest: false }))[0];
        }),
      ({ adder }) => adder,
    ),
  );
