import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { renderError } from '../api/errors.js';
import { packageFile } from '../lib/package.js';

/** The request during which an internal error occurred. */
export interface FailedRequest {
  readonly method: string;
  /** Path and query, without the prefix of a sandbox. */
  readonly target: string;
}

export type OnError = (error: unknown, request: FailedRequest) => void;

/**
 * Reports an error that no rule has thrown, which is a defect of the emulator. Its stack names positions in TypeScript.
 * @returns the stack; null for an error that is a response of the API
 */
export function reportInternalError(
  error: unknown,
  { method, target }: FailedRequest,
  onError: OnError,
): string | null {
  if (renderError(error).statusCode !== 500) return null;
  if (error instanceof Error && error.stack !== undefined) Reflect.set(error, 'stack', mapStack(error.stack));
  // Later, so that an error of the callback does not become one of the request. Not by queueMicrotask, which Jest's fake
  // timers replace.
  void Promise.resolve({ method, target }).then((request) => onError(error, request));
  return inspect(error);
}

/** Describes an internal error in some lines: the request, the stack, and what to do. */
export const formatInternalError = (error: unknown, { method, target }: FailedRequest): string =>
  `val-emulator: Internal error in ${method} ${target}\n${inspect(error)}\nThis is an error of val-emulator. Please report it with these lines.`;

/** The default: prints the error on stderr. */
export const printInternalError: OnError = (error, request) => console.error(formatInternalError(error, request));

/** A position in a module of a stack: `file:///app/index.js:10:5` or `/app/index.cjs:10:5`. */
const POSITION = /((?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^():\n]*\.c?js):(\d+):(\d+)/g;

/**
 * Replaces the positions in bundles of this package by those in TypeScript: `val-emulator/src/api/router.ts:40:5`. It reads
 * the source maps when it is called, since Node would read them all at the start.
 */
function mapStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(POSITION, (position, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file.startsWith('file:') ? fileURLToPath(file) : file));
    const origin = maps.get(file)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin) || !origin.fileName) return position;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, 'val-emulator/')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function readMap(path: string): SourceMap | undefined {
  const isOurs = path.startsWith(fileURLToPath(packageFile('dist')));
  return isOurs && existsSync(`${path}.map`)
    ? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
    : undefined;
}
