import { Type } from 'typebox';
import { BYTES } from '#engine/api/route.js';
import { Timestamp } from '#engine/api/schemas/common.js';
import { record } from '#engine/lib/schema.js';
import { toTimestamp } from '#engine/lib/time.js';
import { LARGEST_BLOB, LONGEST_KEY } from '../collections/index.js';
import { deleteBlob, getBlob, listBlobs, storeBlob } from '../model/blobs.js';
import { route } from '../schemas/route.js';

const BlobPath = Type.Object({
  key: Type.String({ minLength: 1, maxLength: LONGEST_KEY, description: 'Key of a blob, percent-encoded' }),
});
const BlobItem = record('BlobItem', {
  key: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  lastModified: Timestamp,
});

const KEYS = 'A key has 1 to 512 characters, and may have each: percent-encoded, a slash is a part of it.';
const OWN = 'A user sees only their blobs.';

export const blobRoutes = [
  route('GET', '/v1/blob', 'List the blobs of the current user', {
    id: 'listBlobs',
    description: 'Returns all keys, without pages. `prefix` selects those that begin with it.',
    unofficial: true,
    auth: 'required',
    scope: 'blob:read',
    query: Type.Object({ prefix: Type.Optional(Type.String({ description: 'Only keys that begin with this text' })) }),
    response: Type.Array(BlobItem),
    errors: [401, 403],
    rules: {
      record: [
        'The response is a list with key, size and lastModified of each blob, without pages.',
        '`prefix` selects the keys that begin with it.',
      ],
      chosen: ['The order is by key.', OWN],
    },
    handle: ({ state, caller, query }) =>
      Array.from(listBlobs(state, caller, query.prefix), ({ key, body, createdAt }) => ({
        key,
        size: body.length,
        lastModified: toTimestamp(createdAt),
      })),
  }),
  route('GET', '/v1/blob/{key}', 'Get the bytes of a blob', {
    id: 'getBlob',
    description: 'Returns the bytes that were stored, as `application/octet-stream`.',
    unofficial: true,
    auth: 'required',
    scope: 'blob:read',
    params: BlobPath,
    response: BYTES,
    mediaType: 'application/octet-stream',
    errors: [400, 401, 403, 404],
    rules: {
      record: ['The response has the bytes that were stored.', KEYS, 'An unknown key is a 404.'],
      chosen: ['The media type is `application/octet-stream`, whatever was stored.'],
    },
    handle: ({ state, caller, params }) => getBlob(state, caller, params.key).body,
  }),
  route('POST', '/v1/blob/{key}', 'Store bytes under a key', {
    id: 'storeBlob',
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
        'The body is taken as bytes, whatever its media type.',
        'The response is a 201 with `"ok"`, which documents before 2026 do not have.',
        KEYS,
      ],
      chosen: [
        'A blob has at most 10 MB. Route and token are checked before it is read.',
        'Blobs of all sandboxes, with those that snapshots and the history need, have at most 256 MB. Beyond that, a 507 says what holds them.',
      ],
    },
    handle({ state, caller, params, body, now }) {
      storeBlob(state, caller, params.key, body, now);
      return 'ok' as const;
    },
  }),
  route('DELETE', '/v1/blob/{key}', 'Delete a blob', {
    id: 'deleteBlob',
    description: 'Deletes the bytes. The key can be used again.',
    unofficial: true,
    auth: 'required',
    scope: 'blob:write',
    params: BlobPath,
    errors: [400, 401, 403, 404],
    rules: { record: ['The response is 204, and 404 the second time.'] },
    handle: ({ state, caller, params }) => deleteBlob(state, caller, params.key),
  }),
];
