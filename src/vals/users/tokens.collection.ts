import { Type } from 'typebox';
import type { Loading, Row } from '#engine/definition/context.js';
import { defineCollection, type FilledOf, nameRecord } from '#engine/definition/define.js';
import { Id, key, oneOf, optional, record, Time, withDefault } from '#engine/definition/parts.js';
import { formatValue } from '#engine/lib/messages.js';
import { inSteps } from '#engine/lib/steps.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { defaultToken } from '#engine/state/callers.js';
import { asc, type Collection, index, multiIndex } from '#engine/store/collection.js';
import type { Grant } from '#vals/login/grants.collection.js';
import { type ProjectBuilder, ProjectRef } from '#vals/projects/names.collection.js';
import type { Project } from '#vals/projects/project-records.collection.js';
import { ALL_SCOPES, SCOPE_NAMES, type TokenScope, toRouteScopes, toTokenScopes } from './scopes.collection.js';
import { getHandle, TokenText, type User, UserRef } from './users.collection.js';

/** A further token of a user, which may have some scopes only. */
export interface Token {
  readonly id: string;
  readonly userId: string;
  /** The project whose blobs and SQLite database it reaches, instead of the user's. */
  readonly projectId?: string | undefined;
  readonly token: string;
  /** As fixtures write them, in either vocabulary. */
  readonly scopes: readonly TokenScope[];
  /** Absent for one that does not expire. */
  readonly expiresAt?: Instant | undefined;
  /** The grant of which a login has made it. */
  readonly grantId?: string | undefined;
  /** Order of creation. */
  readonly serial: number;
}

const indexes = {
  token: index<Token>(asc((record) => record.token)),
  user: index<Token>(
    asc((record) => record.userId),
    asc((record) => record.serial),
  ),
  grant: multiIndex(
    (token: Token) => (token.grantId === undefined ? [] : [token]),
    asc((record) => record.grantId ?? ''),
    asc((record) => record.serial),
  ),
  project: multiIndex(
    (token: Token) => (token.projectId === undefined ? [] : [token]),
    asc((record) => record.projectId ?? ''),
    asc((record) => record.serial),
  ),
};

interface Sets {
  tokens: Collection<Token, typeof indexes>;
}

const schema = record('A further token of a user, with scopes', {
  user: key(UserRef, 'Username or id of the user'),
  token: optional(TokenText, 'Bearer token, unlike any other. Default: <username>-token-1, with the next free number'),
  scopes: withDefault(
    Type.Array(oneOf(...SCOPE_NAMES)),
    [...ALL_SCOPES],
    'What the token may do. Default: everything. The own token of a user may do everything as well',
  ),
  project: optional(
    ProjectRef,
    'Project that the token is of, such as ada/site: it reaches the blobs and the database of the project. Default: none',
  ),
  expiresAt: optional(Time, 'When it expires. Default: never'),
  grant: optional(Id, 'Id of the grant of which a login has made it. Default: none'),
  id: optional(Id, 'UUID. Default: derived from the user and the number of their tokens before this one'),
});

type Filled = FilledOf<(typeof schema)['properties']>;

interface TokenBuilder extends ProjectBuilder {
  readonly sets: ProjectBuilder['sets'] & Sets;
  find: ProjectBuilder['find'] & ((collection: 'grants', reference: string, path: string) => Grant | undefined);
}

interface TokenLoading extends Loading {
  readonly sets: TokenBuilder['sets'];
  find: TokenBuilder['find'];
  rows(collection: 'tokens'): Iterable<Row<Filled>>;
}

/** The records that the one of a token names. */
interface Named {
  readonly user: User;
  readonly project: Project | undefined;
  readonly grant: Grant | undefined;
}

/** Finds the user and the project of a token, and reports unknown ones. */
function findNamed(
  builder: Pick<TokenBuilder, 'find'>,
  { record: { user: name, project: reference, grant: id }, path }: Row<Filled>,
): Named | undefined {
  const user = builder.find('users', name, `${path}.user`);
  const project = reference === undefined ? undefined : builder.find('projects', reference, `${path}.project`);
  const grant = id === undefined ? undefined : builder.find('grants', id, `${path}.grant`);
  const isWhole = (project || reference === undefined) && (grant || id === undefined);
  return user && isWhole ? { user, project, grant } : undefined;
}

