/**
 * Counts the src files that a request enters: files with a function that runs, by V8's precise coverage.
 *
 *   npm run bench -- entered                 a line for each of five requests (exit code 1 if a bound is missed)
 *   npm run bench -- entered 'PUT of a file'  the files of one of them as well
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmulator } from '../src/index.js';
import { report } from './report.js';

interface Request {
  readonly method: string;
  readonly path: string;
  /** Makes the body of each request. */
  readonly body?: () => unknown;
}

interface Journey extends Request {
  /** Files at most. */
  readonly bound: number;
}

const emulator = await createEmulator();
const {
  url,
  users: [user],
} = emulator;
const headers = {
  authorization: `Bearer ${user?.token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const listed = await emulator.fetch('/v2/me/vals?limit=1', { headers });
const { data }: { data: { id: string }[] } = JSON.parse(await listed.text());
const file = `/v2/vals/${data[0]?.id}/files?path=entered.ts`;
let contents = 0;
const makeFile = () => ({ type: 'script', content: `export default ${contents++}` });
const JOURNEYS: Readonly<Record<string, Journey>> = {
  'GET of a page': { method: 'GET', path: '/v1/me/runs?limit=2', bound: 32 },
  'GET by id': { method: 'GET', path: '/v1/me', bound: 28 },
  'POST of a val': { method: 'POST', path: '/v1/vals', body: () => ({ code: 'export default 1' }), bound: 50 },
  'PUT of a file': { method: 'PUT', path: file, body: makeFile, bound: 44 },
  'a call of a tool': {
    method: 'POST',
    path: '/v3/mcp',
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_vals', arguments: {} } }),
    bound: 44,
  },
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const session = new Session();
session.connect();

/** @throws Error for a request that is refused */
async function send({ method, path, body }: Request): Promise<void> {
  const response = await fetch(url + path, {
    method,
    headers,
    body: body ? JSON.stringify(body()) : null,
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(`${method} ${path}: ${text}`);
}

/** Lists the modules of src of which a function runs. */
async function listEntered(run: () => Promise<void>): Promise<string[]> {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  // The exchange ends after its client has the response.
  await new Promise((resolve) => setTimeout(resolve, 30));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative(ROOT, fileURLToPath(url)).replace(/\.js$/, ''))
    .filter((name) => !/^(?:\.\.|bench)\//.test(name))
    .sort();
}

await session.post('Profiler.enable');
await send({ method: 'POST', path: file, body: makeFile });
const [wanted] = process.argv.slice(2);
for (const [name, journey] of Object.entries(JOURNEYS)) {
  // Late parts are loaded, and schemas compiled.
  await send(journey);
  const entered = await listEntered(() => send(journey));
  const folders = new Set(entered.map((each) => each.slice(0, each.lastIndexOf('/'))));
  report(name, entered.length, 'most', journey.bound, `in ${folders.size} folders`);
  if (name === wanted) console.log(entered.map((each) => `  ${each}`).join('\n'));
}
session.disconnect();
await emulator.close();
