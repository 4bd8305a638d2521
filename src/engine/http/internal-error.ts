import { inspect } from 'node:util';
import { renderError } from '../api/errors.js';
import { HandlerError } from '../definition/service-errors.js';
import type { FailedRequest, OnError } from '../options/callbacks.js';

/**
 * Reports an error that no rule has thrown, which is a defect of the emulator or of another service.
 * @returns the stack; null for an error that is a response of the API
 */
export function reportInternalError(
  thrown: unknown,
  { method, target }: FailedRequest,
  onError: OnError,
): string | null {
  if (renderError(thrown).statusCode !== 500) return null;
  const { cause: error, handler } = thrown instanceof HandlerError ? thrown : { cause: thrown };
  // Later, so that an error of the callback does not become one of the request. Not by queueMicrotask, which Jest's fake
  // timers replace.
  void Promise.resolve({ method, target, ...(handler !== undefined && { handler }) }).then((request) =>
    onError(error, request),
  );
  return inspect(error);
}

/** Describes an internal error in some lines: the request or the handler, the stack, and what to do. */
export const formatInternalError = (error: unknown, { method, target, handler }: FailedRequest): string =>
  handler === undefined
    ? `val-emulator: Internal error in ${method} ${target}\n${inspect(error)}\nThis is an error of val-emulator. Please report it with these lines.`
    : `val-emulator: error in the handler of ${handler}\n${inspect(error)}`;

/** The default: prints the error on stderr. */
export const printInternalError: OnError = (error, request) => console.error(formatInternalError(error, request));
