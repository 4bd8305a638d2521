import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../support/ports.js';

/** `REDIS_SERVER=/opt/valkey/bin/valkey-server npm test` runs another server. */
const PROGRAM = process.env.REDIS_SERVER ?? 'redis-server';

const HOW_TO_INSTALL = 'Install it by `apt-get install redis-server`, or set REDIS_SERVER to its path.';

/** Whether Redis is installed. Tests that need it are skipped without it, with a message. */
export const hasRedis = (() => {
  try {
    execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    // A path that someone set is never ignored.
    if (process.env.REDIS_SERVER !== undefined) throw missing(error);
    process.stderr.write(`Skipping the tests that need Redis: found no ${PROGRAM}. ${HOW_TO_INSTALL}\n`);
    return false;
  }
})();

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** The folder of its data. */
  readonly dir: string;
  /** Sends a command and returns the response as Redis sends it. */
  send(...command: readonly string[]): Promise<string>;
  /** Ends it at once. Its data are there when it starts again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the process, so that it accepts connections and responds to nothing. */
  pause(): void;
  resume(): void;
  /** Ends it and starts it again. @param pause milliseconds in between. @param wipe whether its data are lost */
  restart(pause: number, wipe?: boolean): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a server whose data survive its end, on a free port.
 * @param flags others, the last of each counts: `['--requirepass', 'secret', '--appendonly', 'no']`
 */
export function startRedis(flags: readonly string[] = []): Promise<RedisServer> {
  return startServer(() => [], ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always', ...flags]);
}

/** Starts a sentinel on a free port. @param config as in `sentinel.conf` */
export function startSentinel(config: string): Promise<RedisServer> {
  const write = (dir: string) => {
    const file = join(dir, 'sentinel.conf');
    writeFileSync(file, config);
    return [file, '--sentinel'];
  };
  return startServer(write, []);
}

async function startServer(prepare: (dir: string) => string[], flags: readonly string[]): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'val-emulator-redis-'));
  const port = await findFreePort();
  const all = [
    ...prepare(dir),
    '--bind',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--dir',
    dir,
    '--daemonize',
    'no',
    ...flags,
  ];
  let child = await launch(port, all);
  const end = () => child.kill('SIGKILL');
  process.setMaxListeners(0).on('exit', end);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    child = await launch(port, all);
  };
  return {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    dir,
    send: (...command) => send(port, command),
    kill,
    start,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async restart(pause, wipe = false) {
      await kill();
      if (wipe) rmSync(join(dir, 'appendonlydir'), { recursive: true, force: true });
      await sleep(pause);
      await start();
    },
    async stop() {
      await kill();
      process.off('exit', end);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function launch(port: number, flags: readonly string[]): Promise<ChildProcess> {
  const child = spawn(PROGRAM, flags, { stdio: 'ignore' });
  await once(child, 'spawn').catch((error: unknown) => {
    throw missing(error);
  });
  for (let i = 0; i < 200; i++) {
    if (/^(?:\+PONG|-NOAUTH)/.test(await send(port, ['PING']).catch(() => ''))) return child;
    await sleep(25);
  }
  child.kill('SIGKILL');
  throw new Error(`redis-server did not start on port ${port}`);
}

function missing(cause: unknown): Error {
  return new Error(`Cannot run ${PROGRAM}. ${HOW_TO_INSTALL}`, { cause });
}

function send(port: number, command: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
    const socket = connect(port, '127.0.0.1', () => socket.write(`*${command.length}\r\n${parts.join('')}`));
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data));
    });
  });
}
