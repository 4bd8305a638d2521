import type { Instant } from './clock.js';
import { asc, by, Collection, desc, type Range, type Source } from './collection.js';
import { badRequest, versionNotFound } from './errors.js';
import { type ImportTarget, parseImports } from './imports.js';
import type { State } from './state.js';
import type { Val } from './vals.js';

/** The code of a val at one time. */
export interface Version {
  readonly valId: string;
  /** 0 for the first. */
  readonly version: number;
  readonly code: string;
  readonly createdAt: Instant;
}

const imports = new WeakMap<Version, readonly ImportTarget[]>();

/** The vals that the code of a version imports: read from it once, when it is first asked for. */
export function importsOf(version: Version): readonly ImportTarget[] {
  let targets = imports.get(version);
  if (!targets) {
    targets = parseImports(version.code);
    imports.set(version, targets);
  }
  return targets;
}

export const versionCollection = (versions: Source<Version>) =>
  Collection.from(
    by<Version>(
      asc((version) => version.valId),
      desc((version) => version.version),
    ),
    {},
    versions,
  );
export type Versions = ReturnType<typeof versionCollection>;

/** Newest first. */
export const versionsOf = (state: State, val: Val): Range<Version> => state.versions.range(val.id);

/** Throws the 404. */
export function findVersion(state: State, val: Val, version: number): Version {
  const found = state.versions.get(val.id, version);
  if (!found) throw versionNotFound();
  return found;
}

/** Gives the val new code, under a number that it never had before. */
export function addVersion(state: State, val: Val, code: string, now: Instant): Val {
  const latest: Version = { valId: val.id, version: val.nextVersion, code, createdAt: now };
  const updated = { ...val, nextVersion: val.nextVersion + 1, latest };
  state.versions = state.versions.put(latest);
  state.vals = state.vals.put(updated);
  return updated;
}

/** The other versions keep their numbers. Throws the 404, and a 400 for the only version: a val has code. */
export function deleteVersion(state: State, val: Val, version: number): void {
  state.versions = state.versions.delete(findVersion(state, val, version));
  const latest = versionsOf(state, val).first;
  if (!latest) throw badRequest('Cannot delete the only version of a val');
  state.vals = state.vals.put({ ...val, latest });
}
