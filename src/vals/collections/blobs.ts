import { Type } from 'typebox';
import { formatContent, hasAny } from '#engine/definition/content.js';
import { defineCollection } from '#engine/definition/define.js';
import { content, Json, key, NOW, record, Time, withDefault } from '#engine/definition/parts.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';
import { storedBody } from './stored-body.js';
import { type UserBuilder, UserRef } from './users.js';

/** Characters of a key. Source: the service's OpenAPI documents. */
export const LONGEST_KEY = 512;
/** Bytes of a blob. Source: the documentation of the service. */
export const LARGEST_BLOB = 10 * 1_048_576;

/** Bytes that a user has stored under a key. */
export interface StoredBlob {
  readonly userId: string;
  readonly key: string;
  readonly body: Uint8Array;
  /** When it was stored last. */
  readonly createdAt: Instant;
}

export const blobs = defineCollection(
  {
    name: 'blobs',
    title: 'The blobs of the users',
    adder: 'blob',
    identity: index<StoredBlob>(
      asc((record) => record.userId),
      asc((record) => record.key),
    ),
    indexes: {},
    schema: record('Bytes that a user has stored under a key, by one of text, json, base64 and file', {
      user: key(UserRef, 'Username or id of the user'),
      key: key(
        Type.String({ minLength: 1, maxLength: LONGEST_KEY, expected: `a text of 1 to ${LONGEST_KEY} characters` }),
        'Unique among the blobs of the user',
      ),
      ...content,
      json: Type.Optional(key(Json, 'Instead of text: the content as a JSON value')),
      createdAt: withDefault(Time, NOW, 'Time at which it was stored. Default: now'),
    }),
  },
  {
    references: {
      user: { to: 'users', id: ({ userId }) => userId, find: (blobs, id) => blobs.range(id) },
    },
    build(builder: UserBuilder, { record, path }): StoredBlob | undefined {
      const user = builder.find('users', record.user, `${path}.user`);
      const createdAt = builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`);
      const body = builder.toBytes(record, path);
      if (body.length <= LARGEST_BLOB) return user && { userId: user.id, key: record.key, body, createdAt };
      return builder.report(path, `${body.length} bytes; expected at most ${LARGEST_BLOB}.`);
    },
    write: (names, { userId, key, body, createdAt }) => ({
      user: names.of('users', userId),
      key,
      ...formatContent(body),
      createdAt: toTimestamp(createdAt),
    }),
    derived: ['size'],
    complete: (row, _names, old) =>
      old && !hasAny(row, ['text', 'json', 'base64', 'file']) ? { ...row, ...formatContent(old.body) } : row,
    ...storedBody<StoredBlob>(),
    example: { user: 'ada', key: 'report.json', json: { ready: true } },
    display: (names, { userId, key }) => `blob ${key} of ${names.of('users', userId)}`,
    /** With its size in place of its content. */
    show: (names, { userId, key, body, createdAt }) => ({
      ...{ user: names.of('users', userId), key, size: body.length, createdAt: toTimestamp(createdAt) },
    }),
    twin: {
      inFixtures: (path, first) => ({ path, message: `the same key as ${first}; expected each key once.` }),
      whenAdded: ({ record: { key }, path }) => ({ path: `${path}.key`, value: key }),
    },
    compare: (a, b) => a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1),
  },
);
