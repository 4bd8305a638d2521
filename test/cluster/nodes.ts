import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PATIENCE } from '../support/patience.js';
import type { Target } from './balancer.js';

const CLI = fileURLToPath(new URL('../../dist/cjs/val-emulator.cjs', import.meta.url));

/** A process of the emulator. */
export class EmulatorNode implements Target {
  isOut = false;
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #errors: () => string;

  /** @param flags of `val-emulator start` */
  static async start(flags: readonly string[]): Promise<EmulatorNode> {
    const child = spawn(process.execPath, [CLI, 'start', '--port', '0', '--json', '--no-config', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))).url);
      });
      child.once('exit', (code, signal) => reject(new Error(`the node ended with ${code ?? signal}: ${errors}`)));
    }).finally(() => clearTimeout(timer));
    return new EmulatorNode(child, exited, url, () => errors);
  }

  private constructor(child: ChildProcess, exited: Promise<unknown>, url: string, errors: () => string) {
    this.#child = child;
    this.#exited = exited;
    this.url = url;
    this.#errors = errors;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** What it printed on stderr. */
  get errors(): string {
    return this.#errors();
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Stops the process or lets it go on, without a wait. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#exited;
  }
}
