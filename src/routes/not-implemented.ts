import { ApiError } from '../lib/errors.js';

/** Parts of the real service that are not emulated: the emulator stores records and does not run code. */
const NOT_IMPLEMENTED: readonly (readonly [pattern: RegExp, feature: string])[] = [
  [/^\/v1\/(?:run|eval|express)(?:\/|$)/, 'run code'],
  [/^\/v1\/(?:(?:me|alias)\/)?projects(?:\/|$)/, 'store projects'],
  [/^\/v[2-9](?:\/|$)/, 'implement versions of the API later than 1'],
];

/** Returns the 501 for a path that is not emulated, to tell it from a misspelt path. */
export function findNotImplemented(path: string): ApiError | undefined {
  const found = NOT_IMPLEMENTED.find(([pattern]) => pattern.test(path));
  return found && new ApiError(501, `The emulator does not ${found[1]}: ${path} is not implemented`);
}
