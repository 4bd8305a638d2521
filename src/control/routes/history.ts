import * as z from 'zod';
import { noBody } from '../../contract/route.js';
import { controlRoute } from '../route.js';

const Names = z.array(z.string()).readonly();
const HistoryEntry = z.strictObject({
  id: z.string(),
  request: z.string(),
  time: z.iso.datetime(),
  changes: z.record(z.string(), z.strictObject({ added: Names, changed: Names, removed: Names })),
});

export const historyRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/history',
    summary: 'The last 100 writes, newest last: what made them and what they changed',
    request: {},
    status: 200,
    answer: z.array(HistoryEntry),
    errors: [403],
    handle: ({ sandbox }) => sandbox.history(),
  }),
  controlRoute({
    method: 'POST',
    path: '/_emulator/rewind',
    summary: 'Go back by some writes, or to just before a request',
    request: {
      body: z
        .strictObject({ steps: z.int().min(1).optional(), before: z.string().optional() })
        .refine(({ steps, before }) => (steps === undefined) !== (before === undefined), {
          error: 'must have exactly one of steps and before',
        }),
    },
    status: 204,
    answer: noBody,
    errors: [400, 403, 404],
    example: { body: { before: 'r1' } },
    handle: ({ sandbox, body }) => sandbox.rewind(body.steps ?? body.before ?? 0),
  }),
];
