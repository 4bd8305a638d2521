import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Shared } from './disruptions.js';

export interface RedisServer extends Shared {
  stop(): Promise<void>;
}

/** Starts a server whose data survive its end, on a free port. */
export async function startRedis(): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'val-emulator-redis-'));
  const port = await findPort();
  let child = await launch(port, dir);
  const end = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}/0`,
    async restart(pause) {
      await end();
      await sleep(pause);
      child = await launch(port, dir);
    },
    async stop() {
      await end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function launch(port: number, dir: string): Promise<ChildProcess> {
  const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
  const flags = ['--bind', '127.0.0.1', '--port', `${port}`, '--dir', dir, '--daemonize', 'no', ...durable];
  const child = spawn('redis-server', flags, { stdio: 'ignore' });
  await once(child, 'spawn');
  for (let i = 0; i < 200; i++) {
    if (await isReady(port)) return child;
    await sleep(25);
  }
  child.kill('SIGKILL');
  throw new Error(`redis-server did not start on port ${port}`);
}

/** Whether the server responds, which it does once it has loaded its data. */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('error', () => resolve(false));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data).startsWith('+PONG'));
    });
  });
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}
