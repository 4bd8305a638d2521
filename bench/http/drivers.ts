/** What sends requests to a server: wrk where it is installed, since it takes little of the processor, else autocannon. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import * as z from 'zod';
import { headers } from './contenders.js';

export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON, with another number in the place of each `{n}` every time. */
  readonly body?: string;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** Sent in turn, over and over. */
  readonly shots: readonly Shot[];
}

const Outcome = z.object({
  requests: z.number(),
  seconds: z.number(),
  /** Connections that broke, and answers that are no success. */
  failed: z.number(),
  /** Milliseconds that half of the answers, and 99 of 100, took at most. */
  p50: z.number(),
  p99: z.number(),
});
export type Outcome = z.output<typeof Outcome>;

export type Driver = (url: string, load: Load) => Promise<Outcome>;

const sent = { ...headers, 'content-type': 'application/json' };

/** Numbers for bodies: each load has a million of its own. */
const STRIDE = 1_000_000;
let loads = 0;

async function driveByAutocannon(url: string, { connections, seconds, shots }: Load): Promise<Outcome> {
  let n = STRIDE * ++loads;
  const { requests, duration, errors, non2xx, latency } = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 100,
    requests: shots.map(({ method, path, body }) => ({
      method,
      path,
      headers: body === undefined ? headers : sent,
      ...(body === undefined
        ? {}
        : { setupRequest: (request) => ({ ...request, body: body.replaceAll('{n}', String(n++)) }) }),
    })),
  });
  const { p50, p99 } = latency;
  return { requests: requests.total, seconds: duration, failed: errors + non2xx, p50, p99 };
}

async function driveByWrk(url: string, { connections, seconds, shots }: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    writeFileSync(script, luaOf(shots, STRIDE * ++loads));
    const { stdout } = await promisify(execFile)('wrk', [
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      `--script=${script}`,
      url,
    ]);
    return Outcome.parse(JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** JSON strings are Lua strings as well, as long as they have no escapes but `\"`. */
const luaOf = (shots: readonly Shot[], first: number): string => `
local headers = { ${Object.entries(sent).map(([name, value]) => `["${name}"] = ${JSON.stringify(value)}`)} }
local shots = { ${shots.map(({ method, path, body }) => `{ "${method}", "${path}", ${JSON.stringify(body) ?? 'nil'} }`)} }
local n, place = ${first}, 0

function request()
  place = place % #shots + 1
  local method, path, body = unpack(shots[place])
  if body then
    n = n + 1
    body = body:gsub("{n}", string.format("%d", n))
  end
  return wrk.format(method, path, headers, body)
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%f,"failed":%d,"p50":%f,"p99":%f}',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
  ))
end
`;

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

export const drivers: Readonly<Record<'wrk' | 'autocannon', Driver>> = {
  wrk: driveByWrk,
  autocannon: driveByAutocannon,
};
export const defaultDriver: keyof typeof drivers = hasWrk ? 'wrk' : 'autocannon';
