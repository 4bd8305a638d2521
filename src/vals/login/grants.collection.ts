import { Type } from 'typebox';
import type { Row } from '#engine/definition/context.js';
import { defineCollection, type FilledOf } from '#engine/definition/define.js';
import { Id, key, oneOf, optional, record, Time } from '#engine/definition/parts.js';
import { formatValue } from '#engine/lib/messages.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, index, multiIndex } from '#engine/store/collection.js';
import { SCOPE_NAMES, type TokenScope } from '#vals/users/scopes.collection.js';
import { type UserBuilder, UserRef } from '#vals/users/users.collection.js';
import { type Clients, TOOL } from './clients.collection.js';

/** What a grant is exchanged for tokens by: a code, the code of a device that waits or was refused, or a refresh token. */
const STEPS = ['code', 'device', 'denied', 'refresh'] as const;

/** What a user has allowed a client, from its first code to its last refresh token. */
export interface Grant {
  readonly id: string;
  readonly clientId: string;
  /** Absent while a device waits for a user. */
  readonly userId?: string | undefined;
  readonly scopes: readonly TokenScope[];
  readonly step: (typeof STEPS)[number];
  /** The code, the device code or the refresh token. Absent when the client has no further one. */
  readonly secret?: string | undefined;
  readonly userCode?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly nonce?: string | undefined;
  readonly expiresAt: Instant;
  /** Order of creation, and of the last use. */
  readonly serial: number;
}

const indexes = {
  client: index<Grant>(
    asc(({ clientId }) => clientId),
    asc(({ serial }) => serial),
  ),
  user: multiIndex(
    (grant: Grant) => (grant.userId === undefined ? [] : [grant]),
    asc(({ userId }) => userId ?? ''),
    asc(({ serial }) => serial),
  ),
  userCode: multiIndex(
    (grant: Grant) => (grant.userCode === undefined ? [] : [grant]),
    asc(({ userCode }) => userCode ?? ''),
  ),
  expiry: index<Grant>(
    asc(({ expiresAt }) => expiresAt),
    asc(({ serial }) => serial),
  ),
  serial: index<Grant>(asc(({ serial }) => serial)),
};

const schema = record('What a user has allowed a client, as a login leaves it', {
  id: key(Id, 'UUID'),
  client: key(Type.String(), 'The client_id'),
  user: optional(UserRef, 'Default: none, for a device that waits'),
  scopes: key(Type.Array(oneOf(...SCOPE_NAMES)), 'What its tokens may do'),
  step: key(oneOf(...STEPS), 'What its secret is'),
  secret: optional(Type.String(), 'The code, the device code or the refresh token. Default: none'),
  userCode: optional(Type.String(), 'What a user types for a device. Default: none'),
  redirectUri: optional(Type.String(), 'Where the login leads. Default: nowhere, as of a device'),
  codeChallenge: optional(Type.String(), 'By which the code is proved. Default: none'),
  nonce: optional(Type.String(), 'For the id_token. Default: none'),
  expiresAt: key(Time, 'When it ends'),
});
type Filled = FilledOf<(typeof schema)['properties']>;

interface GrantBuilder extends UserBuilder {
  readonly sets: UserBuilder['sets'] & Clients;
}

export const grants = defineCollection(
  {
    name: 'grants',
    title: 'What users have allowed clients',
    adder: undefined,
    identity: index<Grant>(asc(({ id }) => id)),
    indexes,
    schema,
  },
  {
    references: {
      client: {
        to: 'clients',
        id: ({ clientId }) => (clientId === TOOL ? undefined : clientId),
        find: ({ by }, id) => by.client.range([id]),
      },
      user: { to: 'users', id: ({ userId }) => userId, find: ({ by }, id) => by.user.range([id]) },
    },
    build(builder: GrantBuilder, { record, path }: Row<Filled>): Grant | undefined {
      const { client: clientId, user: name, expiresAt, ...rest } = record;
      const user = name === undefined ? undefined : builder.find('users', name, `${path}.user`);
      if (name !== undefined && !user) return undefined;
      if (clientId !== TOOL && !builder.sets.clients.get(clientId)) {
        return builder.report(`${path}.client`, `there is no client ${formatValue(clientId)}.`);
      }
      return {
        ...rest,
        id: rest.id.toLowerCase(),
        clientId,
        ...(user && { userId: user.id }),
        expiresAt: builder.toInstant(expiresAt, builder.now, `${path}.expiresAt`),
        serial: builder.drawSerial(),
      };
    },
    write: (names, { clientId, userId, scopes, expiresAt, serial: _, ...grant }) => ({
      ...grant,
      client: clientId,
      ...(userId !== undefined && { user: names.of('users', userId) }),
      scopes: [...scopes],
      expiresAt: toTimestamp(expiresAt),
    }),
    display: (names, { clientId, userId }) =>
      `grant of ${userId === undefined ? 'nobody' : names.of('users', userId)} to ${clientId}`,
    secrets: ['secret'],
  },
);
