import type { Instant } from '../../domain/clock.js';
import type { State } from '../../domain/state.js';
import { FixtureError, type Problem, show } from '../../fixtures/problems.js';
import { COLLECTIONS, type CollectionName } from '../../fixtures/schema.js';
import { type References, resolveReferences } from './references.js';

/** A record as the browser shows it and json-server writes it: in fixture shape, with its id and the ids of what it names. */
export interface Entry {
  id: string;
  [field: string]: unknown;
}

/** What is known of a collection: how its records are found, shown, written and removed. */
interface Spec<R> {
  readonly collection: CollectionName;
  readonly references: References;
  /** In the order in which fixtures have them. */
  all(state: State): Iterable<R>;
  find(state: State, id: string): R | undefined;
  show(state: State, record: R): Entry;
  /**
   * Checks a fixture and writes what it describes, in place of `old` if that is given. Undefined if it wrote nothing.
   * Throws a FixtureError; the state is then to be dropped.
   */
  put(state: State, fixture: Fixture, now: Instant, old: R | undefined): R | undefined;
  /** Takes along what cannot be without the record. */
  remove(state: State, record: R): void;
}

/** A fixture record that was not checked yet. */
export type Fixture = Readonly<Record<string, unknown>>;

/** One collection of a state, as json-server has it. */
export interface Table {
  readonly references: References;
  entries(state: State): Entry[];
  /** Whether the record of this id is the same in both states. */
  isSame(a: State, b: State, id: string): boolean;
  /** Writes `next`, which json-server made of `entry` if that is given, and shows the outcome. Throws a FixtureError. */
  put(state: State, now: Instant, entry: Entry | undefined, next: Fixture): Entry;
  remove(state: State, entry: Entry): void;
}

export const table = <R>({ collection, references, all, find, show: view, put, remove }: Spec<R>): Table => ({
  references,
  entries: (state) => Array.from(all(state), (record) => view(state, record)),
  isSame: (a, b, id) => find(a, id) === find(b, id),
  put(state, now, entry, next) {
    const { fixture, claims } = resolveReferences(next, entry, references);
    const { id, ...rest } = fixture;
    const hasId = 'id' in COLLECTIONS[collection].shape;
    const record = put(state, hasId ? fixture : rest, now, entry && find(state, entry.id));
    if (record === undefined) throw new Error(`nothing was written to ${collection}`);
    const outcome = view(state, record);
    check(hasId ? claims : { ...claims, id }, outcome, collection.slice(0, -1));
    return outcome;
  },
  remove(state, entry) {
    const record = find(state, entry.id);
    if (record !== undefined) remove(state, record);
  },
});

/** Fields that follow from others may be left out, but must not say anything else. */
function check(claims: Fixture, outcome: Entry, noun: string): void {
  const problems = Object.entries(claims).flatMap(([field, found]): Problem[] => {
    if (found === undefined || found === outcome[field]) return [];
    const message = `found ${show(found)}; expected ${JSON.stringify(outcome[field])}, which follows from the other fields.`;
    return [{ place: `${noun}.${field}`, message }];
  });
  if (problems.length > 0) throw new FixtureError(problems, noun);
}
