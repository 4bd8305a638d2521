import { exporters, sortBySerial } from '../../fixtures/export.js';
import { finish } from '../../lib/steps.js';
import { findLike, findVersion, identify } from '../../model/identity.js';
import { listVersions } from '../../model/versions.js';
import { defineResource } from './resource.js';

/** The rows of each collection, as `/_emulator/records` and json-server show them. */
export const resources = {
  /** Without their tokens. */
  users: defineResource({
    collection: 'users',
    references: {},
    records: (state) => state.users,
    toRow(state, user) {
      const { token: _, ...row } = exporters.user(state, user);
      return row;
    },
  }),
  /** As in fixtures, code and version are those of the latest version. */
  vals: defineResource({
    collection: 'vals',
    references: { author: 'userId' },
    records: (state) => state.vals,
    indexes: { userId: (state, id) => state.vals.by.author.range([id]) },
    toRow: (state, val) => ({ ...exporters.val(state, val), userId: val.authorId }),
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
  }),
};
