import type { Instant } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import { versionNotFound } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { LARGEST_VERSION, type Val, type Version } from '#vals/service/service.collection.js';
import { makeVersion } from './val-records.collection.js';
import { removeVersion } from './versions.collection.js';

/** @throws ApiError 404 */
export function getVersion(state: State, val: Val, version: number): Version {
  const found = state.versions.get(val.id, version);
  if (!found) throw versionNotFound();
  return found;
}

/** Adds a version with new code, under a number that the val never had before. @throws ApiError 400 after the last one */
export function addVersion(draft: Draft, val: Val, code: string, now: Instant): Val {
  if (val.nextVersion > LARGEST_VERSION) throw badRequest(`The numbers of versions end at ${LARGEST_VERSION}`);
  const latest = makeVersion(val.id, val.nextVersion, code, now);
  const updated: Val = { ...val, nextVersion: val.nextVersion + 1, latest };
  draft.versions = draft.versions.put(latest);
  draft.vals = draft.vals.put(updated);
  return updated;
}

/** Deletes a version; the others keep their numbers. @throws ApiError 404, and 400 for the only version */
export const deleteVersion = (draft: Draft, val: Val, version: number): void =>
  removeVersion(draft, getVersion(draft, val, version));
