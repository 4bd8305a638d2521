/** Hono on its adapter for Node, on a Map. */
import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { readFixture, renderPage, renderVal } from './fixture.js';

const { vals, runs } = readFixture(process.argv[2] ?? '');
const app = new Hono();
app.get('/v1/vals/:id', (context) => {
  const val = vals.get(context.req.param('id'));
  return val ? context.json(val) : context.json({ message: 'Not found' }, 404);
});
app.get('/v1/me/runs', (context) => {
  const { url } = context.req;
  return context.json(Object(renderPage(runs, new URLSearchParams(url.slice(url.indexOf('?') + 1)))));
});
app.post('/v1/vals', async (context) => {
  const val = renderVal({ ...(await context.req.json()), id: randomUUID(), createdAt: new Date().toISOString() });
  vals.set(val.id, val);
  return context.json(Object(val));
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
