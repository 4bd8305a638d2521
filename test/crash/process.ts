import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Served {
  readonly url: string;
  /** Ends the process by a signal, and resolves when it has ended. */
  stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const CLI = path('../../dist/bin/val-emulator.js');
const SERVE = path('serve.js');

export interface ServeOptions {
  readonly data: string;
  readonly fixtures: string;
  readonly dataSync: 'full' | 'lazy';
  /** Bytes by which the file grows until it is written anew; undefined for the CLI, which has no option for it. */
  readonly dataGrowth: number | undefined;
}

/** Starts an emulator on a data folder, in a separate process. */
export async function serve({ data, fixtures, dataSync, dataGrowth }: ServeOptions): Promise<Served> {
  const flags = ['--data', data, '--data-sync', dataSync, '--fixtures', fixtures, '--port', '0', '--json'];
  const args =
    dataGrowth === undefined
      ? [CLI, 'start', ...flags, '--no-config']
      : [SERVE, JSON.stringify({ data, fixtures, dataSync, dataGrowth })];
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
