import { type Static, Type } from 'typebox';
import { COLLECTION_NAMES, type CollectionName } from '#vals/collections/index.js';
import { findImported, listImporters } from '#vals/model/references.js';
import { toNoun } from '../definition/define.js';
import { getRecordId } from '../definition/definitions.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { record, strictObject } from '../lib/schema.js';
import type { Steps } from '../lib/steps.js';
import { At, AtQuery, getStateAt } from '../sandbox/history.js';
import type { State } from '../state/state.js';
import type { Listing, RecordQuery, Row } from './listing.js';
import { noRecord, resources } from './resources.js';
import { controlRoute } from './route.js';

export const Collection = Type.Enum([...COLLECTION_NAMES], { description: 'Name of a collection' });

export const RecordPath = Type.Object({
  collection: Collection,
  id: Type.String({ description: 'Id of a record, as a list has it' }),
});

export const RowSchema = Type.Object(
  { id: Type.String() },
  {
    title: 'Row',
    additionalProperties: true,
    description: 'A record in fixture format, with the ids of the records that it refers to',
  },
);
const Rows = Type.Array(RowSchema);

const RecordPage = record('RecordPage', { total: Type.Integer(), offset: Type.Integer(), records: Rows });

const RelatedRecords = record('RelatedRecords', { collection: Collection, total: Type.Integer(), records: Rows });

const RecordDetail = record('RecordDetail', {
  record: RowSchema,
  related: Type.Record(Type.String(), RelatedRecords),
});

/**
 * Reads the query of a list.
 * @param where JSON object of fields and values
 * @throws OptionsError for a `where` that is not a JSON object, and for unknown fields
 */
function parseRecordQuery(
  collection: CollectionName,
  { where: text, ...others }: Omit<RecordQuery, 'where'> & { readonly where?: string | undefined },
): RecordQuery {
  const { fields, criteria } = resources[collection];
  const where = text === undefined ? {} : parseObject(text);
  const problems: Problem[] = [];
  const check = (path: string, field: string, known: readonly string[]) => {
    if (known.includes(field)) return;
    const hint = didYouMean(field, known) || ` Fields: ${known.join(', ')}.`;
    problems.push({ path, message: `${collection} have no field ${formatValue(field)}.${hint}` });
  };
  for (const field of Object.keys(where)) check('where', field, criteria);
  if (others.sort !== undefined) check('sort', others.sort, fields);
  if (problems.length > 0) throw new OptionsError(problems);
  return { ...others, where };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below, as a value that is not an object.
  }
  if (isObject(value)) return value;
  const message = `found ${formatValue(text)}; expected a JSON object such as {"privacy":"public"}.`;
  throw new OptionsError([{ path: 'where', message }]);
}

/** Records related to one, shown with it. */
const MAX_RELATED = 20;

/**
 * Reads a record with the first of its related records.
 * @throws NotFoundError
 */
function* readRecord(state: State, collection: CollectionName, id: string): Steps<Static<typeof RecordDetail>> {
  const row = resources[collection].find(state, id);
  if (!row) throw noRecord(collection, id);
  const related: Static<typeof RecordDetail>['related'] = {};
  for (const [name, [other, found]] of Object.entries(listRelations(state, collection, row))) {
    const listing = 'total' in found ? found : yield* found;
    related[name] = { collection: other, total: listing.total, records: listing.page(0, MAX_RELATED) };
  }
  return { record: row, related };
}

type Relations = Readonly<Record<string, readonly [CollectionName, Listing | Steps<Listing>]>>;

/** Lists the records of a collection with a value of a field. */
const where = (state: State, collection: CollectionName, field: string, value: unknown) =>
  [collection, resources[collection].search(state, { where: { [field]: value } })] as const;

/** Lists records by their ids. Skips unknown ids. */
const byId = (state: State, collection: CollectionName, ids: readonly unknown[]) => {
  const rows = ids.flatMap((id): Row[] => {
    const row = typeof id === 'string' ? resources[collection].find(state, id) : undefined;
    return row ? [row] : [];
  });
  return [
    collection,
    { total: rows.length, page: (offset: number, limit: number) => rows.slice(offset, offset + limit) },
  ] as const;
};

