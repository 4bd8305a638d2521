/** Fastify 4 with schemas of parameters, bodies and responses, on a Map. */
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { readFixture, renderPage, renderVal } from './fixture.js';

const { vals, runs } = readFixture(process.argv[2] ?? '');
const text = { type: 'string' } as const;
const object = { type: 'object', additionalProperties: true } as const;
const newVal = {
  type: 'object',
  properties: { name: text, code: text, privacy: text },
  required: ['name', 'code'],
} as const;

const app = fastify();
app.get<{ Params: { id: string } }>(
  '/v1/vals/:id',
  { schema: { params: { type: 'object', properties: { id: text } }, response: { 200: object } } },
  (request, reply) => {
    const val = vals.get(request.params.id);
    return reply.code(val ? 200 : 404).send(val ?? { message: 'Not found' });
  },
);
app.get('/v1/me/runs', { schema: { response: { 200: object } } }, (request, reply) =>
  reply.send(renderPage(runs, new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1)))),
);
app.post<{ Body: { name: string; code: string } }>(
  '/v1/vals',
  { schema: { body: newVal, response: { 200: object } } },
  (request, reply) => {
    const val = renderVal({ ...request.body, id: randomUUID(), createdAt: new Date().toISOString() });
    vals.set(val.id, val);
    return reply.send(val);
  },
);
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
