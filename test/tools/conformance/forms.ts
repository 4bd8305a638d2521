import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import express from 'express';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { startRedis } from '../../cluster/redis.js';
import { startTwoNodes } from '../../cluster/two-nodes.js';
import { serve, type Target, TOKENS } from './target.js';

const MAIN = join(import.meta.dirname, '../../../dist/cjs/val-emulator.cjs');

/** The form that needs redis-server. */
export const ON_REDIS = 'two nodes on Redis';

/** Starts the emulator with the default dataset in each way that it can be run. The command needs a build. */
export const FORMS: Readonly<Record<string, () => Promise<Target>>> = {
  socket: startSocket,
  'mounted in Express': startMounted,
  'in-process fetch': startInProcess,
  [ON_REDIS]: startOnRedis,
  'reopened from disk': startReopened,
  command: startCommand,
};

/** @param clean ends what the emulator needs, after it */
function toTarget(emulator: Emulator, clean?: () => Promise<void> | void): Target {
  const close = async () => {
    await emulator.close();
    await clean?.();
  };
  return { url: emulator.url, ...TOKENS, close };
}

async function startSocket(): Promise<Target> {
  return toTarget(await createEmulator());
}

async function startMounted(): Promise<Target> {
  const emulator = await createEmulator({ listen: false });
  const host = await serve(express().use('/fake', emulator.app));
  return { ...toTarget(emulator, host.close), url: `${host.url}/fake` };
}

async function startInProcess(): Promise<Target> {
  const emulator = await createEmulator({ listen: false });
  return { ...toTarget(emulator), fetch: emulator.fetch };
}

async function startOnRedis(): Promise<Target> {
  const redis = await startRedis(['--appendfsync', 'no']);
  return toTarget(await startTwoNodes(redis.url, {}), redis.stop);
}

async function startReopened(): Promise<Target> {
  const data = mkdtempSync(join(tmpdir(), 'val-emulator-data-'));
  const first = await createEmulator({ data, listen: false });
  // A folder without a change has no changes to read again.
  first.add.val({ author: 'ada', name: 'kept', code: 'export const kept = 1;' });
  await first.close();
  return toTarget(await createEmulator({ data }), () => rmSync(data, { recursive: true }));
}

async function startCommand(): Promise<Target> {
  const child = spawn(process.execPath, [MAIN, 'start', '--port', '0', '--json', '--no-config'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const line = once(createInterface(child.stdout), 'line');
  const [started] = await Promise.race([line, ended.then(([code]) => Promise.reject(new Error(`Exit code ${code}`)))]);
  const { url }: { url: string } = JSON.parse(started);
  const close = async () => {
    child.kill();
    await ended;
  };
  return { url, ...TOKENS, close };
}
