import { Type } from 'typebox';
import { FaultRecord, FaultSchema } from '../faults.js';
import { controlRoute } from '../route.js';

export const faultRoutes = [
  controlRoute('GET', '/_emulator/faults', 'List the armed faults with their counters', {
    response: Type.Array(FaultRecord),
    handle: ({ sandbox }) => sandbox.faults(),
  }),
  controlRoute('POST', '/_emulator/faults', 'Arm a fault', {
    body: FaultSchema,
    status: 201,
    response: FaultRecord,
    errors: [400, 403, 422],
    example: { body: { route: 'POST /v1/vals', status: 503, times: 2 } },
    handle: ({ sandbox, body }) => sandbox.arm(body),
  }),
  controlRoute('DELETE', '/_emulator/faults', 'Disarm every fault', { handle: ({ sandbox }) => sandbox.disarm() }),
  controlRoute('DELETE', '/_emulator/faults/{id}', 'Disarm a fault', {
    params: Type.Object({ id: Type.String({ description: 'Id of a fault' }) }),
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.disarm(params.id),
  }),
];
