import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The command as it is installed; `npm test` builds it first. */
export const MAIN = join(import.meta.dirname, '../../dist/bin/val-emulator.js');

interface Surroundings {
  /** Environment variables beside those of the test run; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder that the command is started in. */
  readonly cwd?: string;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
}

/** A command that runs until it ends by itself, a test ends it, or the test is over. */
export class Command {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<number | null>;

  constructor(file: string, args: readonly string[], { env = {}, cwd }: Surroundings = {}) {
    const own = Object.keys(process.env).filter((name) => /^VAL_EMULATOR_|^(?:NO|FORCE)_COLOR$/.test(name));
    const clean = { ...process.env, ...Object.fromEntries(own.map((name) => [name, undefined])) };
    this.child = spawn(file, args, { env: { ...clean, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.child, 'close').then(([code]) => code);
    this.child.stdout?.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** Waits until the output matches; fails when the command ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#writes('stdout', pattern);
  }

  /** The same for its errors. */
  complains(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#writes('stderr', pattern);
  }

  async #writes(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this[stream]);
      if (found) return found;
      const output = this.child[stream];
      const more = output ? once(output, 'data') : Promise.reject(new Error('no output'));
      if (await Promise.race([more.then(() => false), this.#ended.then(() => true)])) {
        throw new Error(`ended without printing ${pattern}: ${this.stdout}${this.stderr}`);
      }
    }
  }

  async end(): Promise<Ended> {
    const code = await this.#ended;
    return { stdout: this.stdout, stderr: this.stderr, code };
  }

  /** Sends the signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.end();
  }
}

/** Starts `val-emulator` with these arguments. */
export const launch = (args: readonly string[], surroundings?: Surroundings): Command =>
  new Command(process.execPath, [MAIN, ...args], surroundings);

/** Runs `val-emulator` to its end. */
export const run = (args: readonly string[], surroundings?: Surroundings): Promise<Ended> =>
  launch(args, surroundings).end();

/** Starts an emulator on a free port and waits until it answers; gives its address along. */
export async function serve(args: readonly string[] = [], surroundings?: Surroundings) {
  const command = launch(['start', '--port', '0', ...args], surroundings);
  const [, url = ''] = await command.prints(/(http:\/\/[^"\s]+)[\s\S]*\n/);
  return { command, url };
}
