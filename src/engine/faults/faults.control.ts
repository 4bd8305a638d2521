import { Type } from 'typebox';
import { controlRoute } from '../control/route.js';
import { AtQuery, getStateAt } from '../sandbox/history-entries.js';
import { armChaos, ChaosSchema } from './chaos.js';
import { armFault, disarmFaults, FaultRecord, FaultSchema, listFaults } from './faults.js';

export const faultRoutes = [
  controlRoute('GET', '/_emulator/faults', 'List the armed faults with their counters, now or after a commit', {
    id: 'listFaults',
    query: AtQuery,
    response: Type.Array(FaultRecord),
    errors: [400, 403, 404],
    handle: ({ sandbox, query: { at } }) => listFaults(getStateAt(sandbox.store, at).state),
  }),
  controlRoute('POST', '/_emulator/faults', 'Arm a fault', {
    id: 'armFault',
    tool: 'fail',
    body: FaultSchema,
    status: 201,
    response: FaultRecord,
    errors: [400, 403, 422],
    example: { body: { route: 'GET /v1/me', status: 503, times: 2 } },
    handle: ({ emulator: { router }, sandbox, body }) => armFault(sandbox.store, body, router, sandbox.now),
  }),
  controlRoute('POST', '/_emulator/chaos', 'Arm the faults of a name, which end after a time', {
    id: 'armChaos',
    body: ChaosSchema,
    status: 201,
    response: Type.Array(FaultRecord),
    errors: [400, 403, 422],
    example: { body: { name: 'flaky', seed: 1, for: '30s' } },
    handle: ({ emulator: { router }, sandbox, body }) => armChaos(sandbox.store, body, router, sandbox.now),
  }),
  controlRoute('DELETE', '/_emulator/faults', 'Disarm every fault', {
    id: 'disarmAllFaults',
    tool: 'disarm',
    hints: ['idempotent'],
    handle: ({ sandbox }) => sandbox.store.update((draft) => disarmFaults(draft)),
  }),
  controlRoute('DELETE', '/_emulator/faults/{id}', 'Disarm a fault', {
    id: 'disarmFault',
    params: Type.Object({ id: Type.String({ description: 'Id of a fault' }) }),
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.store.update((draft) => disarmFaults(draft, params.id)),
  }),
];
