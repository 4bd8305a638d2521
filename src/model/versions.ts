import type { Instant } from '../lib/time.js';
import type { Range } from '../store/collection.js';
import { badRequest, versionNotFound } from './errors.js';
import { parseImports } from './imports.js';
import { LARGEST_VERSION, type Val, type Version } from './schema.js';
import type { Draft, State } from './state.js';

export function makeVersion(valId: string, version: number, code: string, createdAt: Instant): Version {
  return { valId, version, code, imports: parseImports(code), createdAt };
}

/** Lists the versions of a val, newest first. */
export const listVersions = (state: State, val: Val): Range<Version> => state.versions.range(val.id);

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
export function deleteVersion(draft: Draft, val: Val, version: number): void {
  draft.versions = draft.versions.delete(getVersion(draft, val, version));
  const latest = listVersions(draft, val).first;
  if (!latest) throw badRequest('Cannot delete the only version of a val');
  draft.vals = draft.vals.put({ ...val, latest });
}
