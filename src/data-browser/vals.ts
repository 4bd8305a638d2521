import { exportVal, sortBySerial } from '../fixtures/export.js';
import { addVal } from '../fixtures/insert.js';
import { toTimestamp } from '../lib/time.js';
import type { Val } from '../model/schema.js';
import type { Draft } from '../model/state.js';
import { deleteVal } from '../model/vals.js';
import { listVersions } from '../model/versions.js';
import { createAdapter } from './resource-adapter.js';

/** Vals. As in fixtures, code and version are those of the latest version. */
export const vals = createAdapter({
  collection: 'vals',
  references: { author: 'userId' },
  list: (state) => sortBySerial(state.vals),
  find: (state, id) => state.vals.get(id),
  toRow: (state, val) => ({ ...exportVal(state, val), userId: val.authorId }),
  put(draft, fixture, now, old) {
    if (!old) {
      const { id } = addVal(draft, fixture, now);
      return draft.vals.get(id);
    }
    const versions = [...listVersions(draft, old)];
    for (const version of versions) draft.versions = draft.versions.delete(version);
    draft.vals = draft.vals.delete(old);
    const hasCode = fixture.code !== undefined;
    const older = versions.slice(hasCode ? 1 : 0).reverse();
    const rows = older.map(({ valId, version, code, createdAt }) => ({
      record: { val: valId, version, code, createdAt: toTimestamp(createdAt) },
      path: 'version',
    }));
    const latest = { version: old.latest.version, versionCreatedAt: toTimestamp(old.latest.createdAt) };
    const filled = { ...(hasCode ? latest : {}), ...fixture, nextVersion: getNextVersion(old, fixture) };
    const { id } = addVal(draft, filled, now, rows, old.createdAt);
    // Unchanged versions stay the same objects, so that the history does not list them.
    for (const version of versions) {
      const written = draft.versions.get(id, version.version);
      const isUnchanged = written?.code === version.code && written.createdAt === version.createdAt;
      if (isUnchanged) draft.versions = draft.versions.put(version);
    }
    const val = draft.vals.get(id);
    if (!val) return undefined;
    const written: Val = { ...val, latest: listVersions(draft, val).first ?? val.latest };
    draft.vals = draft.vals.put(written);
    if (val.authorId !== old.authorId) moveToAuthor(draft, val);
    return written;
  },
  remove: deleteVal,
});

/** Returns the next version number as given, or above the given version. Numbers are not reused. */
function getNextVersion(old: Val, { nextVersion, version }: { readonly [field: string]: unknown }): unknown {
  if (nextVersion !== undefined && nextVersion !== old.nextVersion) return nextVersion;
  return Number.isInteger(version) ? Math.max(old.nextVersion, Number(version) + 1) : old.nextVersion;
}

/** Moves runs and received comments to the author of the val. */
function moveToAuthor(draft: Draft, { id, authorId }: Val): void {
  for (const run of draft.runs.by.val.range([id])) draft.runs = draft.runs.put({ ...run, authorId });
  for (const comment of draft.comments.by.val.range([id])) {
    draft.comments = draft.comments.put({ ...comment, valAuthorId: authorId });
  }
}
