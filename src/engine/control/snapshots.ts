import { Type } from 'typebox';
import { At } from '../sandbox/history-entries.js';
import { Replacement, summarizeReplacement } from '../sandbox/replacement.js';
import { getSnapshot, SnapshotRecord, takeSnapshot, toSnapshotRecord } from '../sandbox/snapshots.js';
import { strictObject } from '../schema/schema.js';
import { controlRoute } from './route.js';

const SnapshotPath = Type.Object({ name: Type.String({ description: 'Name of a snapshot' }) });
const Name = Type.Optional(Type.String({ minLength: 1, expected: 'a name' }));

export const snapshotRoutes = [
  controlRoute('GET', '/_emulator/snapshots', 'List the snapshots, in the order in which they were taken', {
    id: 'listSnapshots',
    response: Type.Array(SnapshotRecord),
    handle: ({ sandbox }) => sandbox.snapshots(),
  }),
  controlRoute('POST', '/_emulator/snapshots', 'Take a snapshot; one of the same name is replaced', {
    id: 'takeSnapshot',
    tool: 'snapshot',
    body: strictObject({ name: Name, at: At }, { title: 'NewSnapshot', default: {} }),
    status: 201,
    response: SnapshotRecord,
    errors: [400, 403, 404, 422],
    example: { body: { name: 'after' } },
    handle: ({ sandbox, body }) =>
      toSnapshotRecord(getSnapshot(sandbox.store, takeSnapshot(sandbox.store, sandbox.now, body.name, body.at))),
  }),
  controlRoute('POST', '/_emulator/snapshots/{name}/restore', 'Go back to a snapshot', {
    id: 'restoreSnapshot',
    tool: 'restore',
    hints: ['destructive', 'idempotent'],
    params: SnapshotPath,
    response: Replacement,
    errors: [403, 404],
    handle({ sandbox, params }) {
      const { store } = sandbox;
      return summarizeReplacement(sandbox.replace(() => store.restore(getSnapshot(store, params.name))));
    },
  }),
  controlRoute('DELETE', '/_emulator/snapshots/{name}', 'Drop a snapshot', {
    id: 'dropSnapshot',
    params: SnapshotPath,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.store.dropSnapshot(getSnapshot(sandbox.store, params.name).name),
  }),
];
