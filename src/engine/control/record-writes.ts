import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import type { Definitions } from '../definition/definitions.js';
import type { Steps } from '../lib/steps.js';
import { addRecords } from '../sandbox/adder.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { mapOf, strictObject } from '../schema/schema.js';
import type { Draft } from '../state/state.js';
import type { Row } from './listing.js';
import { type Change, defineWriter, type Fixture, type RecordWriter } from './record-writer.js';
import { RowSchema, toCollection, toRecordPath } from './records.js';
import type { Resources } from './resources.js';
import { type ControlContext, controlRoute } from './route.js';

/** Where a record is written, and by which operation of the history. */
interface WriteTarget {
  readonly resources: Resources;
  readonly sandbox: Sandbox;
  readonly collection: string;
  readonly operation: string;
}

const writerOf = ({ resources, collection }: WriteTarget): RecordWriter => defineWriter(resources.get(collection));

/** Commits a change. Reads see it once it is durable. */
const commit = <T>({ sandbox, operation }: WriteTarget, change: (draft: Draft) => T): T =>
  sandbox.update(operation, change);

/** Adds a row, or a list of rows. @throws FixtureError; nothing has changed then */
export function* createRecords(target: WriteTarget, input: Fixture | readonly Fixture[]): Steps<Row | Row[]> {
  const [added = []] = yield* addRecords(target.sandbox, target.operation, [[writerOf(target), input]]);
  return added;
}

/** Replaces the record that has an id or a name. @throws FixtureError, NotFoundError; nothing has changed then */
export function* replaceRecord(target: WriteTarget, reference: string, change: Change): Steps<Row> {
  const { sandbox, resources, collection } = target;
  const { get, toRow } = resources.get(collection);
  const row = toRow(sandbox.store.state, get(sandbox.store.state, reference));
  const { id } = row;
  if (isDeepStrictEqual({ id, ...change(row) }, row)) return row;
  const writer = writerOf(target);
  const scripts = yield* writer.prepareChange(id, change, sandbox.store.state, sandbox.now);
  return commit(target, (draft) => writer.replace(id, change, draft, sandbox.now, scripts));
}

/** Deletes a record and what refers to it. @throws NotFoundError */
export const deleteRecord = (target: WriteTarget, id: string): void =>
  commit(target, (draft) => writerOf(target).remove(id, draft));

/** Validated as fixtures are, once it is written. */
const Given = mapOf(Type.Unknown(), { expected: 'a record' });

/** A record of the default dataset of vals. */
const ADA = { collection: 'users', id: 'be0f9326-7a56-5ddf-8ad9-27db3ddc9a4f' };

const PATH = '/_emulator/records/{collection}/{id}';
/** It has no `at`: a write changes the current state. */
const NoQuery = strictObject({});

/** The operation of a route in the history: with the collection, without the id. */
const targetOf = (
  method: string,
  { emulator: { resources }, sandbox, params: { collection } }: ControlContext & { params: { collection: string } },
  path = PATH,
): WriteTarget => ({
  ...{ resources, sandbox, collection, operation: `${method} ${path.replace('{collection}', collection)}` },
});

export function makeRecordWriteRoutes(definitions: Definitions) {
  const RecordPath = toRecordPath(definitions);
  return [
    controlRoute(
      'POST',
      '/_emulator/records/{collection}',
      'Add a record or a list to a collection, in fixture format',
      {
        id: 'createRecord',
        params: Type.Object({ collection: toCollection(definitions) }),
        query: NoQuery,
        body: Type.Union([Given, Type.Array(Given)], { expected: 'a record, or a list of records' }),
        status: 201,
        response: Type.Union([RowSchema, Type.Array(RowSchema)]),
        errors: [400, 403, 422],
        example: {
          params: { collection: 'users' },
          body: { username: 'hopper', bio: 'Finds bugs.' },
        },
        handle: ({ body, ...context }) =>
          createRecords(targetOf('POST', context, '/_emulator/records/{collection}'), body),
      },
    ),
    controlRoute('PUT', PATH, 'Replace a record, in fixture format', {
      id: 'replaceRecord',
      params: RecordPath,
      query: NoQuery,
      body: Given,
      response: RowSchema,
      errors: [400, 403, 404, 422],
      example: { params: ADA, body: { username: 'ada', bio: 'Counts.' } },
      handle: ({ body, ...context }) => replaceRecord(targetOf('PUT', context), context.params.id, () => body),
    }),
    controlRoute('PATCH', PATH, 'Change fields of a record', {
      id: 'changeRecord',
      params: RecordPath,
      query: NoQuery,
      body: Given,
      response: RowSchema,
      errors: [400, 403, 404, 422],
      example: { params: ADA, body: { bio: 'Counts.' } },
      handle: ({ body, ...context }) =>
        replaceRecord(targetOf('PATCH', context), context.params.id, (row) => ({ ...row, ...body })),
    }),
    controlRoute('DELETE', PATH, 'Delete a record and what refers to it', {
      id: 'deleteRecord',
      params: RecordPath,
      query: NoQuery,
      errors: [400, 403, 404],
      example: { params: ADA },
      handle: (context) => deleteRecord(targetOf('DELETE', context), context.params.id),
    }),
  ];
}
