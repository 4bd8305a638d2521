import { Type } from 'typebox';
import { BYTES } from '#engine/api/route.js';
import { toTimestamp } from '#engine/lib/time.js';
import { Timestamp } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import type { DataOwner } from '#vals/lib/data-owners.collection.js';
import { type DataRequest, toDataOwner } from '#vals/lib/data-owners.rules.js';
import { route } from '#vals/lib/route.schema.js';
import { LARGEST_BLOB, LONGEST_BLOB_KEY } from '#vals/service/service.collection.js';
import { deleteBlob, getBlob, listBlobs, storeBlob } from './blobs.rules.js';

const BlobPath = Type.Object({
  key: Type.String({ minLength: 1, maxLength: LONGEST_BLOB_KEY, description: 'Key of a blob, percent-encoded' }),
});
const BlobItem = record('BlobItem', {
  key: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  lastModified: Timestamp,
});

const KEYS = 'key: A key has 1 to 512 characters, and may have each: percent-encoded, a slash is a part of it.';

/** How the routes of one version of the API differ from the other's. */
interface Store<P extends string> {
  readonly path: P;
  /** What the ids of its operations have: `listBlobs`. */
  readonly noun: string;
  /** Whose blobs they are, in summaries. */
  readonly whose: string;
  /** Says whose blobs a request reaches. */
  readonly own: string;
  /** Returns whose blobs a request reaches. */
  find(request: DataRequest): DataOwner;
}

const defineRoutes = <const P extends '/v1/blob' | '/v2/blob'>({ path, noun, whose, own, find }: Store<P>) => [
  route('GET', path, `List the blobs of ${whose}`, {
    id: `list${noun}s`,
    description: 'Returns all keys, without pages. `prefix` selects those that begin with it.',
    unofficial: true,
    auth: 'required',
    scope: 'blob:read',
    query: Type.Object({ prefix: Type.Optional(Type.String({ description: 'Only keys that begin with this text' })) }),
    response: Type.Array(BlobItem),
    errors: [401, 403],
    rules: {
      record: [
        'list: The response is a list with key, size and lastModified of each blob, without pages.',
        'prefix: `prefix` selects the keys that begin with it.',
      ],
      chosen: ['order: The order is by key.', own],
    },
    handle: ({ state, query, ...request }) =>
      Array.from(listBlobs(state, find(request), query.prefix), ({ key, body, createdAt }) => ({
        key,
        size: body.length,
        lastModified: toTimestamp(createdAt),
      })),
  }),
  route('GET', `${path}/{key}`, `Get the bytes of a blob of ${whose}`, {
    id: `get${noun}`,
    description: 'Returns the bytes that were stored, as `application/octet-stream`.',
    unofficial: true,
    auth: 'required',
    scope: 'blob:read',
    params: BlobPath,
    response: BYTES,
    mediaType: 'application/octet-stream',
    errors: [400, 401, 403, 404],
    rules: {
      record: ['bytes: The response has the bytes that were stored.', KEYS, 'unknown-key: An unknown key is a 404.'],
      chosen: ['media-type: The media type is `application/octet-stream`, whatever was stored.'],
    },
    handle: ({ state, params, ...request }) => getBlob(state, find(request), params.key).body,
  }),
  route('POST', `${path}/{key}`, `Store bytes under a key of ${whose}`, {
    id: `store${noun}`,
    description: 'Stores the body, of any or no media type, in place of an earlier one. At most 10 MB.',
    unofficial: true,
    auth: 'required',
    scope: 'blob:write',
    params: BlobPath,
    bodyType: 'bytes',
    bodyLimit: LARGEST_BLOB,
    status: 201,
    response: Type.Literal('ok'),
    errors: [400, 401, 403, 507],
    rules: {
      record: [
        'body: The body is taken as bytes, whatever its media type.',
        'created: The response is a 201 with `"ok"`, which documents before 2026 do not have.',
        KEYS,
      ],
      chosen: [
        'size: A blob has at most 10 MB. Route and token are checked before it is read.',
        'room: Blobs of all sandboxes, with those that snapshots and the history need, have at most 256 MB. Beyond that, the oldest commits are dropped; if the records and snapshots alone have no room, a 507 says what holds them.',
      ],
    },
    handle({ state, params, body, now, ...request }) {
      storeBlob(state, find(request), params.key, body, now);
      return 'ok' as const;
    },
  }),
  route('DELETE', `${path}/{key}`, `Delete a blob of ${whose}`, {
    id: `delete${noun}`,
    description: 'Deletes the bytes. The key can be used again.',
    unofficial: true,
    auth: 'required',
    scope: 'blob:write',
    params: BlobPath,
    errors: [400, 401, 403, 404],
    rules: { record: ['gone: The response is 204, and 404 the second time.'] },
    handle: ({ state, params, ...request }) => deleteBlob(state, find(request), params.key),
  }),
];

export const blobRoutes = defineRoutes({
  path: '/v1/blob',
  noun: 'Blob',
  whose: 'the current user',
  own: 'owner: A user sees only their blobs, by the token of a project as well.',
  find: ({ caller }) => ({ userId: caller.id }),
});

export const projectBlobRoutes = defineRoutes({
  path: '/v2/blob',
  noun: 'ProjectBlob',
  whose: 'the project of the token',
  own: 'project: The token says whose blobs they are. A token without a project, such as the own token of a user, has the blobs of `/v1/blob`.',
  find: toDataOwner,
});
