import { Type } from 'typebox';
import type { Builder, Row } from '#engine/definition/context.js';
import { defineCollection, type FilledOf } from '#engine/definition/define.js';
import { key, NOW, oneOf, optional, record, Time, withDefault } from '#engine/definition/parts.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, type Collection, index } from '#engine/store/collection.js';
import { TokenText } from '#vals/users/users.collection.js';

/** How a client gets tokens. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** A program that users log in to, by the names of RFC 7591. */
export interface Client {
  readonly client_id: string;
  /** Absent for a public client. */
  readonly client_secret?: string | undefined;
  readonly client_name?: string | undefined;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly GrantType[];
  readonly createdAt: Instant;
  /** Order of creation. */
  readonly serial: number;
}

/** The command-line tool of the service, a client that no record has to define. */
export const TOOL = 'val_town_vt';

const indexes = { serial: index<Client>(asc(({ serial }) => serial)) };

/** The clients of a state or a draft. */
export interface Clients {
  clients: Collection<Client, typeof indexes>;
}

const schema = record('A program that users log in to by OAuth, by the names of RFC 7591', {
  client_id: key(TokenText, 'Unique. val_town_vt, the command-line tool, is there without a record'),
  client_secret: optional(Type.String(), 'Default: none, for a public client. Empty in a session file'),
  client_name: optional(Type.String(), 'As the page of the login shows it. Default: the client_id'),
  redirect_uris: withDefault(Type.Array(Type.String()), [], 'Where a login may lead. A loopback address has any port'),
  grant_types: withDefault(Type.Array(oneOf(...GRANT_TYPES)), [...GRANT_TYPES], 'How it gets tokens. Default: by all'),
  createdAt: withDefault(Time, NOW, 'Default: when the sandbox is created or reset, or the record is added'),
});
type Filled = FilledOf<(typeof schema)['properties']>;

const byId = (path: string, id: string) => ({ path: `${path}.client_id`, value: id });

export const clients = defineCollection(
  {
    name: 'clients',
    title: 'The programs that users log in to',
    adder: 'client',
    identity: index<Client>(asc(({ client_id }) => client_id)),
    indexes,
    schema,
  },
  {
    references: {},
    build: (builder: Builder, { record, path }: Row<Filled>): Client => ({
      ...record,
      createdAt: builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`),
      serial: builder.drawSerial(),
    }),
    write: (_names, { serial: _, createdAt, redirect_uris, grant_types, ...client }) => ({
      ...client,
      redirect_uris: [...redirect_uris],
      grant_types: [...grant_types],
      createdAt: toTimestamp(createdAt),
    }),
    twin: {
      inFixtures: (path, first) => ({
        path: `${path}.client_id`,
        message: `the client_id is taken by ${first}; expected another one.`,
      }),
      whenAdded: ({ path, record }) => byId(path, record.client_id),
    },
    example: { client_id: 'my-agent', client_name: 'My agent', redirect_uris: ['http://127.0.0.1/callback'] },
    display: (_names, { client_id }) => `client ${client_id}`,
    secrets: ['client_secret'],
  },
);
