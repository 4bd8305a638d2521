import { type Instant, toTimestamp } from '../../domain/clock.js';
import type { State } from '../../domain/state.js';
import { deleteVal, type Val } from '../../domain/vals.js';
import { type Version, versionsOf } from '../../domain/versions.js';
import { addVal } from '../../fixtures/add.js';
import type { Row } from '../../fixtures/check.js';
import { exportVal, inOrder } from '../../fixtures/export.js';
import type { Records } from '../../fixtures/schema.js';
import { type Fixture, table } from './table.js';

/** Vals. As in a fixture, the latest version stands with the val: code and number that are written here are its own. */
export const vals = table({
  collection: 'vals',
  references: { author: 'userId' },
  all: (state) => inOrder(state.vals),
  find: (state, id) => state.vals.get(id),
  show: (state, val) => ({ ...exportVal(state, val), userId: val.authorId }),
  put(state, fixture, now, old) {
    if (!old) {
      const { id } = addVal(state, fixture, now);
      return state.vals.get(id);
    }
    const { code, version } = fixture;
    const hasCode = code !== undefined;
    const latest = { version: old.latest.version, versionCreatedAt: toTimestamp(old.latest.createdAt) };
    const isKept = fixture.nextVersion === undefined || fixture.nextVersion === old.nextVersion;
    const next = isKept ? { nextVersion: nextVersionOf(old, version) } : {};
    const rows = oldestFirst(state, old).filter((row) => !hasCode || row !== old.latest);
    return rebuildVal(state, old, { ...(hasCode ? latest : {}), ...fixture, ...next }, rows.map(rowOf), now);
  },
  remove: deleteVal,
});

/** Numbers of versions are not given again. */
export const nextVersionOf = (val: Val, version: unknown): number =>
  typeof version === 'number' && Number.isInteger(version) ? Math.max(val.nextVersion, version + 1) : val.nextVersion;

export const oldestFirst = (state: State, val: Val): Version[] => [...versionsOf(state, val)].reverse();

export const rowOf = ({ valId, version, code, createdAt }: Version): Row<Records['versions']> => ({
  record: { val: valId, version, code, createdAt: { instant: createdAt } },
  place: (field) => (field === undefined ? 'version' : `version.${field}`),
});

/**
 * Puts the val that a fixture describes in place of `old`, with these versions beside the one that stands in it.
 * Throws a FixtureError.
 */
export function rebuildVal(
  state: State,
  old: Val,
  fixture: Fixture,
  rows: readonly Row<Records['versions']>[],
  now: Instant,
): Val | undefined {
  const versions = oldestFirst(state, old);
  for (const version of versions) state.versions = state.versions.delete(version);
  state.vals = state.vals.delete(old);
  addVal(state, fixture, now, rows, old.createdAt);
  // Versions that are as they were stay the very records, so that the history tells of nothing that did not happen.
  for (const version of versions) {
    const made = state.versions.get(old.id, version.version);
    const isUnchanged = made?.code === version.code && made.createdAt === version.createdAt;
    if (isUnchanged) state.versions = state.versions.put(version);
  }
  const made = state.vals.get(old.id);
  const latest = made && versionsOf(state, made).first;
  if (!latest) return undefined;
  const val: Val = { ...made, serial: old.serial, latest };
  state.vals = state.vals.put(val);
  if (val.authorId !== old.authorId) passOn(state, val);
  return val;
}

/** Runs and received comments belong to the val's author. */
function passOn(state: State, { id, authorId }: Val): void {
  for (const run of state.runs.by.val.range([id])) state.runs = state.runs.put({ ...run, authorId });
  for (const comment of state.comments.by.val.range([id])) {
    state.comments = state.comments.put({ ...comment, valAuthorId: authorId });
  }
}
