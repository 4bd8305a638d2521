import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Json } from './model.js';
import type { Send } from './writers.js';

export interface Served {
  readonly url: string;
  /** Ends the process by a signal, and resolves when it has ended. */
  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const CLI = path('../../dist/cjs/val-emulator.cjs');
const SERVE = path('serve.js');

export interface ServeOptions {
  readonly data: string;
  readonly fixtures: string;
  readonly dataSync: 'full' | 'lazy';
  /** Bytes by which the file grows until it is rewritten; undefined for the CLI, which has no option for it. */
  readonly dataGrowth: number | undefined;
  /** Milliseconds that each sync takes longer. Default: 0 */
  readonly syncDelay?: number;
}

/** Starts an emulator on a data folder, in a separate process. */
export async function serve(options: ServeOptions): Promise<Served> {
  const { data, fixtures, dataSync, dataGrowth, syncDelay = 0 } = options;
  const flags = ['--data', data, '--data-sync', dataSync, '--fixtures', fixtures, '--port', '0', '--json'];
  const args =
    dataGrowth === undefined && syncDelay === 0
      ? [CLI, 'start', ...flags, '--no-config']
      : [SERVE, JSON.stringify({ data, fixtures, dataSync, dataGrowth }), String(syncDelay)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))).url);
    });
    child.once('exit', (code) => reject(new Error(`the emulator ended with ${code}: ${errors}`)));
  });
  return {
    url,
    async stop(signal) {
      child.kill(signal);
      await exited;
      if (errors !== '') throw new Error(`the emulator printed: ${errors}`);
    },
  };
}

/** Milliseconds to wait for a response. The fetch of Node 20 may wait for ever if the connection breaks within the body. */
const PATIENCE = 20_000;

/** The process was killed before it responded. */
export class Killed extends Error {}

export async function request(base: string, { method, path, body, as }: Send): Promise<Json> {
  let response: Response;
  let text: string;
  let isJson: boolean;
  try {
    response = await fetch(base + path, {
      method,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${as}-token` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    text = await response.text();
    isJson = response.headers.get('content-type')?.includes('json') ?? false;
  } catch (error) {
    throw new Killed(String(error));
  }
  if (!response.ok)
    throw new Error(`${method} ${path} ${JSON.stringify(body)?.slice(0, 200)}: ${response.status} ${text}`);
  return isJson ? JSON.parse(text) : text || undefined;
}

export const get = (base: string, path: string): Promise<Json> => request(base, { method: 'GET', path });
