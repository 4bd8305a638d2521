/** Bare node:http with files in a Map. It sends what the emulator sends: the samples in the file that its argument names. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen } from './ready.js';

interface Samples {
  /** A page of files. */
  readonly list: unknown;
  /** A file, as in the response to its creation. */
  readonly file: object;
  readonly contents: Readonly<Record<string, string>>;
}

const samples: Samples = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const contents = new Map(Object.entries(samples.contents));

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  const path = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('path') ?? '';
  const sendJson = (status: number, value: unknown) => {
    const body = JSON.stringify(value);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
  if (method === 'POST') {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { content }: { content: string } = JSON.parse(Buffer.concat(chunks).toString());
      contents.set(path, content);
      sendJson(201, { ...samples.file, path });
    });
  } else if (url.includes('/content?')) {
    const body = Buffer.from(contents.get(path) ?? '');
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length });
    response.end(body);
  } else {
    sendJson(200, samples.list);
  }
});
listen(server);
