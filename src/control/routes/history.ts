import { Type } from 'typebox';
import { strictObject } from '../../lib/schema.js';
import { getSnapshot, HistoryEntry, SnapshotRecord, toSnapshotRecord } from '../history.js';
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

const SnapshotPath = Type.Object({ name: Type.String({ description: 'Name of a snapshot' }) });
const Name = Type.Optional(Type.String({ minLength: 1, expected: 'a name' }));

export const snapshotRoutes = [
  controlRoute('GET', '/_emulator/snapshots', 'List the snapshots, in the order in which they were taken', {
    response: Type.Array(SnapshotRecord),
    handle: ({ sandbox }) => sandbox.snapshots(),
  }),
  controlRoute('POST', '/_emulator/snapshots', 'Take a snapshot; one of the same name is replaced', {
    body: strictObject({ name: Name }, { default: {} }),
    status: 201,
    response: SnapshotRecord,
    errors: [400, 403],
    example: { body: { name: 'after' } },
    handle: ({ sandbox, body }) => toSnapshotRecord(getSnapshot(sandbox.store, sandbox.snapshot(body.name))),
  }),
  controlRoute('POST', '/_emulator/snapshots/{name}/restore', 'Go back to a snapshot', {
    params: SnapshotPath,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.restore(params.name),
  }),
  controlRoute('DELETE', '/_emulator/snapshots/{name}', 'Drop a snapshot', {
    params: SnapshotPath,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.dropSnapshot(params.name),
  }),
];
