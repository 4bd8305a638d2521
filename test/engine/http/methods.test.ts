import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { routes } from '#vals/service/all.routes.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { emulate } from '../../support/emulate.js';

const PAGES = ['/', '/_emulator', '/_emulator/mcp', '/_emulator/ui/', '/_emulator/db', '/_emulator/db/users', '/other'];
/** Those that routes have, and others that Node accepts. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
/** Parameters that find nothing. */
const toPath = (name: string) => name.replace(/^\S+ /, '').replaceAll(/\{\w+\}/g, 'nothing');
const PATHS = [...new Set([...[...routes, ...controlRoutes].map(({ name }) => toPath(name)), ...PAGES])];

test('no method of HTTP and no route gives an internal error', async () => {
  const errors: unknown[] = [];
  const emulator = await emulate({ users: [{ username: 'ada' }] }, { onError: (error: unknown) => errors.push(error) });
  const agent = new Agent({ keepAlive: true });
  const sendBySocket = (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: 'Bearer ada-token' };
      const sent = request(emulator.url + path, { method, headers, agent }, (response) => {
        // A stream of events has no end.
        if (response.headers['content-type']?.startsWith('text/event-stream')) sent.destroy();
        response.on('error', () => {}).resume();
        response.on('close', () => resolve(response.statusCode));
      });
      sent.on('error', (error) => (sent.destroyed ? resolve(undefined) : reject(error))).end();
    });

  const send = async (method: string, path: string) => {
    // The platform makes no request of TRACE, and pages are served over HTTP only.
    if (method === 'TRACE' || PAGES.includes(path)) return sendBySocket(method, path);
    const response = await emulator.fetch(path, { method, headers: { authorization: 'Bearer ada-token' } });
    await response.body?.cancel();
    return response.status;
  };

  const failed: string[] = [];
  for (const method of METHODS)
    for (const path of PATHS) if ((await send(method, path)) === 500) failed.push(`${method} ${path}`);

  expect(failed).toEqual([]);
  expect(errors).toEqual([]);
  expect(PATHS.length).toBeGreaterThan(50);
  expect(await send('TRACE', '/_emulator/mcp')).toBe(405);
  expect(await send('PUT', '/_emulator/mcp')).toBe(405);
  agent.destroy();
});
