import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { COMMANDS, nameOf } from '#tools/cli/commands.js';
import { runCli } from '#tools/cli/run.js';

/** Loads all commands, in the order of the help. */
export const loadCommands = () =>
  Promise.all(COMMANDS.map(async (entry) => ({ ...entry, name: nameOf(entry), ...(await entry.load()) })));

/** The command as it is installed; `npm test` builds it first. */
export const MAIN = join(import.meta.dirname, '../../../dist/cjs/val-emulator.cjs');

interface ProcessOptions {
  /** Environment variables in addition to those of the test run; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder that the command is started in. */
  readonly cwd?: string;
}

interface RunOptions extends ProcessOptions {
  /** The width of the terminal that stdout and stderr are; by default they are none. */
  readonly terminal?: number;
  /** The text of stdin. */
  readonly input?: string;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
}

function environment(env: ProcessOptions['env'] = {}): Record<string, string | undefined> {
  const isOwn = (name: string) => /^VAL_EMULATOR_|^(?:NO|FORCE)_COLOR$/.test(name);
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOwn(name))), ...env };
}

/** What a program has written so far. */
abstract class Output {
  stdout = '';
  stderr = '';
  readonly #written = new EventEmitter();

  protected write(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] += text;
    this.#written.emit('text');
  }

  /** Resolves when the program has ended. */
  abstract end(): Promise<Ended>;

  /** Waits until stdout matches; fails when the program ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#waitFor('stdout', pattern);
  }

  /** Waits until stderr matches; fails when the program ends before. */
  printsError(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#waitFor('stderr', pattern);
  }

  async #waitFor(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this[stream]);
      if (found) return found;
      const more = once(this.#written, 'text').then(() => true);
      if (!(await Promise.race([more, this.end().then(() => false)]))) {
        throw new Error(`ended without printing ${pattern}: ${this.stdout}${this.stderr}`);
      }
    }
  }
}

/** A process that runs until it ends, a test ends it, or the test is over. */
export class Command extends Output {
  readonly child: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor(file: string, args: readonly string[], { env, cwd }: ProcessOptions = {}) {
    super();
    this.child = spawn(file, args, { env: environment(env), cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.child, 'close').then(([code]) => code);
    this.child.stdout?.setEncoding('utf8').on('data', (text) => this.write('stdout', text));
    this.child.stderr?.setEncoding('utf8').on('data', (text) => this.write('stderr', text));
    onTestFinished(() => void this.child.kill('SIGKILL'));
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

/** A terminal that a test types on. */
class Keyboard extends EventEmitter {
  /** Whether each key arrives at once. */
  isRaw = false;
  isPaused = true;

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  type(keys: string): void {
    this.emit('data', Buffer.from(keys));
  }
}

/** A run of the program in this process. */
export class Run extends Output {
  /** Signals that the program ended itself by. */
  readonly raised: NodeJS.Signals[] = [];
  /** URLs that the program opened in the browser. */
  readonly opened: string[] = [];
  /** Reports that the last of them could not be opened. */
  failToOpen: (() => void) | undefined;
  readonly stdin = new Keyboard();
  isForeground = true;
  /** The processes that have started the program. */
  parents: readonly number[] = [];
  readonly #signals = new EventEmitter();
  readonly #ended: Promise<number>;

  constructor(args: readonly string[], { env, cwd, terminal, input = '' }: RunOptions = {}) {
    super();
    if (cwd !== undefined) changeFolder(cwd);
    this.#ended = runCli(args, {
      env: environment(env),
      stdout: this.#stream('stdout', terminal),
      stderr: this.#stream('stderr', terminal),
      isInteractive: terminal !== undefined,
      stdin: this.stdin,
      readInput: async () => input,
      isForeground: () => this.isForeground,
      findParents: () => this.parents,
      open: (url, onFailure) => {
        this.opened.push(url);
        this.failToOpen = onFailure;
      },
      signals: this.#signals,
      raise: (signal) => this.raised.push(signal),
      exit: (code) => expect.fail(`ended with unread output and exit code ${code}`),
    });
    onTestFinished(async () => void (await this.kill('SIGTERM')));
  }

  #stream(name: 'stdout' | 'stderr', terminal: number | undefined) {
    const stream = new Writable({
      decodeStrings: false,
      write: (text, _encoding, done) => {
        this.write(name, String(text));
        done();
      },
    });
    return Object.assign(stream, terminal === undefined ? {} : { isTTY: true, columns: terminal });
  }

  async end(): Promise<Ended> {
    const code = await this.#ended;
    return { stdout: this.stdout, stderr: this.stderr, code };
  }

  signal(signal: NodeJS.Signals): void {
    this.#signals.emit(signal, signal);
  }

  /** Sends the signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.signal(signal);
    return this.end();
  }
}

/** Enters a folder until the end of the test. */
function changeFolder(folder: string): void {
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
}

/** Starts `val-emulator` in a process. */
export const spawnCli = (args: readonly string[], options?: ProcessOptions): Command =>
  new Command(process.execPath, [MAIN, ...args], options);

/** Starts `val-emulator` in this process. */
export const launch = (args: readonly string[], options?: RunOptions): Run => new Run(args, options);

/** Runs `val-emulator` in this process to its end. */
export const run = (args: readonly string[], options?: RunOptions): Promise<Ended> => launch(args, options).end();

/** Waits until `val-emulator start` responds and returns its address. */
export async function ready<C extends Output>(command: C): Promise<{ command: C; url: string }> {
  const [, url = ''] = await command.prints(/(http:\/\/[^"\s]+)[\s\S]*\n/);
  return { command, url };
}

/** Starts an emulator on a free port, in this process. */
export const serve = (args: readonly string[] = [], options?: RunOptions) =>
  ready(launch(['start', '--port', '0', ...args], options));

/** Starts an emulator on a free port, in a process. */
export const serveProcess = (args: readonly string[] = [], options?: ProcessOptions) =>
  ready(spawnCli(['start', '--port', '0', ...args], options));

/** The end of a command that could not do what was asked: a message on stderr alone. @param message without the name of the program, if it is a string */
export const refusal = (message: string | RegExp, code = 2) => ({
  stdout: '',
  stderr: typeof message === 'string' ? `val-emulator: ${message}\n` : expect.stringMatching(message),
  code,
});

/** The end of a command that succeeded, with a line on stdout. */
export const says = (stdout: string) => ({ stdout: `${stdout}\n`, stderr: '', code: 0 });