/** Relations that no field or index has. */
const otherRelations: Readonly<Partial<Record<CollectionName, (state: State, row: Row) => Relations>>> = {
  vals(state, { id }) {
    const val = state.vals.get(id);
    const imported = val?.latest.imports.map((target) => findImported(state, target)?.id) ?? [];
    const importers = val ? listImporters(state, val).map((importer) => importer.id) : [];
    return { imports: byId(state, 'vals', imported), importers: byId(state, 'vals', importers) };
  },
  runs: (state, { id, valId, version, parentId }) => ({
    version: byId(
      state,
      'versions',
      [...state.versions.range(String(valId), Number(version))].map((found) => getRecordId(state.versions, found)),
    ),
    parent: byId(state, 'runs', parentId === id ? [] : [parentId]),
    children: byId(state, 'runs', listChildren(state, id)),
  }),
};

/** Lists the records that a record refers to, then those that refer to it. */
function listRelations(state: State, collection: CollectionName, row: Row): Relations {
  const idField = `${toNoun(collection)}Id`;
  const forward = Object.entries(resources[collection].references).map(
    ([name, field]) => [name, byId(state, field === 'userId' ? 'users' : 'vals', [row[field]])] as const,
  );
  const back = COLLECTION_NAMES.filter((name) => resources[name].criteria.includes(idField));
  return {
    ...Object.fromEntries(forward),
    ...Object.fromEntries(back.map((name) => [name, where(state, name, idField, row.id)])),
    ...otherRelations[collection]?.(state, row),
  };
}

/** Lists the ids of the runs that a run started, newest first. O(n). */
const listChildren = (state: State, id: string): string[] =>
  [...state.runs]
    .filter((run) => run.parentId === id && run.id !== id)
    .sort((a, b) => b.serial - a.serial)
    .map((run) => run.id);

/** Records on a page of a list. */
const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;

/** Selects a page of a list, in a query. */
export const PageLimits = {
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Records to skip',
  }),
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE, description: 'Records at most' }),
};

const RecordsQuery = strictObject({
  at: At,
  q: Type.Optional(Type.String({ description: 'Only records with this text in any value, ignoring case' })),
  where: Type.Optional(
    Type.String({
      description:
        'Only records with these values of fields, a JSON object: `{"privacy":"public","error":{"not":null}}`',
    }),
  ),
  sort: Type.Optional(
    Type.String({ description: 'A field to sort by. Default: the time of creation, or of the start of a run' }),
  ),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'Default: asc with `sort`; desc without, the newest first' }),
  ),
  ...PageLimits,
});

export const recordRoutes = [
  controlRoute('GET', '/_emulator/records/{collection}', 'List records of a collection, now or after a commit', {
    id: 'listRecords',
    tool: 'records',
    params: Type.Object({ collection: Collection }),
    query: RecordsQuery,
    response: RecordPage,
    errors: [400, 403, 404, 422],
    *handle({ emulator: { listings }, sandbox, params: { collection }, query: { at, offset, limit, ...others } }) {
      const { state } = getStateAt(sandbox.store, at);
      const query = parseRecordQuery(collection, others);
      const { listInputs, search } = resources[collection];
      const key = JSON.stringify([collection, at, query]);
      const listing = yield* listings.get(sandbox, key, state, listInputs(state), () => search(state, query));
      return { total: listing.total, offset, records: listing.page(offset, limit) };
    },
  }),
  controlRoute(
    'GET',
    '/_emulator/records/{collection}/{id}',
    'Get a record and its related records, now or after a commit',
    {
      id: 'getRecord',
      params: RecordPath,
      query: AtQuery,
      response: RecordDetail,
      errors: [400, 403, 404],
      handle: ({ sandbox, params: { collection, id }, query: { at } }) =>
        readRecord(getStateAt(sandbox.store, at).state, collection, id),
    },
  ),
];
