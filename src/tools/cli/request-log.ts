import { inspect } from 'node:util';
import { nameTarget } from '#engine/api/tool-route.js';
import { isControlPath } from '#engine/http/paths.js';
import { reasonFor } from '#engine/lib/errors.js';
import { formatReasons, LIST_TOKENS } from '#engine/lib/reasons.js';
import type { OnError, RequestLog } from '#engine/options/callbacks.js';
import { type CliIo, type Flags, flag, switchFlag } from './command.js';
import { classifyError } from './errors.js';
import { colorStatus, colorsFor, printLine } from './io.js';

export const LOG_FORMATS = ['text', 'json', 'off'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export const logFlags = (describe: string) =>
  ({
    log: { ...flag(describe), choices: LOG_FORMATS },
    'log-control': switchFlag('Also log the requests of the dashboard, commands and tests to /_emulator'),
  }) as const satisfies Flags;

interface LogSettings {
  /** The intercepted hosts, which lines of text show. Default: none */
  readonly names?: readonly string[] | undefined;
  /** Also logs control requests that succeed. Default: false */
  readonly control?: boolean;
}

/** Milliseconds that lines about requests wait for others: a write for each would halve the rate. */
const FLUSH_INTERVAL_MS = 20;

/** Changed records that a line names. */
const MAX_CHANGES = 3;

/** Length of the output that waits for its reader, in UTF-16 code units. Lines beyond it are dropped. */
export const MAX_UNREAD_LENGTH = 1_048_576;

/** Prints a line for each request, several at once. */
export class RequestLogger {
  readonly #io: CliIo;
  readonly #format: (request: RequestLog) => string;
  readonly #formatDropped: (lines: number) => string;
  readonly #logsControl: boolean;
  #lines: string[] = [];
  /** Lines that were dropped since the output was read last. */
  #dropped = 0;

  /** @param findToken returns a token for the hint after a 401 */
  constructor(
    io: CliIo,
    format: Exclude<LogFormat, 'off'>,
    findToken: () => string | undefined,
    { names = [], control = false }: LogSettings = {},
  ) {
    this.#io = io;
    this.#logsControl = control;
    this.#format = format === 'json' ? formatJson : makeTextFormat(io, findToken, names);
    this.#formatDropped = (lines) =>
      format === 'json' ? formatEvent('dropped', { lines }) : `(${lines} lines were dropped: the output was not read)`;
  }

  readonly add = (request: RequestLog): void => {
    const { target, status } = request;
    // A refusal explains why a page or a test does not work.
    if (!this.#logsControl && status < 400 && isControlPath(target)) return;
    const { stdout } = this.#io;
    if (this.#dropped > 0 || stdout.writableLength > MAX_UNREAD_LENGTH) {
      if (this.#dropped++ === 0) stdout.once('drain', this.#reportDropped);
      return;
    }
    if (this.#lines.length === 0) setTimeout(() => this.flush(), FLUSH_INTERVAL_MS);
    this.#lines.push(this.#format(request));
  };

  readonly #reportDropped = (): void => {
    printLine(this.#io, this.#formatDropped(this.#dropped));
    this.#dropped = 0;
  };

  flush(): void {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length > 0) printLine(this.#io, lines.join('\n'));
  }
}

/** Prints what else happens while an emulator runs, as lines of a log in JSON: warnings and errors on stderr. */
export class EventLogger {
  readonly #io: CliIo;

  constructor(io: CliIo) {
    this.#io = io;
  }

  info(event: 'start' | 'reload' | 'stopping' | 'stop', details: object = {}): void {
    printLine(this.#io, formatEvent(event, details));
  }

  readonly warn = (message: string): void => this.#report('warning', { message });

  readonly error = (error: unknown): void => {
    const { code, problems } = classifyError(error);
    this.#report('error', { message: reasonFor(error), code, problems });
  };

  readonly internalError: OnError = (error, { method, target: path }) =>
    this.#report('error', { message: 'Internal error', method, path, stack: inspect(error) });

  readonly stray = (message: string): void => this.#report('error', { message });

  #report(event: string, details: object): void {
    this.#io.stderr.write(`${formatEvent(event, details)}\n`);
  }
}

const formatEvent = (event: string, details: object): string =>
  JSON.stringify({ time: new Date().toISOString(), event, ...details });

/** Formats a request with the time of the system, since logs of other programs are read with it. */
function formatJson({ method, host, target: path, status, duration, ...rest }: RequestLog): string {
  const time = new Date().toISOString();
  return JSON.stringify({ time, method, host, path, status, ms: Number(duration.toFixed(3)), ...rest });
}

function makeTextFormat(
  io: CliIo,
  findToken: () => string | undefined,
  names: readonly string[],
): (request: RequestLog) => string {
  const colors = colorsFor(io);
  return ({ host, status, duration, outcome, sandbox, user, changes, ...request }) => {
    // The terminal names a token, which the journal only says how to find.
    const token = request.suggestion === LIST_TOKENS ? findToken() : undefined;
    const changed = [...changes.slice(0, MAX_CHANGES), ...(changes.length > MAX_CHANGES ? ['…'] : [])].join(', ');
    const facts = [
      `${duration.toFixed(1)} ms`,
      outcome !== 'sent' && outcome,
      sandbox !== '' && `sandbox ${sandbox}`,
      changed,
    ];
    const suggestion = token ? `Try the token ${token}, or --auth lenient` : request.suggestion;
    const suffix = [facts.filter(Boolean).join(' '), formatReasons({ ...request, suggestion })]
      .filter(Boolean)
      .join(' - ');
    const name = host !== null && names.includes(host.toLowerCase().replace(/:\d+$/, '')) ? host : '';
    const target = nameTarget({ ...request, path: request.target });
    return `${request.method.padEnd(6)} ${name}${target} ${colorStatus(colors, { ...request, status })} ${colors.dim(suffix)}`;
  };
}
