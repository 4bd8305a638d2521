/** Express 5 as it comes, on a Map. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import { listen } from './ready.js';
import { readWorld, showPage, showVal } from './world.js';

const { vals, runs } = readWorld(process.argv[2] ?? '');
const app = express();
app.use(express.json());
app.get('/v1/vals/:id', (request, response) => {
  const val = vals.get(request.params.id);
  response.status(val ? 200 : 404).json(val ?? { message: 'Not found' });
});
app.get('/v1/me/runs', (request, response) => {
  response.json(showPage(runs, new URL(request.originalUrl, 'http://127.0.0.1').searchParams));
});
app.post('/v1/vals', (request, response) => {
  const val = showVal({ ...request.body, id: randomUUID(), createdAt: new Date().toISOString() });
  vals.set(val.id, val);
  response.json(val);
});
listen(createServer(app));
