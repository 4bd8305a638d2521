import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../../src/index.js';
import { send, serve, start } from './support.js';

const ADA = { authorization: 'Bearer ada-token' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a proxy', () => {
  test('forwards requests and responses unchanged', async () => {
    await using upstream = await createEmulator({ now: '2024-06-11T22:05:12.585Z' });
    const proxy = await start(upstream.url);
    const calls = [
      ['GET', '/v1/me', ADA, ''],
      ['GET', '/v1/me?x=%7B%20+é', ADA, ''],
      ['HEAD', '/v1/me', ADA, ''],
      ['GET', '/v1/me', {}, ''],
      ['OPTIONS', '/v1/me', { 'access-control-request-headers': 'authorization' }, ''],
      ['GET', '/nothing', ADA, ''],
      ['POST', '/v1/vals', { ...ADA, ...JSON_TYPE }, '{"code":"1","privacy":"wrong"}'],
      ['POST', '/v1/vals', { ...ADA, ...JSON_TYPE, 'transfer-encoding': 'chunked' }, '{"code":""}'],
      ['DELETE', '/v1/vals/00000000-0000-4000-8000-000000000000', { ...ADA, ...JSON_TYPE }, ''],
    ] as const;
    for (const [method, path, headers, body] of calls) {
      const target = encodeURI(path).replaceAll('%25', '%');
      const direct = await send(upstream.url + target, method, headers, body);
      expect(await send(proxy.url + target, method, headers, body)).toEqual({
        ...direct,
        body: direct.body.replaceAll(`"self":"${upstream.url}`, `"self":"${proxy.url}`),
        rawHeaders: direct.rawHeaders.map((text, i) =>
          direct.rawHeaders[i - 1] === 'content-length' && direct.body.includes('"self"')
            ? String(Number(text) + proxy.url.length - upstream.url.length)
            : text,
        ),
      });
    }
  });

  test('rewrites links and redirects only', async () => {
    const url = await serve((request, response) => {
      const base = `http://${request.headers.host}`;
      if (request.url === '/moved') return response.writeHead(302, { location: `${base}/v1/me` }).end();
      if (request.url === '/away') return response.writeHead(302, { location: 'https://example.com/v1/me' }).end();
      const code = `fetch("${base}/v1/me"); ({"links":{"self":"${base}/v1/me"}})`;
      const links = { self: `${base}/v1/me`, module: 'https://esm.town/v/ada/hello' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ code, links }));
    });
    const proxy = await start(url);
    expect(JSON.parse((await send(`${proxy.url}/v1/vals/1`)).body)).toEqual({
      code: `fetch("${url}/v1/me"); ({"links":{"self":"${url}/v1/me"}})`,
      links: { self: `${proxy.url}/v1/me`, module: 'https://esm.town/v/ada/hello' },
    });
    expect((await send(`${proxy.url}/moved`)).rawHeaders).toContain(`${proxy.url}/v1/me`);
    expect((await send(`${proxy.url}/away`)).rawHeaders).toContain('https://example.com/v1/me');
  });

  test('ignores the host of an absolute target', async () => {
    const url = await serve((request, response) => response.end(request.url));
    const proxy = await start(url);
    const { hostname, port } = new URL(proxy.url);
    const absolute = await new Promise<string>((resolve, reject) => {
      import('node:http').then(({ request }) => {
        const sent = request({ hostname, port, path: 'http://other.example/v1/me' }, (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.once('end', () => resolve(text));
        });
        sent.once('error', reject).end();
      }, reject);
    });
    expect(absolute).toBe('/v1/me');
  });

  test('forwards paths as sent', async () => {
    const url = await serve((request, response) => response.end(request.url));
    const proxy = await start(`${url}/api`);
    const { port } = new URL(proxy.url);
    const path = '/v1/a/%2e%2e/../b?q="x"';
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      });
      socket.setEncoding('utf8');
      let text = '';
      socket.on('data', (chunk: string) => {
        text += chunk;
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(text));
    });
    expect(received).toContain(`/api${path}`);
  });

  test('survives an invalid target and an invalid response', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 099 Odd\r\nContent-Type: application/json\r\n\r\n{}'));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const proxy = await start(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, {
      record: true,
      compare: true,
    });
    const status = await new Promise((resolve, reject) => {
      const sent = request(proxy.url, { method: 'OPTIONS', path: '*' }, ({ statusCode }) => resolve(statusCode));
      sent.once('error', reject);
      sent.end();
    });
    expect(status).toBe(400);
    expect(await send(`${proxy.url}/v1/me`)).toMatchObject({ status: 502 });
    expect(await send(`${proxy.url}/v1/me`)).toMatchObject({ status: 502 });
  });

  test('leaves the length of a 304 unchanged', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(304, { 'content-type': 'application/json', 'content-length': '17' }).end();
    });
    const proxy = await start(url);
    const { status, rawHeaders } = await send(`${proxy.url}/v1/me`);
    expect(status).toBe(304);
    expect(rawHeaders).toContain('17');
  });

  test('forwards a body of 20 MB', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(20 * 1024 * 1024) });
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      request.pipe(response);
    });
    const proxy = await start(url, { record: true });
    const { body } = await send(proxy.url, 'POST', JSON_TYPE, text);
    expect(body.length).toBe(text.length);
    expect(body === text).toBe(true);
    expect([...(proxy.recording?.format() ?? [])].join('')).toContain(`skipped: ${text.length} bytes`);
  });

  test('responds with 502 for an unreachable service, and 504 for a slow one', async () => {
    const proxy = await start('http://127.0.0.1:9');
    expect(await send(`${proxy.url}/v1/me`)).toMatchObject({
      status: 502,
      body: '{"message":"http://127.0.0.1:9 does not respond: connection refused.","error":"Bad Gateway","statusCode":502}',
    });
    const url = await serve(() => {});
    const slow = await start(url, { timeout: 100 });
    expect(await send(`${slow.url}/v1/me`)).toMatchObject({
      status: 504,
      body: `{"message":"${url} does not respond within 100 ms.","error":"Gateway Timeout","statusCode":504}`,
    });
  });

  test('cuts a response where the service cuts it', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const url = await serve((_request, response) => {
        response.writeHead(200, { 'content-type': type, 'content-length': '100' });
        response.write('{"data":', () => response.destroy());
      });
      const proxy = await start(url);
      await expect(send(proxy.url)).rejects.toThrow(/aborted|socket hang up/);
      expect(proxy.count).toBe(0);
    }
  });

  test('streams bodies other than JSON', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const proxy = await start(url);
    const response = await fetch(proxy.url);
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe('data: 1\n\n');
  });
});
