/** Express 5 with its defaults, on a Map. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import { readFixture, renderPage, renderVal } from './fixture.js';
import { listen } from './ready.js';

const { vals, runs } = readFixture(process.argv[2] ?? '');
const app = express();
app.use(express.json());
app.get('/v1/vals/:id', (request, response) => {
  const val = vals.get(request.params.id);
  response.status(val ? 200 : 404).json(val ?? { message: 'Not found' });
});
app.get('/v1/me/runs', (request, response) => {
  response.json(renderPage(runs, new URL(request.originalUrl, 'http://127.0.0.1').searchParams));
});
app.post('/v1/vals', (request, response) => {
  const val = renderVal({ ...request.body, id: randomUUID(), createdAt: new Date().toISOString() });
  vals.set(val.id, val);
  response.json(val);
});
listen(createServer(app));
