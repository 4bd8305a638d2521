import { inspect } from 'node:util';
import { renderError } from '../api/errors.js';

/** The request during which an internal error occurred. */
export interface FailedRequest {
  readonly method: string;
  /** Path and query, without the prefix of a sandbox. */
  readonly target: string;
}

export type OnError = (error: unknown, request: FailedRequest) => void;

/**
 * Reports an error that no rule has thrown, which is a defect of the emulator.
 * @returns the stack; null for an error that is a response of the API
 */
export function reportInternalError(
  error: unknown,
  { method, target }: FailedRequest,
  onError: OnError,
): string | null {
  if (renderError(error).statusCode !== 500) return null;
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
