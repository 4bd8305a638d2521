import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { Router } from '#engine/api/router.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { emulate } from '../../support/emulate.js';
import { run } from './cli.js';
import { CONTROL_COMMANDS } from './control-commands.js';

/** Routes without a command, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'GET /_emulator/ready': 'for load balancers; the command wait waits for the health',
  'GET /_emulator/metrics': 'for Prometheus',
  'POST /_emulator/sign-in': 'for pages: commands send the token with each request',
  'POST /_emulator/sign-out': 'for pages: commands send the token with each request',
  'GET /_emulator/events': 'requests --follow prints the requests, and history the commits',
  'POST /_emulator/login': 'for tests: start --login logs a user in at once, and the page asks',
  'GET /_emulator/rate-limit': 'a 429 is injected by the command fail; the limit is a flag of start',
  'PUT /_emulator/rate-limit': 'a 429 is injected by the command fail; the limit is a flag of start',
  'POST /_emulator/forks': 'for programs that open many: the command fork opens one',
  'POST /_emulator/forks/score': 'for programs: the command diff prints a difference',
  'GET /_emulator/sqlite/{id}': 'for pages: the command state prints all databases as SQL',
  'GET /_emulator/sqlite/{id}/rows': 'for pages: the command state prints all databases as SQL',
  'POST /_emulator/rows': 'for tests: the command state prints all databases as SQL',
  'GET /_emulator/esm/import-map.json': 'for Deno: the command exec --deno writes the map',
  'GET /_emulator/esm/{path}': 'for Deno and Vite, which import modules by it',
  'GET /_emulator/records/{collection}': 'the command state prints all records, for jq',
  'GET /_emulator/records/{collection}/{id}': 'the command state prints all records, for jq',
  'POST /_emulator/records/{collection}': 'for pages: the command add adds records in fixture format',
  'PUT /_emulator/records/{collection}/{id}': 'for pages: the command edit changes fields',
  'GET /_emulator/interception': 'the command env --intercept, which needs start --intercept',
  'GET /_emulator/cluster': 'the command cluster, which needs a shared store',
  'GET /_emulator/openapi.json': 'the command openapi prints the document of the package',
  'GET /_emulator/openapi-control.json': 'the command openapi --control prints the document of the package',
};

test('every request of the control API that is not for the page alone has a command', async () => {
  const router = new Router(controlRoutes);
  const reached: (string | undefined)[] = [];
  const add = (message: unknown) => {
    const { request } = z.object({ request: z.instanceof(ClientRequest) }).parse(message);
    reached.push(router.match(request.method, request.path.replace(/\?.*/s, ''))?.route.name);
  };
  subscribe('http.client.request.start', add);
  onTestFinished(() => void unsubscribe('http.client.request.start', add));
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  await emulator.fetch('/v1/me');
  await emulator.fetch('/v1/me');
  const { url } = emulator;
  for (const args of CONTROL_COMMANDS) {
    expect({ args, ...(await run([...args, '--url', url])) }).toMatchObject({ args, stderr: '', code: 0 });
  }
  const names = controlRoutes.filter(({ isForPage }) => !isForPage).map(({ name }) => name);
  expect(names.filter((name) => !reached.includes(name)).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
});
