/**
 * Measures how much more processor time a call to the MCP server of the service takes than the same request to /v2, and the list
 * of its tools. The requests take turns in one run. On Linux only.
 *
 *   npm run bench -- tools    milliseconds with their bounds (exit code 1 if one is missed)
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOurs, stopAll } from './http/ours.js';
import { median, timeOfRequests } from './measure.js';
import { milliseconds, report } from './report.js';

const SITE = '5e000000-0000-4000-8000-000000000001';
const FIXTURES = {
  users: [{ username: 'ada' }],
  projects: [{ owner: 'ada', name: 'site', id: SITE, files: { 'main.ts': 'export const limit = 42;\n' } }],
};
const CONNECTIONS = 10;
const REQUESTS = 2_000;
const ROUNDS = 5;
/** Milliseconds that a call may take more than the same request to /v2. */
const MOST_ABOVE = 0.3;
/** Milliseconds of a ping, and of the list of tools. */
const MOST_ALONE = 0.3;
const LARGEST_LIST_KB = 60;

type Send = (i: number) => Promise<Response>;

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
try {
  const fixture = join(folder, 'fixture.json');
  writeFileSync(fixture, JSON.stringify(FIXTURES));
  const { url, pid } = await startOurs(fixture, ['--log', 'off']);
  const authorization = 'Bearer ada-token';
  const get =
    (path: string): Send =>
    () =>
      fetch(url + path, { headers: { authorization } });
  const message =
    (method: string, params?: object): Send =>
    (id) =>
      fetch(`${url}/v3/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization, 'content-type': 'application/json' },
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      });
  const call = (name: string, args: object) => message('tools/call', { name, arguments: args });

  /** Measures the milliseconds of the server for a request. */
  const measure = async (send: Send): Promise<number> => {
    const time = await timeOfRequests(pid, { count: REQUESTS, connections: CONNECTIONS }, async (n) => {
      const response = await send(n);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${response.url}: ${response.status}`);
    });
    return time / 1_000;
  };
  const sends = {
    content: get(`/v2/vals/${SITE}/files/content?path=main.ts`),
    read_file: call('read_file', { val: 'ada/site', path: 'main.ts' }),
    files: get(`/v2/vals/${SITE}/files?path=&recursive=false&limit=20&offset=0`),
    list_files: call('list_files', { val: 'ada/site' }),
    ping: message('ping'),
    list: message('tools/list'),
  };
  const times: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, send] of Object.entries(sends)) {
      const time = await measure(send);
      // The first round compiles.
      if (round > 0) times[name] = [...(times[name] ?? []), time];
    }
  }
  const timeOf = (name: keyof typeof sends) => median(times[name] ?? []);
  for (const [tool, plain] of [
    ['read_file', 'content'],
    ['list_files', 'files'],
  ] as const) {
    const [ours, same] = [timeOf(tool), timeOf(plain)];
    report(`${tool} above /v2`, ours - same, 'most', MOST_ABOVE, `${milliseconds(ours)}, /v2 ${milliseconds(same)}`);
  }
  report('ping, the protocol alone', timeOf('ping'), 'most', MOST_ALONE, milliseconds(timeOf('ping')));
  report('tools/list', timeOf('list'), 'most', MOST_ALONE, milliseconds(timeOf('list')));
  const bytes = (await (await sends.list(1)).arrayBuffer()).byteLength;
  report('tools/list in kB', bytes / 1_000, 'most', LARGEST_LIST_KB, `${bytes} bytes`);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}
