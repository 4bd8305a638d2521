import type { State } from '#engine/state/state.js';
import type { User } from '../collections/index.js';
import { findUserByName } from '../collections/users.js';
import { userNotFound } from './errors.js';

/** Finds the user of a token. In lenient mode an unknown token means the first user. */
export function findCaller(state: State, token: string | undefined): User | undefined {
  if (token === undefined) return undefined;
  const { token: byToken, serial } = state.users.by;
  return byToken.get([token]) ?? (state.settings.auth === 'lenient' ? serial.range().first : undefined);
}

/** @throws ApiError 404 */
export function getUser(state: State, id: string): User {
  const user = state.users.get(id.toLowerCase());
  if (!user) throw userNotFound();
  return user;
}

/** Returns the user of a name, with or without an @. @throws ApiError 404 */
export function getUserByName(state: State, username: string): User {
  const user = findUserByName(state, username.replace(/^@/, ''));
  if (!user) throw userNotFound();
  return user;
}
