import { ApiError } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import type { Range } from '#engine/store/collection.js';
import type { StoredBlob, User } from '../collections/index.js';
import type { Draft, State } from '../collections/state.js';

/** @throws ApiError 404 */
export function getBlob({ blobs }: State, caller: User, key: string): StoredBlob {
  const blob = blobs.get(caller.id, key);
  if (!blob) throw new ApiError(404, 'The blob was not found');
  return blob;
}

/** Lists the blobs of a user by key. */
export function listBlobs({ blobs }: State, caller: User, prefix = ''): StoredBlob[] | Range<StoredBlob> {
  const all = blobs.range(caller.id);
  return prefix === '' ? all : [...all].filter(({ key }) => key.startsWith(prefix));
}

/** Stores bytes under a key, in place of those that it has. */
export function storeBlob(draft: Draft, caller: User, key: string, body: Uint8Array, now: Instant): void {
  draft.blobs = draft.blobs.put({ userId: caller.id, key, body, createdAt: now });
}

/** @throws ApiError 404 */
export function deleteBlob(draft: Draft, caller: User, key: string): void {
  draft.blobs = draft.blobs.delete(getBlob(draft, caller, key));
}
