import { Type } from 'typebox';
import { strictObject } from '../../lib/schema.js';
import { HistoryEntry } from '../history.js';
import { controlRoute } from '../route.js';

const RewindBody = strictObject(
  {
    steps: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of commits to take back' })),
    before: Type.Optional(Type.String({ description: 'Id of the first commit to take back' })),
  },
  { minProperties: 1, maxProperties: 1, expected: 'exactly one of steps and before' },
);

export const historyRoutes = [
  controlRoute('GET', '/_emulator/history', 'List the last 100 commits, newest last, with what they changed', {
    response: Type.Array(HistoryEntry),
    handle: ({ sandbox }) => sandbox.history(),
  }),
  controlRoute('POST', '/_emulator/rewind', 'Take back commits', {
    body: RewindBody,
    errors: [400, 403, 404],
    example: { body: { before: 'r1' } },
    handle: ({ sandbox, body }) => sandbox.rewind(body.steps ?? body.before ?? 0),
  }),
];
