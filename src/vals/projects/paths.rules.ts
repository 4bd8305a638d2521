import { badRequest } from '#engine/state/errors.js';
import { findPathProblem } from './files.collection.js';

// Paths of files in a project have no slash at their ends: `src/main.ts`. The root is the empty path.

/**
 * Checks a path, which may be empty.
 * @param name of the path in messages: `querystring/path`
 * @throws ApiError 400 that names the part that is wrong
 */
export function checkPath(path: string, name: string): void {
  const problem = path === '' ? undefined : findPathProblem(path);
  if (problem !== undefined) throw badRequest(`${name}: ${problem}`);
}

/** Returns the path of a directory that a request names: a slash is the root as well. */
export const toDirectory = (path: string): string => (path === '/' ? '' : path);

export const dirname = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const join = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`);

/** Whether a path is below a directory, at any depth. */
export const isBelow = (path: string, directory: string): boolean =>
  directory === '' || path.startsWith(`${directory}/`);
