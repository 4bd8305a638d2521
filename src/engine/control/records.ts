import { type Static, Type } from 'typebox';
import { type Definitions, findRecord, listTargets } from '../definition/definitions.js';
import { toIdField } from '../definition/nouns.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import type { Steps } from '../lib/steps.js';
import { At, AtQuery, getStateAt } from '../sandbox/history-entries.js';
import { JsonText, mapOf, record, strictObject } from '../schema/schema.js';
import type { State } from '../state/state.js';
import type { Listing, RecordQuery, Row } from './listing.js';
import type { Resource, Resources } from './resources.js';
import { controlRoute } from './route.js';

export const toCollection = ({ names }: Definitions) => Type.Enum([...names], { description: 'Name of a collection' });

export const toRecordPath = (definitions: Definitions) =>
  Type.Object({
    collection: toCollection(definitions),
    id: Type.String({ description: 'Id of a record, or its name as fixtures have it: `ada/hello`' }),
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

const toRecordDetail = (definitions: Definitions) =>
  record('RecordDetail', {
    record: RowSchema,
    related: mapOf(
      record('RelatedRecords', { collection: toCollection(definitions), total: Type.Integer(), records: Rows }),
    ),
  });
type RecordDetail = Static<ReturnType<typeof toRecordDetail>>;

/**
 * Reads the query of a list.
 * @param where JSON object of fields and values
 * @throws OptionsError for a `where` that is not a JSON object, and for unknown fields
 */
function parseRecordQuery(
  { collection, fields, criteria }: Resource,
  { where: text, ...others }: Omit<RecordQuery, 'where'> & { readonly where?: string | undefined },
): RecordQuery {
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
function* readRecord(resources: Resources, state: State, collection: string, id: string): Steps<RecordDetail> {
  const { get, toRow } = resources.get(collection);
  const row = toRow(state, get(state, id));
  const related: RecordDetail['related'] = {};
  for (const [name, [other, found]] of Object.entries(listRelations(resources, state, collection, row))) {
    const listing = 'total' in found ? found : yield* found;
    related[name] = { collection: other, total: listing.total, records: listing.page(0, MAX_RELATED) };
  }
  return { record: row, related };
}

type Related = Readonly<Record<string, readonly [collection: string, Listing | Steps<Listing>]>>;

/** Finds the field with the id of a record that may be of one of two collections. */
const findSharedField = ({ definition, references }: Resource, collection: string): string | undefined =>
  Object.entries(definition.references).flatMap(([name, reference]) =>
    reference.orTo !== undefined && listTargets(reference).includes(collection) ? (references[name] ?? []) : [],
  )[0];

/** Lists the records that a record refers to, then those that refer to it. */
function listRelations(resources: Resources, state: State, collection: string, row: Row): Related {
  const idField = toIdField(collection);
  /** Lists records by their ids. Skips unknown ids. */
  const byId = (other: string, ids: readonly string[]) => {
    const rows = ids.flatMap((id) => resources.get(other).find(state, id) ?? []);
    const page = (offset: number, limit: number) => rows.slice(offset, offset + limit);
    return [other, { total: rows.length, page }] as const;
  };
  const { definition } = resources.get(collection);
  const record = findRecord(state, definition, row.id);
  const forward = Object.entries(definition.references).flatMap(([name, reference]) => {
    const id = row[resources.get(collection).references[name] ?? ''];
    if (typeof id !== 'string') return [];
    const to = listTargets(reference).find((target) => resources.get(target).find(state, id));
    return [[name, byId(to ?? reference.to, [id])] as const];
  });
  const back = [...resources.list()].flatMap((other) => {
    const field = other.criteria.includes(idField) ? idField : findSharedField(other, collection);
    if (field === undefined) return [];
    return [[other.collection, [other.collection, other.search(state, { where: { [field]: row.id } })]] as const];
  });
  const others = Object.entries((record && definition.relations?.(state, record)) ?? {}).map(
    ([name, [other, ids]]) => [name, byId(other, ids)] as const,
  );
  return Object.fromEntries<Related[string]>([...forward, ...back, ...others]);
}

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;

export const PageLimits = {
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Items to skip',
  }),
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE, description: 'Records at most' }),
};

const RecordsQuery = strictObject({
  at: At,
  q: Type.Optional(Type.String({ description: 'A text in any value' })),
  where: Type.Optional(JsonText(Type.Object({}, { description: 'Values of fields: `{"error":{"not":null}}`' }))),
  sort: Type.Optional(Type.String({ description: 'A field. Default: the time' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Default: desc, and asc with `sort`' })),
  ...PageLimits,
});

export function makeRecordRoutes(definitions: Definitions) {
  const collectionPath = Type.Object({ collection: toCollection(definitions) });
  return [
    controlRoute('GET', '/_emulator/records/{collection}', 'List records of a collection', {
      id: 'listRecords',
      tool: 'records',
      params: collectionPath,
      query: RecordsQuery,
      response: RecordPage,
      errors: [400, 403, 404, 422],
      *handle({ emulator, sandbox, params: { collection }, query: { at, offset, limit, ...others } }) {
        const { state } = getStateAt(sandbox.store, at);
        const resource = emulator.resources.get(collection);
        const query = parseRecordQuery(resource, others);
        const key = JSON.stringify([collection, at, query]);
        const listing = yield* emulator.listings.get(sandbox, key, state, resource.listInputs(state), () =>
          resource.search(state, query),
        );
        return { total: listing.total, offset, records: listing.page(offset, limit) };
      },
    }),
    controlRoute(
      'GET',
      '/_emulator/records/{collection}/{id}',
      'Get a record and its related records, now or after a commit',
      {
        id: 'getRecord',
        params: toRecordPath(definitions),
        query: AtQuery,
        response: toRecordDetail(definitions),
        errors: [400, 403, 404],
        handle: ({ emulator: { resources }, sandbox, params: { collection, id }, query: { at } }) =>
          readRecord(resources, getStateAt(sandbox.store, at).state, collection, id),
      },
    ),
  ];
}
