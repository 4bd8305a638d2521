import { stripVTControlCharacters } from 'node:util';
import { OptionsError, reasonFor } from '#engine/lib/errors.js';
import { formatStatus, isError } from '#engine/lib/reasons.js';
import { escapeControls } from '#engine/lib/text.js';
import {
  type CliIo,
  type ConfigFile,
  flagLabel,
  type OutputStream,
  type SignalListener,
  toCamelCase,
  variableFor,
} from './command.js';
import { classifyError } from './errors.js';

/** Listens for signals until the returned function is called. */
export function onSignals({ signals }: CliIo, names: readonly NodeJS.Signals[], listener: SignalListener): () => void {
  for (const name of names) signals.on(name, listener);
  return () => names.forEach((name) => void signals.off(name, listener));
}

export const printLine = ({ stdout }: CliIo, line: string): void => void stdout.write(`${line}\n`);

/** Asks on the terminal whether to continue. */
export async function ask({ stdin, stdout }: CliIo, warning: string): Promise<boolean> {
  stdout.write(`${warning} Continue? [y/N] `);
  stdin.resume();
  const answer = await new Promise<string>((resolve) => {
    const read = (text: Buffer | string) => {
      stdin.off('data', read);
      stdin.pause();
      resolve(String(text));
    };
    stdin.on('data', read);
  });
  return /^y(es)?\s*$/i.test(answer);
}

/** Opens a URL in the browser, and prints it for those without one. */
export const openUrl = (io: CliIo, url: string): void =>
  io.open(url, () => io.stderr.write(`val-emulator: No browser could be opened: visit ${url}\n`));

interface ErrorFormat {
  readonly json?: boolean;
  /** The config file in use. */
  readonly config?: ConfigFile | undefined;
}

/** Prints an error on stderr. A flag comes with its environment variable, or its key in the config file, if that is set. */
export function printError({ env, stderr }: CliIo, error: unknown, { json, config }: ErrorFormat = {}): void {
  const problems = error instanceof OptionsError ? error.problems : undefined;
  const text = problems?.map(({ path, message }) => `${flagLabel(path)}: ${message}`).join('\n') ?? reasonFor(error);
  const message = text.replaceAll(/^--([a-z-]+)/gm, (label, flag: string) => {
    if (env[variableFor(flag)]) return `${label} (or ${variableFor(flag)})`;
    return config?.values.has(flag) ? `${label} (or ${toCamelCase(flag)} in ${config.path})` : label;
  });
  const { code, problems: all } = classifyError(error);
  const report = { error: { code, message, ...(all && { problems: all }) } };
  stderr.write(json ? `${JSON.stringify(report)}\n` : `val-emulator: ${message}\n`);
}

/**
 * Stands for the start of an escape sequence of the program: numbers that text of others cannot guess, since it comes from another process.
 * `node:crypto` takes 2 ms to load.
 */
const MARK = `\u001b[${Array.from({ length: 3 }, () => 1_000 + Math.floor(Math.random() * 9_000)).join(';')};`;

/** Streams that write control characters as text: what others have named and sent must not change the terminal. */
export const guardOutput = (io: CliIo): CliIo =>
  Object.create(io, { stdout: { value: guardStream(io.stdout) }, stderr: { value: guardStream(io.stderr) } });

const guardStream = (stream: OutputStream): OutputStream =>
  new Proxy(stream, {
    get(target, name) {
      if (name === 'unguarded') return target;
      if (name === 'write') {
        return (text: unknown, ...others: []) =>
          target.write(escapeControls(String(text)).replaceAll(escapeControls(MARK), '\u001b['), ...others);
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** The codes of a style: where it begins, and where it ends. Source: ECMA-48, SGR. */
const STYLES = {
  ...{ bold: [1, 22], dim: [2, 22] },
  ...{ red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] },
} as const;

/** Colors for a terminal, none for anything else. */
export function colorsFor({ env, stdout }: CliIo) {
  const isColored = stdout.isTTY === true && !env.NO_COLOR;
  const mark = (style: keyof typeof STYLES) => (text: string) => {
    const [begin, end] = STYLES[style];
    return isColored ? `${MARK}${begin}m${escapeControls(text)}${MARK}${end}m` : escapeControls(text);
  };
  return {
    ...{ bold: mark('bold'), cyan: mark('cyan'), dim: mark('dim') },
    ...{ green: mark('green'), red: mark('red'), yellow: mark('yellow') },
  };
}

/** Colors the status of a response; 0 stands for a broken connection. */
export function colorStatus(
  { red, yellow, green }: ReturnType<typeof colorsFor>,
  response: Parameters<typeof formatStatus>[0],
): string {
  const { status } = response;
  return (status >= 500 || status === 0 ? red : isError(response) ? yellow : green)(formatStatus(response));
}

/** The characters of a line of help. */
export const helpWidth = ({ stdout }: CliIo): number => Math.min(100, stdout.columns || 100);

/** Puts a name in quotes if it is more than a word. */
export const quoteName = (name: string): string => (/^[\w.:/-]+$/.test(name) ? name : JSON.stringify(name));

type Cell = string | number | boolean | null | undefined;

const formatCell = (value: Cell): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? '-');

/** Characters that a column has at most. A longer cell moves the rest of its row only. */
const MAX_COLUMN = 60;

/**
 * Lays out rows below headings. A missing value is a dash.
 * @param none the text for no rows
 * @param truncatable the columns to shorten when the terminal is too narrow, to 20 characters at least
 */
export function formatTable(
  io: CliIo,
  rows: readonly Readonly<Record<string, Cell>>[],
  none: string,
  ...truncatable: readonly string[]
): string {
  const columns = Object.keys(rows[0] ?? {}).map((name) => {
    const cells = [colorsFor(io).dim(name), ...rows.map((row) => formatCell(row[name]))];
    return { name, cells, width: Math.max(...cells.map(lengthOf)) };
  });
  for (const column of columns.slice(0, -1)) column.width = Math.min(column.width, MAX_COLUMN);
  if (columns.length === 0) return none;
  const width = columns.reduce((sum, column) => sum + column.width + 2, -2);
  let excess = io.stdout.isTTY ? width - (io.stdout.columns || width) : 0;
  for (const column of columns.filter(({ name }) => io.stdout.isTTY && truncatable.includes(name))) {
    const size = Math.min(column.width, Math.max(20, column.width - Math.max(0, excess)));
    excess -= column.width - size;
    column.width = size;
    column.cells = column.cells.map((cell) => (lengthOf(cell) > size ? `${cell.slice(0, size - 1)}…` : cell));
  }
  const pad = (cell = '', size = 0) => cell + ' '.repeat(Math.max(0, size - lengthOf(cell)));
  const lines = ['', ...rows].map((_, row) =>
    columns.map(({ cells, width: size }) => pad(cells[row], size)).join('  '),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

const lengthOf = (text: string): number => stripVTControlCharacters(text).length;