/** @param isFree whether no other token has the text */
function build(
  builder: TokenBuilder,
  { record, path }: Row<Filled>,
  { user, project, grant }: Named,
  ordinal: number,
  isFree: (token: string) => boolean,
): Token {
  const handle = getHandle(user);
  let number = ordinal + 1;
  const toDefault = () => `${defaultToken(handle)}-${number}`;
  while (record.token === undefined && !isFree(toDefault())) number++;
  return {
    id: builder.toId(record.id, nameRecord('tokens', user.id, ordinal)),
    userId: user.id,
    ...(project && { projectId: project.id }),
    token: record.token ?? toDefault(),
    scopes: [...new Set(record.scopes)],
    ...(record.expiresAt !== undefined && {
      expiresAt: builder.toInstant(record.expiresAt, builder.now, `${path}.expiresAt`),
    }),
    ...(grant && { grantId: grant.id }),
    serial: builder.drawSerial(),
  };
}

export interface ExportedToken {
  readonly id: string;
  readonly user: string;
  readonly token: string;
  readonly scopes: TokenScope[];
  readonly project?: string;
  readonly expiresAt?: string;
  readonly grant?: string;
}

export const tokens = defineCollection(
  {
    name: 'tokens',
    title: 'Further tokens of users, with scopes',
    adder: 'token',
    identity: index<Token>(asc((record) => record.id)),
    indexes,
    schema,
  },
  {
    references: {
      user: { to: 'users', id: ({ userId }) => userId, find: ({ by }, id) => by.user.range([id]) },
      grant: { to: 'grants', id: ({ grantId }) => grantId, find: ({ by }, id) => by.grant.range([id]) },
      project: { to: 'projects', id: ({ projectId }) => projectId, find: ({ by }, id) => by.project.range([id]) },
    },
    owner: 'user',
    *load(loading: TokenLoading) {
      const made: Token[] = [];
      const ordinals = new Map<string, number>();
      const given = new Set(Array.from(loading.rows('tokens'), ({ record }) => record.token));
      yield* inSteps(loading.rows('tokens'), (row) => {
        const { path } = row;
        const named = findNamed(loading, row);
        if (!named) return;
        const { user } = named;
        const ordinal = ordinals.get(user.id) ?? 0;
        ordinals.set(user.id, ordinal + 1);
        const isFree = (text: string) => !given.has(text) && !loading.isToken(text);
        const each = build(loading, row, named, ordinal, isFree);
        given.add(each.token);
        const isUnique =
          loading.reserve(`${path}.id`, 'id', each.id) && loading.reserve(`${path}.token`, 'token', each.token);
        const owner = loading.sets.users.by.token.get([each.token]);
        if (owner) {
          const message = `the token ${formatValue(each.token)} is taken by the user ${getHandle(owner)}; expected another one.`;
          loading.report(`${path}.token`, message);
        }
        if (!isUnique || owner) return;
        made.push(each);
        loading.onRecord(path, each.id);
      });
      loading.put('tokens', made);
    },
    insert(builder: TokenBuilder, row) {
      const { sets } = builder;
      const { path } = row;
      const named = findNamed(builder, row);
      if (!named) return undefined;
      const ordinal = sets.tokens.by.user.range([named.user.id]).length;
      const each = build(builder, row, named, ordinal, (text) => !builder.isToken(text));
      if (sets.tokens.get(each.id)) builder.reportTaken(`${path}.id`, each.id);
      if (builder.isToken(each.token)) builder.reportTaken(`${path}.token`, each.token);
      sets.tokens = sets.tokens.put(each);
      return each;
    },
    write: (names, { id, userId, projectId, token, scopes, expiresAt, grantId }): ExportedToken => ({
      id,
      user: names.of('users', userId),
      token,
      scopes: [...scopes],
      ...(projectId !== undefined && { project: names.of('projects', projectId) }),
      ...(expiresAt !== undefined && { expiresAt: toTimestamp(expiresAt) }),
      ...(grantId !== undefined && { grant: grantId }),
    }),
    example: { user: 'ada', token: 'reader', scopes: ['val:read', 'user:read'] },
    display: (names, { userId, projectId, scopes }) =>
      `token of ${names.of('users', userId)}${projectId === undefined ? '' : ` in ${names.of('projects', projectId)}`} with ${scopes.length === ALL_SCOPES.length ? 'all scopes' : scopes.join(', ') || 'no scopes'}`,
    secrets: ['token'],
    credentials: {
      find: ({ by }, token) => by.token.get([token]),
      callerId: ({ userId }) => userId,
      scopes: ({ scopes }) => toRouteScopes(scopes),
      grantedBy: toTokenScopes,
    },
  },
);
