import { userNotFound } from './errors.js';
import type { User } from './schema.js';
import type { State } from './state.js';

/** Finds the user of a token. In lenient mode an unknown token means the first user. */
export function findCaller(state: State, token: string | undefined): User | undefined {
  if (token === undefined) return undefined;
  const { token: byToken, serial } = state.users.by;
  return byToken.get([token]) ?? (state.settings.auth === 'lenient' ? serial.range().first : undefined);
}

/** Returns the name of a user in web addresses and in fixtures: the id for an account without a username. */
export const getHandle = ({ username, id }: User): string => username ?? id;

/** Finds a user by username, ignoring case. */
export const findUserByName = (state: State, username: string): User | undefined =>
  state.users.by.username.get([username.toLowerCase()]);

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

/** Returns the author of a record. Deleting a user deletes its records, so a record without an author is a defect. */
export function getAuthor(state: State, record: { readonly authorId: string }): User {
  const author = state.users.get(record.authorId);
  if (!author) throw new Error(`no user ${record.authorId}`);
  return author;
}
