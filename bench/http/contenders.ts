import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { USER, valId } from './fixture.js';

/** The paths of a server. */
interface Paths {
  readonly val: (n: number) => string;
  readonly runs: (offset: number) => string;
  readonly create: string;
}

export interface Contender {
  readonly name: string;
  /** Program and arguments; undefined if it is not installed. */
  readonly command: (fixture: string, port: number) => readonly string[] | undefined;
  readonly paths: Paths;
  /** Whether it serves the records of the fixture. Others serve examples. */
  readonly holdsRecords: boolean;
}

/** Runs on a page. */
export const PAGE = 20;

const apiPaths: Paths = {
  val: (n) => `/v1/vals/${valId(n)}`,
  runs: (offset) => `/v1/me/runs?limit=${PAGE}&offset=${offset}`,
  create: '/v1/vals',
};
const jsonServerPaths: Paths = {
  val: (n) => `/vals/${valId(n)}`,
  runs: (offset) => `/runs?_start=${offset}&_limit=${PAGE}`,
  create: '/vals',
};

const inThisFolder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
export const inProject = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const runScript = (script: string) => (fixture: string) => [inThisFolder(script), fixture];

/** Finds a program of an optional package. */
function findInstalled(program: string, ...args: string[]): readonly string[] | undefined {
  try {
    return [createRequire(import.meta.url).resolve(program), ...args];
  } catch {
    return undefined;
  }
}

export const OURS = 'val-emulator';
export const BARE = 'node:http';
export const EXPRESS = 'Express 5';
export const JSON_SERVER = 'json-server';

export const contenders: readonly Contender[] = [
  {
    name: OURS,
    // As a user runs it: with all checks, the journal, and a line for each request.
    command: (fixture, port) => [
      inProject('dist/cjs/val-emulator.cjs'),
      'start',
      '--fixtures',
      fixture,
      '--port',
      `${port}`,
    ],
    paths: apiPaths,
    holdsRecords: true,
  },
  { name: BARE, command: runScript('node-http.js'), paths: apiPaths, holdsRecords: true },
  { name: EXPRESS, command: runScript('express.js'), paths: apiPaths, holdsRecords: true },
  { name: JSON_SERVER, command: runScript('json-server.js'), paths: jsonServerPaths, holdsRecords: true },
  { name: 'Fastify 4', command: runScript('fastify.js'), paths: apiPaths, holdsRecords: true },
  { name: 'Hono', command: runScript('hono.js'), paths: apiPaths, holdsRecords: true },
  {
    name: 'Prism',
    command: (_, port) =>
      findInstalled('@stoplight/prism-cli/dist/index.js', 'mock', '-p', `${port}`, inProject('docs/openapi.json')),
    paths: apiPaths,
    holdsRecords: false,
  },
  {
    name: 'Mockoon',
    command: (_, port) =>
      findInstalled('@mockoon/cli/bin/run.js', 'start', '-p', `${port}`, '-d', inProject('docs/openapi.json')),
    paths: apiPaths,
    holdsRecords: false,
  },
];

/** A running server. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  /** Returns the memory in bytes after a garbage collection, for a server started with `probed`. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

/** The headers of each request. */
export const headers = { authorization: `Bearer ${USER.token}` } as const;

/** Flags for a process that reports its memory. */
const PROBE = ['--expose-gc', '--import', inThisFolder('memory.js')];

/**
 * Starts a contender as a process. Resolves once it responds, to undefined if it is not installed.
 * @param probed whether it reports its memory
 */
export async function start(contender: Contender, fixture: string, probed = false): Promise<Running | undefined> {
  const port = await freePort();
  const command = contender.command(fixture, port);
  if (!command) return undefined;
  const child = spawn(process.execPath, [...(probed ? PROBE : []), ...command], {
    env: { ...process.env, PORT: `${port}`, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit', probed ? 'ipc' : 'ignore'],
  });
  if (child.pid === undefined) throw new Error(`${contender.name} could not be started`);
  const url = `http://127.0.0.1:${port}`;
  await waitForResponse(`${url}${contender.paths.runs(0)}`, child, contender.name);
  return { url, pid: child.pid, memory: () => readMemory(child), stop: () => stop(child) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Milliseconds to wait for a server. */
const START_TIMEOUT = 120_000;

async function waitForResponse(url: string, child: ChildProcess, name: string): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}`);
    const response = await fetch(url, { headers }).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  child.kill();
  throw new Error(`${name} did not respond within ${START_TIMEOUT / 1_000} seconds`);
}

async function readMemory(child: ChildProcess): Promise<number> {
  child.send('memory');
  for (;;) {
    const [message]: unknown[] = await once(child, 'message');
    // The emulator sends an object when it listens.
    if (typeof message === 'number') return message;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // A process with an open channel to its parent does not end by itself.
  if (child.connected) child.disconnect();
  child.kill();
  await once(child, 'exit');
}
