import type { Fields } from '../definition/context.js';
import type { AnyDefinition } from '../definition/define.js';
import { type Definitions, getRecords, mapCollections } from '../definition/definitions.js';
import { toNoun } from '../definition/nouns.js';
import { finish, isSteps, mapLazily, mapResult, type Steps, settle, sortInSteps } from '../lib/steps.js';
import type { State } from '../state/state.js';
import { StateNames } from './names.js';

/**
 * Exports the records of a state as fixtures. Loaded again, they give the same responses to the byte.
 * @param secrets whether withheld secrets are exported. Default: null stands for each
 */
export function exportState<T extends object>(state: State, secrets = false): T {
  const rows = finish(exportInSteps(state, secrets));
  return mapCollections<T>(state.definitions.all, ({ name }) =>
    Array.from(rows[name] ?? [], (row) => finish(settle(row))),
  );
}

/** Sorts the records of a state. Each is exported when it is read. */
export function* exportInSteps(
  state: State,
  secrets: boolean,
): Steps<Record<string, Iterable<object | Steps<object>>>> {
  const names = new StateNames(state);
  const rows: Record<string, Iterable<object | Steps<object>>> = {};
  for (const definition of state.definitions.all) {
    const records = yield* selectRecords(state, definition);
    const written = mapLazily(records, (record) => definition.write(names, record));
    rows[definition.name] = secrets ? written : withhold(written, definition);
  }
  return rows;
}

/** Acts on exported rows, some of which are steps that make them. */
export const mapRows = (rows: Iterable<object | Steps<object>>, map: (row: Fields) => Fields): typeof rows =>
  mapLazily(rows, (row) =>
    isSteps<Steps<object>>(row) ? mapResult(row, (made) => map({ ...made })) : map({ ...row }),
  );

/** Puts null in place of secrets that are exported on request only. */
function withhold(rows: Iterable<object | Steps<object>>, { withheld = [] }: AnyDefinition): typeof rows {
  if (withheld.length === 0) return rows;
  const nulls = (row: Fields) => Object.fromEntries(withheld.flatMap((key) => (key in row ? [[key, null]] : [])));
  return mapRows(rows, (row) => ({ ...row, ...nulls(row) }));
}

/** Selects and orders the records of a collection for export. */
export function* selectRecords(state: State, { name, select }: AnyDefinition): Steps<Iterable<object>> {
  const records = getRecords(state, name);
  if (select) return yield* select(records, state);
  const [first] = records;
  return first && 'serial' in first ? yield* sortInSteps(records, compareSerials) : records;
}

const getSerial = (record: object): number => ('serial' in record ? Number(record.serial) : 0);
export const compareSerials = (a: object, b: object): number => getSerial(a) - getSerial(b);

/** Counts the records of each collection. The versions include the latest of each val. */
export const countRecords = (state: State): Readonly<Record<string, number>> =>
  Object.fromEntries(state.definitions.names.map((name) => [name, getRecords(state, name).size]));

/** Formats the numbers of records: `2 users, 1 val`. Leaves out collections without records. */
export function describeCounts(counts: Readonly<Record<string, number>>, { byName }: Definitions): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const describe = ([collection, count]: [string, number]): string => {
    const name = byName.get(collection)?.plural ?? collection;
    return `${count.toLocaleString('en')} ${count === 1 ? toNoun(name) : name}`;
  };
  return parts.map(describe).join(', ') || 'no records';
}
