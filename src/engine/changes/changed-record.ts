import { isDeepStrictEqual } from 'node:util';
import type { Fields, Names } from '../definition/context.js';
import type { AnyDefinition, StoredSet } from '../definition/define.js';
import { findRecord, getRecordId, getRecords, listIdFields, listTargets, readIds } from '../definition/definitions.js';
import { StateNames } from '../fixtures/names.js';
import { onceFor } from '../lib/once.js';
import { diffSets } from '../state/diff.js';
import type { State } from '../state/state.js';
import type { RecordChange } from '../store/collection.js';

export const CHANGE_TYPES = ['added', 'removed', 'changed'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export type Pair<T> = readonly [before: T, after: T];

/** Stand for a secret before and after its change. */
const SECRETS = ['(secret)', '(another secret)'] as const;

/** Shows a record in fixture format, without secrets. */
export function showRecord(names: Names, { secrets = [], show, write }: AnyDefinition, record: object): object {
  const shown = (show ?? write)(names, record);
  if (secrets.length === 0) return shown;
  return Object.fromEntries(Object.entries(shown).filter(([key]) => !secrets.includes(key)));
}

/** Lists the fields that differ. Null is as good as none. */
export const listDiffering = (before: Fields = {}, after: Fields = {}): string[] =>
  Object.keys({ ...before, ...after }).filter((key) => !isDeepStrictEqual(before[key] ?? null, after[key] ?? null));

/** A record that two states do not share. What takes time to find out is found out when it is asked for. */
export class ChangedRecord {
  readonly definition: AnyDefinition;
  /** After the change, or before it if it is gone. */
  readonly record: object;
  readonly sides: Pair<object | undefined>;
  readonly states: Pair<StateNames>;
  readonly #arePartsSame: (definition: AnyDefinition) => boolean;

  constructor(
    definition: AnyDefinition,
    { record, before, after }: RecordChange<object>,
    states: Pair<StateNames>,
    arePartsSame = makePartsTest(states),
  ) {
    this.definition = definition;
    this.record = record;
    this.sides = [before, after];
    this.states = states;
    this.#arePartsSame = arePartsSame;
  }

  get collection(): string {
    return this.definition.name;
  }

  get id(): string {
    return getRecordId(getRecords(this.states[1].sets, this.collection), this.record);
  }

  get type(): ChangeType {
    const [before, after] = this.sides;
    return !before ? 'added' : !after ? 'removed' : 'changed';
  }

  get name(): string {
    return this.definition.display(this.states[this.type === 'removed' ? 0 : 1], this.record);
  }

  /** Whether the change follows from the change of another record: a deletion with it, or a part of it. */
  get isPart(): boolean {
    const { references, isPart } = this.definition;
    const [before, after] = [this.states[0].sets, this.states[1].sets];
    const isDeletedWithOther = Object.values(references).some((reference) => {
      const id = reference.id(this.record);
      return id !== undefined && !listTargets(reference).some((to) => getRecords(after, to).get(id));
    });
    return isDeletedWithOther || isPart?.(this.record, before, after) === true;
  }

  /** Whether an equal record replaced it: the same is stored of both, and of the parts of all records. */
  get isSame(): boolean {
    const { definition, record } = this;
    const [before, after] = this.sides;
    return isStoredSame(definition, { record, before, after }) && this.#arePartsSame(definition);
  }

  /** The fields that differ, without those that follow from others: `content` for bytes, which are no field. */
  get fields(): string[] {
    const { implied = [] } = this.definition;
    const differing = listDiffering(...this.omitRenamed(this.show()));
    const own = differing.filter((field) => !implied.includes(field));
    if (own.length === 0) return [differing[0] ?? 'content'];
    return own.map((field) => (field === 'updatedAt' ? 'content' : field));
  }

  read<T>(read: (names: StateNames, record: object) => T): Pair<T | undefined> {
    const [before, after] = this.sides;
    return [before && read(this.states[0], before), after && read(this.states[1], after)];
  }

  /** Shows both sides in fixture format. A secret that differs has no value. */
  show(): Pair<Fields | undefined> {
    const { secrets = [], write } = this.definition;
    const [before, after] = this.read((names, record): Fields => {
      const shown = Object.entries(showRecord(names, this.definition, record));
      return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
    });
    if (secrets.length === 0 || !before || !after) return [before, after];
    const [old = {}, now = {}] = this.read((names, record): Fields => ({ ...write(names, record) }));
    const changed = secrets.filter((key) => old[key] !== now[key]);
    const add = (fields: Fields, text: string): Fields => ({
      ...fields,
      ...Object.fromEntries(changed.map((key) => [key, text])),
    });
    return [add(before, SECRETS[0]), add(after, SECRETS[1])];
  }

  /** Shows both sides as rows: with the id, and the ids of the records that they refer to. */
  toRows(): Pair<({ readonly id: string } & Fields) | undefined> {
    const [before, after] = this.show();
    const { id, definition } = this;
    const [old, now] = this.read((_, record) => readIds(listIdFields(definition), record));
    return [before && { id, ...before, ...old }, after && { id, ...after, ...now }];
  }

  /** Omits the names of other records whose ids are the same. */
  omitRenamed([before, after]: Pair<Fields | undefined>): Pair<Fields | undefined> {
    const [old, now] = this.sides;
    if (!before || !after || !old || !now) return [before, after];
    const { references } = this.definition;
    const isKept = (key: string) =>
      references[key] === undefined || references[key].id(old) !== references[key].id(now);
    const omit = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([key]) => isKept(key)));
    return [omit(before), omit(after)];
  }
}

function isStoredSame({ stored, bytes }: StoredSet, { before, after }: RecordChange<object>): boolean {
  if (!before || !after) return false;
  if (bytes && !isDeepStrictEqual(bytes(before), bytes(after))) return false;
  return stored ? isDeepStrictEqual(stored.encode(before), stored.encode(after)) : isDeepStrictEqual(before, after);
}

/** Makes a test whether the parts of all records of a collection are stored alike. It compares them at its first call. */
const makePartsTest = ([{ sets: before }, { sets: after }]: Pair<StateNames>) =>
  onceFor(({ parts = [] }: AnyDefinition) =>
    [...diffSets(before, after, parts)].every(({ set, changes }) =>
      changes.every((change) => isStoredSame(set, change)),
    ),
  );

/** The changed records of a collection. */
interface ChangedCollection {
  readonly definition: AnyDefinition;
  readonly changes: readonly ChangedRecord[];
}

/** Finds the records that two states do not share, by collection. Costs in proportion to them. */
export function* walkChanges(before: State, after: State): Generator<ChangedCollection> {
  const states = [new StateNames(before), new StateNames(after)] as const;
  const arePartsSame = makePartsTest(states);
  for (const { set, changes } of diffSets(before, after, after.definitions.all))
    yield { definition: set, changes: changes.map((change) => new ChangedRecord(set, change, states, arePartsSame)) };
}

/** Finds a record if two states do not share it. */
export function findChange(
  definition: AnyDefinition,
  id: string,
  before: State,
  after: State,
): ChangedRecord | undefined {
  const [old, now] = [findRecord(before, definition, id), findRecord(after, definition, id)];
  const record = now ?? old;
  if (old === now || !record) return undefined;
  const states = [new StateNames(before), new StateNames(after)] as const;
  return new ChangedRecord(definition, { record, before: old, after: now }, states);
}
