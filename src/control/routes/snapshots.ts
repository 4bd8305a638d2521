import * as z from 'zod';
import { noBody } from '../../contract/route.js';
import { controlRoute } from '../route.js';

const SnapshotPath = z.object({ name: z.string().describe('Name of a snapshot') });
const Snapshot = z.strictObject({ name: z.string(), time: z.iso.datetime() });

export const snapshotRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/snapshots',
    summary: 'The snapshots, in the order in which they were taken',
    request: {},
    status: 200,
    answer: z.array(Snapshot),
    errors: [403],
    handle: ({ sandbox }) => sandbox.snapshots(),
  }),
  controlRoute({
    method: 'POST',
    path: '/_emulator/snapshots',
    summary: 'Keep everything as it is now, under a name; one of that name is replaced',
    request: { body: z.strictObject({ name: z.string().min(1).optional() }).default({}) },
    status: 201,
    answer: Snapshot,
    errors: [400, 403],
    example: { body: { name: 'after' } },
    handle: ({ sandbox, body }) => sandbox.keep(body.name),
  }),
  controlRoute({
    method: 'POST',
    path: '/_emulator/snapshots/{name}/restore',
    summary: 'Go back to a snapshot',
    request: { params: SnapshotPath },
    status: 204,
    answer: noBody,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.restore(params.name),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/_emulator/snapshots/{name}',
    summary: 'Drop a snapshot',
    request: { params: SnapshotPath },
    status: 204,
    answer: noBody,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.dropSnapshot(params.name),
  }),
];
