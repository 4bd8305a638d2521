import { Type } from 'typebox';
import type { Route } from '../../api/route.js';
import { writeState } from '../../fixtures/export-options.js';
import { record, strictObject } from '../../lib/schema.js';
import { At, getStateAt } from '../../sandbox/history.js';
import { CommitDetail, readCommit } from '../records/commit.js';
import { Selection, selectRecords } from '../records/export.js';
import { ImportGraph, readImports } from '../records/imports.js';
import { Collection, parseRecordQuery, RecordDetail, RecordPage, readRecord } from '../records/records.js';
import { resources } from '../records/resources.js';
import { Summary, summarize } from '../records/summary.js';
import { type ControlContext, controlRoute } from '../route.js';
import { sandboxRoutes } from './index.js';
import { exportedCollections } from './state.js';

/** Records on a page of a list. */
const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;

const RecordsQuery = strictObject({
  at: At,
  q: Type.Optional(Type.String({ description: 'Only records with this text in any value, ignoring case' })),
  where: Type.Optional(
    Type.String({
      description:
        'Only records with these values of fields, a JSON object: `{"privacy":"public","error":{"not":null}}`',
    }),
  ),
  sort: Type.Optional(Type.String({ description: 'A field to sort by. Default: the order of creation' })),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'Default: asc with `sort`; desc without, the newest first' }),
  ),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Records to skip',
  }),
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE, description: 'Records at most' }),
});

const ExportedRecords = record('ExportedRecords', exportedCollections);

/** The reads of records, now or as of any commit of the history. */
const inspectionRoutes = [
  controlRoute('GET', '/_emulator/summary', 'Summarize the sandbox in numbers, now or after a commit', {
    id: 'getSummary',
    query: strictObject({ at: At }),
    response: Summary,
    errors: [400, 403, 404],
    handle: ({ sandbox, storage, query: { at } }) => summarize(sandbox, at, storage),
  }),
  controlRoute('GET', '/_emulator/history/{id}', 'Get a commit with each changed record before and after it', {
    id: 'getCommit',
    params: Type.Object({ id: Type.String({ description: 'Id of a commit' }) }),
    response: CommitDetail,
    errors: [403, 404],
    handle: ({ sandbox, params: { id } }) => readCommit(sandbox.store, id),
  }),
  controlRoute('GET', '/_emulator/imports', 'Get the vals of a user, what they import and what imports them', {
    id: 'getImports',
    query: strictObject({ user: Type.String({ description: 'Username or id' }), at: At }),
    response: ImportGraph,
    errors: [400, 403, 404, 422],
    example: { query: { user: 'ada' } },
    handle: ({ sandbox, query: { user, at } }) => readImports(getStateAt(sandbox.store, at).state, user),
  }),
  controlRoute('GET', '/_emulator/records/{collection}', 'List records of a collection, now or after a commit', {
    id: 'listRecords',
    params: Type.Object({ collection: Collection }),
    query: RecordsQuery,
    response: RecordPage,
    errors: [400, 403, 404, 422],
    *handle({ sandbox, listings, params: { collection }, query: { at, offset, limit, ...others } }) {
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
      params: Type.Object({
        collection: Collection,
        id: Type.String({ description: 'Id of a record, as a list has it' }),
      }),
      query: strictObject({ at: At }),
      response: RecordDetail,
      errors: [400, 403, 404],
      handle: ({ sandbox, params: { collection, id }, query: { at } }) =>
        readRecord(getStateAt(sandbox.store, at).state, collection, id),
    },
  ),
  controlRoute('POST', '/_emulator/export', 'Export records and those that they refer to as fixtures, without tokens', {
    id: 'exportRecords',
    body: Selection,
    response: ExportedRecords,
    errors: [400, 403, 404, 422],
    example: { body: { vals: ['9a293e20-5a30-5ca8-88d4-f92c1a3fa788'] } },
    handle({ sandbox, body: { at, ...ids } }) {
      const { state, time = sandbox.clock.now.getTime() } = getStateAt(sandbox.store, at);
      return writeState(selectRecords(state, ids), time, { tokens: false, brief: true });
    },
  }),
];

/** Every operation of the control API. */
export const controlRoutes: readonly Route<ControlContext>[] = [...sandboxRoutes, ...inspectionRoutes];
