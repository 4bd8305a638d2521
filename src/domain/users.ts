import { asc, by, byEach, Collection, type Source } from './collection.js';
import { userNotFound } from './errors.js';
import type { State } from './state.js';

export const TIERS = ['free', 'pro'] as const;
export type Tier = (typeof TIERS)[number];

export interface User {
  readonly id: string;
  /** Unique, whatever the case of its letters. Null for an account that has not chosen one. */
  readonly username: string | null;
  readonly email: string;
  readonly bio: string | null;
  readonly profileImageUrl: string | null;
  readonly tier: Tier | null;
  /** What follows `Bearer ` in the requests of this user. */
  readonly token: string;
  /** Position in the order of joining: 0 for the first. */
  readonly serial: number;
}

export const userCollection = (users: Source<User>) =>
  Collection.from(
    by<User>(asc((user) => user.id)),
    {
      token: by<User>(asc((user) => user.token)),
      username: byEach(
        (user: User) => (user.username === null ? [] : [user]),
        asc((user) => user.username?.toLowerCase() ?? ''),
      ),
      serial: by<User>(asc((user) => user.serial)),
    },
    users,
  );
export type Users = ReturnType<typeof userCollection>;

/** Whose token this is; nobody's if there is none or nobody holds it. */
export function findCaller(state: State, token: string | undefined): User | undefined {
  if (token === undefined) return undefined;
  const { token: byToken, serial } = state.users.by;
  return byToken.get([token]) ?? (state.settings.auth === 'lenient' ? serial.range().first : undefined);
}

export const findUserByName = (state: State, username: string): User | undefined =>
  state.users.by.username.get([username.toLowerCase()]);

/** Throws the 404. */
export function findUser(state: State, id: string): User {
  const user = state.users.get(id);
  if (!user) throw userNotFound();
  return user;
}

/** The user of this name, which people write with an @ before it as well. Throws the 404. */
export function resolveUser(state: State, username: string): User {
  const user = findUserByName(state, username.replace(/^@/, ''));
  if (!user) throw userNotFound();
  return user;
}

/** The author of a record. A user takes all records along when it is deleted, so a record without one is a defect. */
export function authorOf(state: State, record: { readonly authorId: string }): User {
  const author = state.users.get(record.authorId);
  if (!author) throw new Error(`no user ${record.authorId}`);
  return author;
}
