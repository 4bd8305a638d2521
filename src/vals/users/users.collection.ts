import { Type } from 'typebox';
import type { Builder, Loading, Row } from '#engine/definition/context.js';
import { defineCollection, type FilledOf } from '#engine/definition/define.js';
import { Id, key, nullable, oneOf, optional, record, Url, withDefault } from '#engine/definition/parts.js';
import { didYouMean } from '#engine/lib/messages.js';
import { inSteps } from '#engine/lib/steps.js';
import { defaultToken } from '#engine/state/callers.js';
import { asc, type Collection, index, multiIndex } from '#engine/store/collection.js';

export const TIERS = ['free', 'pro'] as const;
type Tier = (typeof TIERS)[number];

export interface User {
  readonly id: string;
  /** Unique, ignoring case. Null for an account without a username. */
  readonly username: string | null;
  readonly email: string;
  readonly bio: string | null;
  readonly profileImageUrl: string | null;
  readonly tier: Tier | null;
  readonly token: string;
  /** Order of creation: 0 for the first. */
  readonly serial: number;
}

const indexes = {
  token: index<User>(asc((record) => record.token)),
  username: multiIndex(
    (user: User) => (user.username === null ? [] : [user]),
    asc((user) => user.username?.toLowerCase() ?? ''),
  ),
  serial: index<User>(asc((record) => record.serial)),
};

/** The users of a state or a draft. */
export interface Users {
  users: Collection<User, typeof indexes>;
}

/** Returns the name of a user in web addresses and in fixtures: the id for an account without a username. */
export const getHandle = ({ username, id }: User): string => username ?? id;

/** Finds a user by username, ignoring case. */
export const findUserByName = ({ users }: Readonly<Users>, username: string): User | undefined =>
  users.by.username.get([username.toLowerCase()]);

/** Finds a user as fixtures name it: by username or id, ignoring case. */
export const findUserByReference = (sets: Readonly<Users>, reference: string): User | undefined =>
  sets.users.get(reference.toLowerCase()) ?? findUserByName(sets, reference);

/** The accounts that share their names with users, and the projects, which may have blobs and databases as users do. */
interface IdSharing {
  readonly projects: { get(id: string): object | undefined };
  readonly organizations: {
    get(id: string): object | undefined;
    readonly by: { readonly username: { get(key: readonly string[]): object | undefined } };
  };
}

/** Makes records of fixtures that name users. */
export interface UserBuilder extends Builder {
  readonly sets: Users;
  find(collection: 'users', reference: string, path: string): User | undefined;
}

export const NAME_PATTERN = '^[a-zA-Z][a-zA-Z0-9_]{0,47}$';
export const Name = Type.String({
  pattern: NAME_PATTERN,
  expected: 'a name of 1 to 48 letters, digits and _ that begins with a letter',
});
export const TokenText = Type.String({
  pattern: '^[!-~]([ -~]*[!-~])?$',
  expected: 'printable ASCII without spaces at its ends',
});
export const UserRef = Type.String({ expected: 'a username such as "ada", or a user id' });

export const userSchema = record('A user account', {
  username: key(nullable(Name), 'Unique, ignoring case. Null for an account without a username, which needs an id'),
  id: optional(Id, 'UUID. Default: derived from the username'),
  email: optional(Type.String(), 'Visible to the user only. Default: <username>@example.com'),
  bio: withDefault(nullable(Type.String()), null, 'Self-description of the user'),
  profileImageUrl: withDefault(nullable(Url), null, 'URL of a picture'),
  tier: withDefault(oneOf(...TIERS, null), 'free', 'Plan of the user, if any'),
  token: optional(TokenText, 'Bearer token of this user. Default: <username>-token'),
});

type Filled = FilledOf<(typeof userSchema)['properties']>;

interface UserLoading extends Loading {
  rows(collection: 'users'): Iterable<Row<Filled>>;
}

const nameUser = (username: string): string => `user:${username.toLowerCase()}`;
/** @param handle the username, or the id of a user without one */
const defaultEmail = (handle: string): string => `${handle.toLowerCase()}@example.com`;

