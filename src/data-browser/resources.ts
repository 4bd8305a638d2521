import { exporters, sortBySerial } from '../fixtures/export.js';
import { insert, insertComment, insertLike, insertRun, insertUser, insertVal } from '../fixtures/insert.js';
import { getValReference } from '../fixtures/references.js';
import { FixtureError } from '../lib/errors.js';
import { finish } from '../lib/steps.js';
import { type Instant, toTimestamp } from '../lib/time.js';
import { findLike, findVersion, identify } from '../model/identity.js';
import type { Val } from '../model/schema.js';
import type { Draft } from '../model/state.js';
import { deleteVal, getVal } from '../model/vals.js';
import { deleteVersion, listVersions } from '../model/versions.js';
import { defineResource, type Fixture } from './resource.js';

/** The records of each collection, as json-server shows and writes them. */
export const resources = {
  /** Without their tokens. A token can be written; a user that is written without one keeps its token. */
  users: defineResource({
    collection: 'users',
    references: {},
    records: (state) => state.users,
    toRow(state, user) {
      const { token: _, ...row } = exporters.user(state, user);
      return row;
    },
    insert: (draft, fixture, now, old) => insertUser(draft, old ? { token: old.token, ...fixture } : fixture, now),
    remove(draft, user) {
      for (const val of draft.vals.by.author.range([user.id])) deleteVal(draft, val);
      for (const like of draft.likes.by.user.range([user.id])) draft.likes = draft.likes.delete(like);
      for (const { comment } of draft.comments.by.participant.range([user.id, 'given'])) {
        draft.comments = draft.comments.delete(comment);
      }
      draft.faults = draft.faults.filter(({ userId }) => userId !== user.id);
      draft.users = draft.users.delete(user);
    },
  }),
  /** As in fixtures, code and version are those of the latest version. */
  vals: defineResource({
    collection: 'vals',
    references: { author: 'userId' },
    records: (state) => state.vals,
    indexes: { userId: (state, id) => state.vals.by.author.range([id]) },
    toRow: (state, val) => ({ ...exporters.val(state, val), userId: val.authorId }),
    insert: (draft, fixture, now, old) => (old ? replaceVal(draft, fixture, now, old) : insertVal(draft, fixture, now)),
    remove: deleteVal,
  }),
  /** Including the latest of each val. Their id consists of the id of the val and the number. */
  versions: defineResource({
    collection: 'versions',
    references: { val: 'valId' },
    records: (state) => state.versions,
    compare: (a, b) => a.createdAt - b.createdAt || a.version - b.version,
    getId: identify.versions,
    indexes: { valId: (state, id) => state.versions.range(id) },
    list: (state) => finish(sortBySerial(state.vals)).flatMap((val) => [...listVersions(state, val)].reverse()),
    find: findVersion,
    toRow: (state, version) => ({
      id: identify.versions(version),
      ...exporters.version(state, version),
      valId: version.valId,
    }),
    insert: (draft, fixture, now, old) =>
      insert(draft, 'versions', fixture, now, (factory, row) => {
        const val = factory.findVal(row.record.val, `${row.path}.val`);
        if (!val) return undefined;
        const number = row.record.version ?? old?.version ?? val.nextVersion;
        if (draft.versions.get(val.id, number)) return factory.reportTaken(`${row.path}.version`, number);
        const version = factory.version(row, val.id, number, old?.createdAt ?? now);
        draft.versions = draft.versions.put(version);
        const latest = listVersions(draft, val).first ?? version;
        draft.vals = draft.vals.put({ ...val, latest, nextVersion: Math.max(val.nextVersion, number + 1) });
        return version;
      }),
    remove(draft, version) {
      const val = getVal(draft, version);
      if (listVersions(draft, val).length === 1) {
        const message = `the only one of ${getValReference(draft, val)}; expected another one to be left, or the val to be deleted.`;
        throw new FixtureError([{ path: 'version', message }], 'version');
      }
      deleteVersion(draft, val, version.version);
    },
  }),
  runs: defineResource({
    collection: 'runs',
    references: { val: 'valId' },
    records: (state) => state.runs,
    /** Also by the id of the author of the val, which is no field of a run. */
    indexes: {
      valId: (state, id) => state.runs.by.val.range([id]),
      userId: (state, id) => state.runs.by.author.range([id]),
    },
    toRow: (state, run) => ({ ...exporters.run(state, run), valId: run.valId }),
    insert: (draft, fixture, now, old) =>
      insertRun(draft, old ? dropOldEnd(fixture, exporters.run(draft, old)) : fixture, now),
  }),
  /** Their id consists of the ids of val and user. */
  likes: defineResource({
    collection: 'likes',
    references: { user: 'userId', val: 'valId' },
    records: (state) => state.likes,
    compare: (a, b) => a.createdAt - b.createdAt,
    getId: identify.likes,
    find: findLike,
    indexes: {
      valId: (state, id) => state.likes.range(id),
      userId: (state, id) => state.likes.by.user.range([id]),
    },
    toRow: (state, like) => ({
      id: identify.likes(like),
      ...exporters.like(state, like),
      userId: like.userId,
      valId: like.valId,
    }),
    insert: insertLike,
  }),
  comments: defineResource({
    collection: 'comments',
    references: { author: 'userId', val: 'valId' },
    records: (state) => state.comments,
    indexes: {
      valId: (state, id) => state.comments.by.val.range([id]),
      userId: (state, id) => Array.from(state.comments.by.participant.range([id, 'given']), ({ comment }) => comment),
    },
    toRow: (state, comment) => ({
      ...exporters.comment(state, comment),
      userId: comment.authorId,
      valId: comment.valId,
    }),
    insert: insertComment,
  }),
};

