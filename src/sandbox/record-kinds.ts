import { exporters } from '../fixtures/export.js';
import { getUserReference, getValReference } from '../fixtures/references.js';
import type { CollectionName } from '../fixtures/schema.js';
import { toTimestamp } from '../lib/time.js';
import { findBlob, findLike, findVersion, type Records } from '../model/identity.js';
import type { State } from '../model/state.js';
import { getVal } from '../model/vals.js';

/** How the records of a collection are found, named and shown. */
export interface RecordKind<R extends object = object> {
  readonly collection: CollectionName;
  records(state: State): Records<R>;
  find(state: State, id: string): R | undefined;
  /** Names a record for people: `ada/hello`, `run of ada/hello`. */
  name(state: State, record: R): string;
  /** Shows a record in fixture format, without secrets. */
  show(state: State, record: R): object;
}

type Spec<R extends object> = Omit<RecordKind<R>, 'collection' | 'find'> & Partial<Pick<RecordKind<R>, 'find'>>;

/** Defines a kind. Its records are found by their id unless `find` says otherwise. */
const define = <R extends object>(collection: CollectionName, spec: Spec<R>): RecordKind<R> => ({
  collection,
  find: (state, id) => spec.records(state).get(id),
  ...spec,
});

const nameVal = (state: State, record: { readonly valId: string }): string =>
  getValReference(state, getVal(state, record));

/** The kinds of records, by their collection. */
export const recordKinds = {
  users: define('users', {
    records: (state) => state.users,
    name: (state, { id }) => getUserReference(state, id),
    show(state, user) {
      const { token: _, ...shown } = exporters.user(state, user);
      return shown;
    },
  }),
  vals: define('vals', { records: (state) => state.vals, name: getValReference, show: exporters.val }),
  versions: define('versions', {
    records: (state) => state.versions,
    find: findVersion,
    name: (state, version) => `${nameVal(state, version)} version ${version.version}`,
    show: exporters.version,
  }),
  runs: define('runs', {
    records: (state) => state.runs,
    name: (state, run) => `run of ${nameVal(state, run)}`,
    show: exporters.run,
  }),
  likes: define('likes', {
    records: (state) => state.likes,
    find: findLike,
    name: (state, like) => `${getUserReference(state, like.userId)} likes ${nameVal(state, like)}`,
    show: exporters.like,
  }),
  comments: define('comments', {
    records: (state) => state.comments,
    name: (state, comment) => `comment by ${getUserReference(state, comment.authorId)} on ${nameVal(state, comment)}`,
    show: exporters.comment,
  }),
  blobs: define('blobs', {
    records: (state) => state.blobs,
    find: findBlob,
    name: (state, { userId, key }) => `blob ${key} of ${getUserReference(state, userId)}`,
    /** With its size in place of its content. */
    show: (state, { userId, key, body, createdAt }) => ({
      ...{ user: getUserReference(state, userId), key, size: body.length, createdAt: toTimestamp(createdAt) },
    }),
  }),
  sqlite: define('sqlite', {
    records: (state) => state.sqlite,
    name: (state, { userId }) => `database of ${getUserReference(state, userId)}`,
    /** With its size in place of its content. */
    show: (state, { userId, size, updatedAt }) => ({
      ...{ user: getUserReference(state, userId), size, updatedAt: toTimestamp(updatedAt) },
    }),
  }),
  emails: define('emails', {
    records: (state) => state.emails,
    name: (state, { userId, subject }) => `email by ${getUserReference(state, userId)}: ${subject}`,
    /** With the sizes of attachments in place of their contents. */
    show(state, email) {
      const attachments = email.attachments.map(({ content, ...others }) => ({ ...others, size: content.length }));
      return { ...exporters.email(state, { ...email, attachments: [] }), attachments };
    },
  }),
};
