import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

// Processes that cannot see each other, as in containers: their folder is the same, and the first pid of each is 1.

const UNSHARE = ['-p', '-f', '--kill-child', '--mount-proc'];

export const NO_NAMESPACES = 'no namespaces of processes are allowed here';

export function hasNamespaces(): boolean {
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A program of Node in a namespace of its own, which prints JSON line by line. */
export class Isolated<Event> {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What it has printed. */
  readonly events: Event[] = [];
  errors = '';

  constructor(script: string, args: readonly string[]) {
    this.#child = spawn('unshare', [...UNSHARE, process.execPath, script, ...args], { stdio: 'pipe' });
    let rest = '';
    this.#child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      this.events.push(...lines.map((line) => JSON.parse(line)));
    });
    this.#child.stderr.setEncoding('utf8').on('data', (chunk) => {
      this.errors += chunk;
    });
  }

  /** The pid that this process sees. */
  get #pid(): number {
    const { pid } = this.#child;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
  }

  send(command: string): void {
    this.#child.stdin.write(`${command}\n`);
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(this.#pid, signal);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
