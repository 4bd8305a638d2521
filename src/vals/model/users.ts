import type { User } from '../collections/index.js';
import type { State } from '../collections/state.js';
import { findUserByName } from '../collections/users.js';
import { userNotFound } from './errors.js';

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