/** Drops the end of a run that is given a duration: the end follows from it. */
function dropOldEnd(fixture: Fixture, old: Fixture): Fixture {
  const { runEndAt, ...rest } = fixture;
  return rest.duration !== undefined && runEndAt === old.runEndAt ? rest : fixture;
}

/** Writes a val in place of `old`, with the versions that it has. */
function replaceVal(draft: Draft, fixture: Fixture, now: Instant, old: Val): Val {
  const versions = [...listVersions(draft, old)];
  for (const version of versions) draft.versions = draft.versions.delete(version);
  const hasCode = fixture.code !== undefined;
  const older = versions.slice(hasCode ? 1 : 0).reverse();
  const rows = older.map(({ valId, version, code, createdAt }) => ({
    record: { val: valId, version, code, createdAt: toTimestamp(createdAt) },
    path: 'version',
  }));
  const latest = { version: old.latest.version, versionCreatedAt: toTimestamp(old.latest.createdAt) };
  const filled = { ...(hasCode ? latest : {}), ...fixture, nextVersion: getNextVersion(old, fixture) };
  const written = insertVal(draft, filled, now, rows, old.createdAt);
  const { id, authorId } = written;
  // Unchanged versions stay the same objects, so that the history does not list them.
  for (const version of versions) {
    const copy = draft.versions.get(id, version.version);
    const isUnchanged = copy?.code === version.code && copy.createdAt === version.createdAt;
    if (isUnchanged) draft.versions = draft.versions.put(version);
  }
  const val = { ...written, latest: listVersions(draft, written).first ?? written.latest };
  draft.vals = draft.vals.put(val);
  if (authorId === old.authorId) return val;
  for (const run of draft.runs.by.val.range([id])) draft.runs = draft.runs.put({ ...run, authorId });
  for (const comment of draft.comments.by.val.range([id])) {
    draft.comments = draft.comments.put({ ...comment, valAuthorId: authorId });
  }
  return val;
}

/** Returns the next version number as given, or above the given version. Numbers are not reused. */
function getNextVersion(old: Val, { nextVersion, version }: Fixture): unknown {
  if (nextVersion !== undefined && nextVersion !== old.nextVersion) return nextVersion;
  return Number.isInteger(version) ? Math.max(old.nextVersion, Number(version) + 1) : old.nextVersion;
}
