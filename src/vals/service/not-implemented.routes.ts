import { ApiError } from '#engine/lib/errors.js';

/** Parts of the real service that are not emulated, by method and path. */
const NOT_IMPLEMENTED: readonly (readonly [pattern: RegExp, feature: string])[] = [
  [/^\S+ \/v1\/(?:run|eval|express)(?:\/|$)/, 'run code'],
  [/^\S+ \/v1\/(?:(?:me|alias)\/)?projects(?:\/|$)/, 'have the early routes of projects, which are at /v2/vals'],
  [/^\S+ \/v3\/connections(?:\/|$)/, 'give out tokens of other services, which only the real one has'],
  [/^\S+ \/v2(?:\/|$)/, 'implement this part of version 2 of the API'],
  [/^\S+ \/v[3-9](?:\/|$)/, 'implement versions of the API later than 2, except for the MCP server at POST /v3/mcp'],
];

/** Returns the 501 for a request to a part that is not emulated, to tell it from a misspelt path. */
export function findNotImplemented(method: string, path: string): ApiError | undefined {
  const name = `${method} ${path}`;
  const found = NOT_IMPLEMENTED.find(([pattern]) => pattern.test(name));
  return found && new ApiError(501, `The emulator does not ${found[1]}: ${path} is not implemented`);
}
