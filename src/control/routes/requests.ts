import * as z from 'zod';
import { integerParameter } from '../../contract/fields.js';
import { noBody } from '../../contract/route.js';
import { controlRoute } from '../route.js';

const RequestQuery = z.strictObject({
  route: z.string().optional().describe('As in `POST /v1/vals`'),
  method: z.string().optional().describe('HTTP method'),
  path: z.string().optional().describe('Path and query as sent'),
  status: integerParameter(z.int()).optional().describe('HTTP status of the answer'),
  user: z.string().optional().describe('Username or id of the caller'),
  limit: integerParameter(z.int().min(1)).optional().describe('Only the last so many'),
});

const RequestRecord = z.strictObject({
  id: z.string(),
  time: z.iso.datetime(),
  duration: z.number().describe('Milliseconds that answering took'),
  route: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  user: z.string().nullable(),
  status: z.int(),
  request: z.strictObject({ body: z.unknown() }),
  response: z.strictObject({ body: z.unknown() }),
  fault: z.string().nullable(),
});

export const requestRoutes = [
  controlRoute({
    method: 'GET',
    path: '/_emulator/requests',
    summary: 'The last 1,000 requests to the API, newest last',
    request: { query: RequestQuery },
    status: 200,
    answer: z.array(RequestRecord),
    errors: [400, 403, 422],
    example: { query: { route: 'POST /v1/vals' } },
    handle: ({ sandbox, query }) => sandbox.requests(query),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/_emulator/requests',
    summary: 'Forget the requests so far',
    request: {},
    status: 204,
    answer: noBody,
    errors: [403],
    handle: ({ sandbox }) => sandbox.forgetRequests(),
  }),
];
