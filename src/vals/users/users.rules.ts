import { userNotFound } from '#vals/lib/errors.rules.js';
import type { State } from '#vals/lib/state.collection.js';
import type { Owner } from '#vals/projects/project-records.collection.js';
import type { User } from '#vals/service/service.collection.js';
import { findUserByName } from './users.collection.js';

/** @throws ApiError 404 */
export function getUser(state: State, id: string): User {
  const user = state.users.get(id.toLowerCase());
  if (!user) throw userNotFound(id);
  return user;
}

/** Returns the user of a name, with or without an @. @throws ApiError 404 */
export function getUserByName(state: State, username: string): User {
  const name = username.replace(/^@/, '');
  const user = findUserByName(state, name);
  if (!user) throw userNotFound(name);
  return user;
}

/** Returns a user, or an organization if profiles have a type to tell them apart. @throws ApiError 404 */
export function getAccount(state: State, id: string): Owner {
  const organization = state.settings.userType && state.organizations.get(id.toLowerCase());
  return organization ? { type: 'org', ...organization } : { type: 'user', ...getUser(state, id) };
}

/** Returns the account of a name in the same way. @throws ApiError 404 */
export function getAccountByName(state: State, username: string): Owner {
  const name = username.replace(/^@/, '').toLowerCase();
  const organization = state.settings.userType && state.organizations.by.username.get([name]);
  return organization ? { type: 'org', ...organization } : { type: 'user', ...getUserByName(state, username) };
}
