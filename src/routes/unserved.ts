import { ApiError } from '../domain/errors.js';

/** What the real service has and the emulator has not: it keeps records and does not run code. */
const UNSERVED: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^\/v1\/(?:run|eval|express)(?:\/|$)/, 'run code'],
  [/^\/v1\/vals\/[^/]+\/evaluations(?:\/|$)/, 'run code'],
  [/^\/v1\/blob(?:\/|$)/, 'keep blobs'],
  [/^\/v1\/sqlite(?:\/|$)/, 'have a SQLite database'],
  [/^\/v1\/email(?:\/|$)/, 'send email'],
  [/^\/v[2-9](?:\/|$)/, 'speak a later version of the API than 1'],
];

/** The 501 for a path of a part of the service that is not emulated, so that nobody takes it for a misspelt one. */
export function unservedError(path: string): ApiError | undefined {
  const found = UNSERVED.find(([pattern]) => pattern.test(path));
  return found && new ApiError(501, `The emulator does not ${found[1]}: ${path} is not served`);
}