function build(builder: Builder, { record, path }: Row<Filled>): User | undefined {
  const { username } = record;
  if (username === null && record.id === undefined) {
    return builder.report(`${path}.id`, 'missing; a user without a username needs an id to be named by.');
  }
  const id = builder.toId(record.id, nameUser(username ?? ''));
  const handle = username ?? id;
  return {
    username,
    id,
    email: record.email ?? defaultEmail(handle),
    bio: record.bio,
    profileImageUrl: record.profileImageUrl,
    tier: record.tier,
    token: record.token ?? defaultToken(handle),
    serial: builder.drawSerial(),
  };
}

export const users = defineCollection(
  {
    name: 'users',
    title: 'The users and their tokens',
    adder: 'user',
    identity: index<User>(asc((record) => record.id)),
    indexes,
    schema: userSchema,
  },
  {
    references: {},
    naming: {
      write: (_sets, user) => getHandle(user),
      find: findUserByReference,
      suggest(sets: Users, reference, invalid) {
        const loaded = [...sets.users.by.serial.range()].flatMap(({ username }) => username ?? []);
        const names = [...loaded, ...invalid];
        const listed = names.slice(0, 10).join(', ');
        return didYouMean(reference, names) || (listed === '' ? ' There are no users.' : ` Users: ${listed}.`);
      },
      aliases: (_sets, reference) => [reference.toLowerCase()],
      alias: ({ username }) => (typeof username === 'string' ? username.toLowerCase() : undefined),
    },
    build,
    write: (_names, { serial: _, ...user }): Omit<User, 'serial'> => user,
    example: { username: 'hopper', bio: 'Finds bugs.' },
    display: (_names, user) => getHandle(user),
    rules: {
      if: { properties: { username: { const: null } }, required: ['username'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['id'] },
    },
    secrets: ['token'],
    callers: {
      find: ({ by }, token) => by.token.get([token]),
      list: ({ by }) => by.serial.range(),
    },
    byAge: ({ by }) => by.serial.range(),
    *load(loading: UserLoading) {
      const made: User[] = [];
      yield* inSteps(loading.rows('users'), (row) => {
        const user = build(loading, row);
        if (!user) return;
        const { username, id, token } = user;
        const isUnique =
          (username === null || loading.reserve(`${row.path}.username`, 'username', username.toLowerCase())) &&
          loading.reserve(`${row.path}.id`, 'id', id) &&
          loading.reserve(`${row.path}.token`, 'token', token);
        if (!isUnique) return loading.markInvalid('users', { username: username ?? id, id });
        made.push(user);
        loading.onRecord(row.path, id);
      });
      loading.put('users', made);
    },
    insert(builder: UserBuilder & { readonly sets: IdSharing }, row) {
      const { sets } = builder;
      const user = build(builder, row);
      if (!user) return undefined;
      const { username, id, token } = user;
      const isTaken = (name: string) =>
        findUserByName(sets, name) ?? sets.organizations.by.username.get([name.toLowerCase()]);
      if (username !== null && isTaken(username)) builder.reportTaken(`${row.path}.username`, username);
      if (sets.users.get(id) ?? sets.organizations.get(id) ?? sets.projects.get(id))
        builder.reportTaken(`${row.path}.id`, id);
      if (builder.isToken(token)) builder.reportTaken(`${row.path}.token`, token);
      sets.users = sets.users.put(user);
      return user;
    },
    abridge: (writing) => ({
      abridge(user) {
        const handle = getHandle(user);
        const id = user.username === null ? undefined : writing.deriveId(nameUser(user.username));
        return { defaults: { id, email: defaultEmail(handle), token: defaultToken(handle) } };
      },
    }),
    /** Faults for the users. */
    clear(sets: { faults: readonly { readonly userId: string | null }[] }, users) {
      sets.faults = sets.faults.filter(({ userId }) => !users.some(({ id }) => id === userId));
    },
  },
);
