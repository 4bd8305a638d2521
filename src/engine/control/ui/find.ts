import { Type } from 'typebox';
import { At, getStateAt } from '../../sandbox/history-entries.js';
import { record, strictObject } from '../../schema/schema.js';
import { controlRoute, forPage } from '../route.js';

const Found = record('FoundRecord', {
  collection: Type.String(),
  id: Type.String(),
  name: Type.String({ description: 'As commits name it: `ada/hello`' }),
  file: Type.Optional(Type.String({ description: 'Path of a file of the record, if that was found' })),
});

/** Records in a response. */
const DEFAULT_FOUND = 20;
const MAX_FOUND = 100;
export const findRoutes = [
  forPage(
    controlRoute('GET', '/_emulator/find', 'Find records of any collection by id, name or path of a file, best first', {
      id: 'findRecords',
      query: strictObject({
        q: Type.String({
          maxLength: 200,
          description: 'An id or its first letters, a part of a name or path, or a reference such as `users/<id>`',
        }),
        at: At,
        limit: Type.Integer({ minimum: 1, maximum: MAX_FOUND, default: DEFAULT_FOUND, description: 'Records at most' }),
      }),
      response: Type.Array(Found),
      errors: [400, 403, 404],
      example: { query: { q: 'ada/hello' } },
      async handle({ sandbox, query: { q, at, limit } }) {
        const { state } = getStateAt(sandbox.store, at);
        const { findRecords } = await import('./find-records.js');
        return findRecords(state, q, limit);
      },
    }),
  ),
];
