/** Bare node:http on a Map. */
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { readFixture, renderPage, renderVal } from './fixture.js';
import { listen } from './ready.js';

const { vals, runs } = readFixture(process.argv[2] ?? '');

function send(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'POST' && url === '/v1/vals') {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const row = JSON.parse(Buffer.concat(chunks).toString());
      const val = renderVal({ ...row, id: randomUUID(), createdAt: new Date().toISOString() });
      vals.set(val.id, val);
      send(response, 200, val);
    });
  } else if (url.startsWith('/v1/vals/')) {
    const val = vals.get(url.slice('/v1/vals/'.length));
    send(response, val ? 200 : 404, val ?? { message: 'Not found' });
  } else {
    send(response, 200, renderPage(runs, new URLSearchParams(url.slice(url.indexOf('?') + 1))));
  }
});
listen(server);
