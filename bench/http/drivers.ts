/** Programs that send requests: wrk if it is installed, since it needs little CPU time, else autocannon. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { headers } from './contenders.js';
import { onSenderCore } from './cores.js';

export interface Shot {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. Each request has another number in place of `{n}`. */
  readonly body?: string;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** Sent in turn, repeatedly. */
  readonly shots: readonly Shot[];
}

interface Outcome {
  readonly requests: number;
  readonly seconds: number;
  /** Broken connections and responses that are no success. */
  readonly failed: number;
  /** Milliseconds within which half and 99 of 100 of the responses came. */
  readonly p50: number;
  readonly p99: number;
}

export type Driver = (url: string, load: Load) => Promise<Outcome>;

const sent = { ...headers, 'content-type': 'application/json' };

/** Numbers for the bodies of one load. */
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
    writeFileSync(script, makeLuaScript(shots, STRIDE * ++loads));
    const flags = ['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`, `--script=${script}`];
    const { stdout } = await promisify(execFile)(...onSenderCore('wrk', [...flags, url]));
    const outcome: Outcome = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? stdout);
    return outcome;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes the script for wrk. JSON strings without escapes other than `\"` are Lua strings. */
const makeLuaScript = (shots: readonly Shot[], first: number): string => `
local headers = { ${Object.entries(sent).map(([name, value]) => `["${name}"] = ${JSON.stringify(value)}`)} }
local shots = { ${shots.map(({ method, path, body }) => `{ "${method}", "${path}", ${JSON.stringify(body) ?? 'nil'} }`)} }
local n, position = ${first}, 0

function request()
  position = position % #shots + 1
  local method, path, body = unpack(shots[position])
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
