import { showRecord } from '../changes/changed-record.js';
import type { AnyDefinition } from '../definition/define.js';
import {
  type Definitions,
  findRecord,
  getRecordId,
  getRecords,
  listIdFields,
  listReferred,
  readIds,
} from '../definition/definitions.js';
import { compareSerials } from '../fixtures/export.js';
import { StateNames } from '../fixtures/names.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import type { Steps } from '../lib/steps.js';
import { findId } from '../sandbox/record-references.js';
import type { State } from '../state/state.js';
import { isPlain, type Listing, pageRange, RecordListing, type RecordQuery, type Row } from './listing.js';

/** Defines how the records of a collection are read as rows. */
function defineResource(definition: AnyDefinition, definitions: Definitions) {
  const { name: collection, secrets = [], unwritten = [], schema, byAge } = definition;
  const records = (state: State) => getRecords(state, collection);
  /** The collections whose records a row names. */
  const named = listReferred(definitions, collection).filter((name) => name !== collection);
  const referring = listIdFields(definition);
  /**
   * The fields that refer to other records, each with the field for the id: `{ author: 'userId' }`. json-server joins
   * records by the ids: `_expand=user` reads `userId`.
   */
  const references = Object.fromEntries(referring.map(({ field, idField }) => [field, idField]));
  /** What finds records by the id of another one, by an index. */
  const indexes: NonNullable<AnyDefinition['lookups']> = {
    ...Object.fromEntries(referring.map(({ idField, find }) => [idField, { find }])),
    ...definition.lookups,
  };
  const toRow = (state: State, record: object, names = new StateNames(state)): Row => {
    const id = getRecordId(records(state), record);
    return { id, ...showRecord(names, definition, record), ...readIds(referring, record) };
  };
  const compare = definition.compare ?? compareSerials;
  const list = (state: State): Iterable<object> =>
    definition.list?.(records(state), state) ?? [...records(state)].sort(compare);
  const hidden = [...secrets, ...unwritten];
  const fields = [...new Set(['id', ...Object.keys(schema.properties), ...Object.values(references)])].filter(
    (field) => !hidden.includes(field),
  );
  const toSource = (state: State, found: Iterable<object> = records(state)) => {
    const names = new StateNames(state);
    return {
      records: found,
      toRow: (record: object) => toRow(state, record, names),
      compare: definition.compareAge ?? compare,
    };
  };
  function* search(state: State, query: RecordQuery): Steps<Listing> {
    if (byAge && isPlain(query)) {
      const range = byAge(records(state));
      const readPage = pageRange(range, query.order === 'asc');
      const { toRow } = toSource(state);
      const page = (offset: number, limit: number) => readPage(offset, limit).map(toRow);
      return { total: range.length, page };
    }
    const { [indexedBy(query)]: value, ...where } = query.where ?? {};
    const findByIndex = indexes[indexedBy(query)];
    if (!findByIndex) return follow(state, yield* RecordListing.make(toSource(state), query));
    return yield* RecordListing.make(toSource(state, findByIndex.find(records(state), String(value))), {
      ...query,
      where,
    });
  }
  const indexedBy = ({ where = {} }: RecordQuery): string =>
    Object.keys(indexes).find((field) => typeof where[field] === 'string') ?? '';
  /** Lets a listing of all records be made again from what changed. */
  const follow = (before: State, listing: RecordListing<object>): Listing => ({
    total: listing.total,
    page: (offset, limit) => listing.page(offset, limit),
    update(state) {
      const isRenamed = named.some((name) => getRecords(state, name) !== getRecords(before, name));
      if (!listing.isPlain && isRenamed) return undefined;
      const changes = records(state).diff(records(before));
      const removed = changes.flatMap((change) => change.before ?? []);
      const added = changes.flatMap((change) => change.after ?? []);
      const changed = listing.change(toSource(state, added), removed);
      return (function* () {
        return follow(state, yield* changed);
      })();
    },
  });
  return {
    collection,
    references,
    records,
    definition,
    toRow,
    /**
     * Returns the record of an id, or of a reference as fixtures have it: `ada/hello`, or the name of an owner that has one record.
     * @throws NotFoundError
     */
    get(state: State, reference: string): object {
      const id = findId(state, definition, reference);
      const found = id === undefined ? definition.naming?.find(state, reference) : findRecord(state, definition, id);
      if (found) return found;
      const { suggest, usage = '' } = definition.naming ?? {};
      const hint = suggest?.(state, reference, []) || usage;
      throw new NotFoundError(`There is no record ${formatValue(reference)} in ${collection}.${hint}`);
    },
    /** The fields of a row, and those that records can be found by. */
    fields,
    criteria: [...new Set([...fields, ...Object.keys(indexes)])],
    /** The parts of a state that the rows depend on. */
    listInputs: (state: State): unknown[] => [collection, ...named].map((name) => getRecords(state, name)),
    /** Makes a listing, by default newest first. O(n), or by an index if it has a field of `where`. */
    search,
    list: (state: State): Row[] => Array.from(list(state), (record) => toRow(state, record)),
    find(state: State, id: string): Row | undefined {
      const record = findRecord(state, definition, id);
      return record && toRow(state, record);
    },
  };
}

/** How the records of a collection are found and shown. */
export type Resource = ReturnType<typeof defineResource>;

/** The rows of each collection of a service, as `/_emulator/records` and json-server show them. */
export class Resources {
  readonly #byName: ReadonlyMap<string, Resource>;

  constructor(definitions: Definitions) {
    this.#byName = new Map(definitions.all.map((each) => [each.name, defineResource(each, definitions)]));
  }

  find(collection: string): Resource | undefined {
    return this.#byName.get(collection);
  }

  /** @throws Error for an unknown collection */
  get(collection: string): Resource {
    const resource = this.find(collection);
    if (!resource) throw new Error(`no collection ${collection}`);
    return resource;
  }

  /** In the order of the collections. */
  list(): Iterable<Resource> {
    return this.#byName.values();
  }
}
