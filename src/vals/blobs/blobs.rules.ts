import { ApiError } from '#engine/lib/errors.js';
import type { Instant } from '#engine/lib/time.js';
import type { Range } from '#engine/store/collection.js';
import { type DataOwner, getOwnerId } from '#vals/lib/data-owners.collection.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import type { StoredBlob } from '#vals/service/service.collection.js';

/** @throws ApiError 404 */
export function getBlob({ blobs }: State, owner: DataOwner, key: string): StoredBlob {
  const blob = blobs.get(getOwnerId(owner), key);
  if (!blob) throw new ApiError(404, 'The blob was not found');
  return blob;
}

/** Lists the blobs of an owner by key. */
export function listBlobs({ blobs }: State, owner: DataOwner, prefix = ''): StoredBlob[] | Range<StoredBlob> {
  const all = blobs.range(getOwnerId(owner));
  return prefix === '' ? all : [...all].filter(({ key }) => key.startsWith(prefix));
}

/** Stores bytes under a key, in place of those that it has. */
export function storeBlob(draft: Draft, owner: DataOwner, key: string, body: Uint8Array, now: Instant): void {
  draft.blobs = draft.blobs.put({ ...owner, key, body, createdAt: now });
}

/** @throws ApiError 404 */
export function deleteBlob(draft: Draft, owner: DataOwner, key: string): void {
  draft.blobs = draft.blobs.delete(getBlob(draft, owner, key));
}
