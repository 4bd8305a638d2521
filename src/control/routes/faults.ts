import * as z from 'zod';
import { noBody } from '../../contract/route.js';
import { FaultBody, FaultRecord } from '../faults.js';
import { controlRoute } from '../route.js';

export const faultRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/faults',
    summary: 'The armed faults and how often they struck',
    request: {},
    status: 200,
    answer: z.array(FaultRecord),
    errors: [403],
    handle: ({ sandbox }) => sandbox.faults(),
  }),
  controlRoute({
    method: 'POST',
    path: '/_emulator/faults',
    summary: 'Make requests fail on purpose',
    request: { body: FaultBody },
    status: 201,
    answer: FaultRecord,
    errors: [400, 403, 422],
    example: { body: { route: 'POST /v1/vals', status: 503, times: 2 } },
    handle: ({ sandbox, body }) => sandbox.arm(body),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/_emulator/faults',
    summary: 'Disarm every fault',
    request: {},
    status: 204,
    answer: noBody,
    errors: [403],
    handle: ({ sandbox }) => sandbox.disarm(),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/_emulator/faults/{id}',
    summary: 'Disarm a fault',
    request: { params: z.object({ id: z.string().describe('Id of a fault') }) },
    status: 204,
    answer: noBody,
    errors: [403, 404],
    handle: ({ sandbox, params }) => sandbox.disarm(params.id),
  }),
];
