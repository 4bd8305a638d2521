import { type Static, Type } from 'typebox';
import type { Plan } from '#engine/api/plan.js';
import { SerializedJson } from '#engine/api/serialize.js';
import { decodeText } from '#engine/lib/base64.js';
import { toTimestamp } from '#engine/lib/time.js';
import { Choice } from '#engine/schema/common.js';
import { badRequest } from '#engine/state/errors.js';
import { LONGEST_BLOB_KEY } from '#vals/blobs/blobs.collection.js';
import { deleteBlob, getBlob, listBlobs, storeBlob } from '#vals/blobs/blobs.rules.js';
import type { DataOwner } from '#vals/lib/data-owners.collection.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { getOwnProject, tool, Val } from '#vals/lib/tool.tools.js';
import { BATCH_MODES, type SqlPlan, type SqlResults } from '#vals/sqlite/databases.rules.js';
import { Arguments, Sql } from '#vals/sqlite/sql.schema.js';
import type { User } from '#vals/users/users.collection.js';
import { getHandle } from '#vals/users/users.collection.js';

/** Where SQL runs and blobs are: the store of a val, or that of the account. */
const Storage = Type.Union(
  [
    Type.Object({ type: Type.Literal('val'), val: Val }),
    Type.Object({ type: Type.Literal('deprecated_global'), org: Type.Optional(Type.String()) }),
  ],
  { description: 'The store of a val, or the older one of your account' },
);

/** Returns whose store is meant. @throws ApiError 404 for a val that the caller may not change, 400 for an organization */
function getStore(
  source: { readonly state: State; readonly caller: User },
  storage: Static<typeof Storage>,
): DataOwner {
  const { caller } = source;
  if (storage.type === 'val') return { projectId: getOwnProject(source, storage.val).id };
  if (storage.org !== undefined && ![caller.id, getHandle(caller)].includes(storage.org))
    throw badRequest('org: the emulator has no store of an organization; expected your own account');
  return { userId: caller.id };
}

const Mode = Type.Optional(Choice(BATCH_MODES, { description: 'read refuses what writes. Default: write' }));
const Args = Type.Optional(Arguments);
const Key = Type.String({ minLength: 1, maxLength: LONGEST_BLOB_KEY, description: 'Key of a blob' });

/** Bytes of a text that an agent stores. Source: the published skills. */
const LARGEST_CONTENT = 100_000;

const blob = { key: Key, storage: Storage };

export const storeTools = [
  tool('sqlite_execute', 'Run a SQL statement.', {
    input: Type.Object({ sql: Sql, args: Args, database: Storage, mode: Mode }),
    hints: ['destructive'],
    guessed: ['args'],
    scope: 'sqlite:read',
    writeScope: 'sqlite:write',
    plans: true,
    handle({ engine, state, caller, credential, now, args: { sql, args, database, mode = 'write' } }) {
      const owner = getStore({ state, caller }, database);
      const plan = engine.plan({ state, caller, credential, owner, now }, [{ sql, ...(args && { args }) }], mode);
      return toPlan(plan, ([result = '']) => result);
    },
  }),
  tool('sqlite_batch', 'Run SQL statements in one transaction: all or none.', {
    input: Type.Object({
      statements: Type.Array(Type.Object({ sql: Sql, args: Args }), { maxItems: API_LIMITS.sqlStatements }),
      database: Storage,
      mode: Mode,
    }),
    hints: ['destructive'],
    guessed: ['database', 'mode'],
    scope: 'sqlite:read',
    writeScope: 'sqlite:write',
    plans: true,
    handle({ engine, state, caller, credential, now, args: { statements, database, mode = 'write' } }) {
      const owner = getStore({ state, caller }, database);
      return toPlan(
        engine.plan({ state, caller, credential, owner, now }, statements, mode),
        (results) => `{"results":[${results}]}`,
      );
    },
  }),
  tool('listBlobs', 'List blobs by key.', {
    input: Type.Object({ storage: Storage, prefix: Type.Optional(Type.String({ description: 'Start of the keys' })) }),
    scope: 'blob:read',
    handle({ state, caller, args: { storage, prefix } }) {
      const store = getStore({ state, caller }, storage);
      const blobs = Array.from(listBlobs(state, store, prefix), ({ key, body, createdAt }) => ({
        ...{ key, size: body.length, lastModified: toTimestamp(createdAt) },
      }));
      return { count: blobs.length, blobs };
    },
  }),
  tool('readBlob', 'Read a blob of text. One that is not text has no content.', {
    input: Type.Object(blob),
    scope: 'blob:read',
    handle({ state, caller, args: { key, storage } }) {
      const { body } = getBlob(state, getStore({ state, caller }, storage), key);
      const content = decodeText(body);
      const contentType = content === undefined ? 'application/octet-stream' : 'text/plain';
      return { key, size: body.length, contentType, truncated: false, ...(content !== undefined && { content }) };
    },
  }),
  tool('storeBlob', 'Store a text as a blob, in place of an earlier one.', {
    input: Type.Object({ ...blob, content: Type.String({ maxLength: LARGEST_CONTENT, description: 'The text' }) }),
    hints: ['idempotent'],
    scope: 'blob:write',
    writes: true,
    handle({ state, caller, now, args: { key, storage, content } }) {
      const body = new TextEncoder().encode(content);
      if (body.length > LARGEST_CONTENT)
        throw badRequest(`content: ${body.length} bytes; expected at most ${LARGEST_CONTENT}`);
      storeBlob(state, getStore({ state, caller }, storage), key, body, now);
      return { key, size: body.length };
    },
  }),
  tool('deleteBlob', 'Delete a blob.', {
    input: Type.Object(blob),
    hints: ['destructive'],
    guessed: ['key', 'storage'],
    scope: 'blob:write',
    writes: true,
    handle({ state, caller, args: { key, storage } }) {
      deleteBlob(state, getStore({ state, caller }, storage), key);
      return { key, deleted: true };
    },
  }),
];

/** Makes the plan of a call from that of its statements. */
function toPlan(plan: SqlPlan, format: (results: readonly string[]) => string): Plan<object, Draft> {
  const toValue = ({ results, ...noted }: SqlResults) => ({ value: new SerializedJson(format(results)), ...noted });
  return 'read' in plan ? { read: toValue(plan.read) } : { write: (draft) => toValue(plan.write(draft)) };
}
