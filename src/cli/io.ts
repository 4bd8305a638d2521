import { stripVTControlCharacters } from 'node:util';
import columnify from 'columnify';
import { createColors } from 'picocolors';
import { OptionsError } from '../lib/errors.js';
import { reasonFor } from './errors.js';
import { type Environment, flagLabel, variableFor } from './flags.js';

/** A stream of text; on a terminal, with its width. */
type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
type SignalListener = (signal: NodeJS.Signals) => void;

/** What the program has from its process. */
export interface CliIo {
  readonly env: Environment;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether stdin is a terminal. */
  readonly isInteractive: boolean;
  /** Where signals arrive: `process`, or an event emitter in tests. */
  readonly signals: Record<'on' | 'off', (signal: NodeJS.Signals, listener: SignalListener) => unknown>;
  /** Ends the process by a signal that was caught. */
  raise(signal: NodeJS.Signals): void;
}

/** Listens for signals until the returned function is called. */
export function onSignals({ signals }: CliIo, names: readonly NodeJS.Signals[], listener: SignalListener): () => void {
  for (const name of names) signals.on(name, listener);
  return () => names.forEach((name) => void signals.off(name, listener));
}

export const printLine = ({ stdout }: CliIo, line: string): void => void stdout.write(`${line}\n`);

/** Prints an error on stderr. A flag comes with its environment variable if that is set. */
export function printError({ env, stderr }: CliIo, error: unknown): void {
  const text =
    error instanceof OptionsError
      ? error.problems.map(({ path, message }) => `${flagLabel(path)}: ${message}`).join('\n')
      : reasonFor(error);
  const withVariables = text.replaceAll(/^--([a-z-]+)/gm, (label, flag: string) =>
    env[variableFor(flag)] ? `${label} (or ${variableFor(flag)})` : label,
  );
  stderr.write(`val-emulator: ${withVariables}\n`);
}

/** Colors for a terminal, none for anything else. */
export const colorsFor = ({ env, stdout }: CliIo): ReturnType<typeof createColors> =>
  createColors(stdout.isTTY === true && !env.NO_COLOR);

/** Colors an HTTP status; 0 stands for a broken connection. */
export function colorStatus(io: CliIo, status: number): string {
  const { red, yellow, green } = colorsFor(io);
  const color = status >= 500 || status === 0 ? red : status >= 400 ? yellow : green;
  return color(String(status));
}

/** Puts a name in quotes if it is more than a word. */
export const quoteName = (name: string): string => (/^[\w.:/-]+$/.test(name) ? name : JSON.stringify(name));

/** Minimum width of the truncated column. */
const MIN_COLUMN_WIDTH = 20;

/**
 * Lays out rows below headings.
 * @param none the text for no rows
 * @param truncatable the column to shorten when the terminal is too narrow
 */
export function formatTable(
  io: CliIo,
  rows: readonly Readonly<Record<string, string>>[],
  none: string,
  truncatable = '',
): string {
  if (rows.length === 0) return none;
  const { columns = 0, isTTY } = io.stdout;
  const layOut = (maxWidth: number) =>
    columnify([...rows], {
      columnSplitter: '  ',
      headingTransform: colorsFor(io).dim,
      truncate: true,
      config: { [truncatable]: { maxWidth } },
    }).replaceAll(/ +$/gm, '');
  const table = layOut(Number.POSITIVE_INFINITY);
  const width = Math.max(...table.split('\n').map((line) => stripVTControlCharacters(line).length));
  if (!isTTY || columns === 0 || width <= columns) return table;
  const longest = Math.max(...rows.map((row) => row[truncatable]?.length ?? 0));
  return layOut(Math.max(MIN_COLUMN_WIDTH, longest - (width - columns)));
}
