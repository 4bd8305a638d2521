import { Type } from 'typebox';
import type { Definitions } from '../definition/definitions.js';
import { mapOf, strictObject } from '../schema/schema.js';
import type { WriteTarget } from './record-writer.js';
import * as lateWriter from './record-writer.js';
import { RowSchema, toCollection, toRecordPath } from './records.js';
import { type ControlContext, controlRoute } from './route.js';

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
          lateWriter.createRecords(targetOf('POST', context, '/_emulator/records/{collection}'), body),
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
      handle: ({ body, ...context }) =>
        lateWriter.replaceRecord(targetOf('PUT', context), context.params.id, () => body),
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
        lateWriter.replaceRecord(targetOf('PATCH', context), context.params.id, (row) => ({ ...row, ...body })),
    }),
    controlRoute('DELETE', PATH, 'Delete a record and what refers to it', {
      id: 'deleteRecord',
      params: RecordPath,
      query: NoQuery,
      errors: [400, 403, 404],
      example: { params: ADA },
      handle: (context) => lateWriter.removeRecord(targetOf('DELETE', context), context.params.id),
    }),
  ];
}
