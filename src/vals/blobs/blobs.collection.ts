import { Type } from 'typebox';
import { formatContent, hasAny } from '#engine/definition/content.js';
import { defineCollection } from '#engine/definition/define.js';
import { content, Json, key, NOW, record, Time, withDefault } from '#engine/definition/parts.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';
import {
  type DataOwner,
  dataOwner,
  dataOwnerReferences,
  dataOwnerRules,
  expectDataOwner,
  getOwnerId,
  nameDataOwner,
  writeDataOwner,
} from '#vals/lib/data-owners.collection.js';
import { storedBody } from '#vals/lib/stored-body.collection.js';
import type { ProjectBuilder } from '#vals/projects/names.collection.js';

/** Characters of a key. Source: the service's OpenAPI documents. */
export const LONGEST_BLOB_KEY = 512;
/** Bytes of a blob. Source: the documentation of the service. */
export const LARGEST_BLOB = 10 * 1_048_576;

/** Bytes that a user or a project has stored under a key. */
export type StoredBlob = DataOwner & {
  readonly key: string;
  readonly body: Uint8Array;
  /** When it was stored last. */
  readonly createdAt: Instant;
};

export const blobs = defineCollection(
  {
    name: 'blobs',
    title: 'The blobs of the users and projects',
    adder: 'blob',
    identity: index<StoredBlob>(
      asc(getOwnerId),
      asc((record) => record.key),
    ),
    indexes: {},
    schema: record('Bytes that a user or a project has stored under a key, by one of text, json, base64 and file', {
      ...dataOwner,
      key: key(
        Type.String({
          minLength: 1,
          maxLength: LONGEST_BLOB_KEY,
          expected: `a text of 1 to ${LONGEST_BLOB_KEY} characters`,
        }),
        'Unique among the blobs of the user or project',
      ),
      ...content,
      json: Type.Optional(key(Json, 'Instead of text: the content as a JSON value')),
      createdAt: withDefault(Time, NOW, 'Time at which it was stored. Default: now'),
    }),
  },
  {
    references: dataOwnerReferences<StoredBlob>(),
    rules: dataOwnerRules,
    build(builder: ProjectBuilder, { record, path }): StoredBlob | undefined {
      const owner = expectDataOwner(builder, { record, path });
      const createdAt = builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`);
      const body = builder.toBytes(record, path);
      if (body.length <= LARGEST_BLOB) return owner && { ...owner, key: record.key, body, createdAt };
      return builder.report(path, `${body.length} bytes; expected at most ${LARGEST_BLOB}.`);
    },
    write: (names, { key, body, createdAt, ...owner }) => ({
      ...writeDataOwner(names, owner),
      key,
      ...formatContent(body),
      createdAt: toTimestamp(createdAt),
    }),
    derived: ['size'],
    complete: (row, _names, old) =>
      old && !hasAny(row, ['text', 'json', 'base64', 'file']) ? { ...row, ...formatContent(old.body) } : row,
    ...storedBody<StoredBlob>(),
    example: { user: 'ada', key: 'report.json', json: { ready: true } },
    display: (names, { key, ...owner }) => `blob ${key} of ${nameDataOwner(names, owner)}`,
    /** With its size in place of its content. */
    show: (names, { key, body, createdAt, ...owner }) => ({
      ...writeDataOwner(names, owner),
      ...{ key, size: body.length, createdAt: toTimestamp(createdAt) },
    }),
    twin: {
      inFixtures: (path, first) => ({ path, message: `the same key as ${first}; expected each key once.` }),
      whenAdded: ({ record: { key }, path }) => ({ path: `${path}.key`, value: key }),
    },
    compare: (a, b) => a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1),
  },
);
