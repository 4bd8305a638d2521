import { Type } from 'typebox';
import { defineCollection, nameRecord } from '#engine/definition/define.js';
import { getRecords } from '#engine/definition/definitions.js';
import { Id, key, NOW, optional, record, Time, withDefault } from '#engine/definition/parts.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { extend } from '#engine/service.js';
import { asc, type Collection, index } from '#engine/store/collection.js';
import { route } from '#vals/lib/route.schema.js';
import { vals } from '#vals/service/index.js';
import { UserRef } from '#vals/users/users.collection.js';
import { type ValBuilder, ValRef } from '#vals/vals/val-records.collection.js';

// All that the emulator is told of bookmarks: one definition and one route.

interface Bookmark {
  readonly id: string;
  readonly userId: string;
  readonly valId: string;
  readonly note: string;
  readonly createdAt: Instant;
  readonly serial: number;
}

const bookmarks = defineCollection(
  {
    name: 'bookmarks',
    title: 'The bookmarks',
    adder: 'bookmark',
    identity: index<Bookmark>(asc(({ id }) => id)),
    indexes: {
      user: index<Bookmark>(
        asc(({ userId }) => userId),
        asc(({ serial }) => serial),
      ),
      val: index<Bookmark>(
        asc(({ valId }) => valId),
        asc(({ serial }) => serial),
      ),
    },
    schema: record('A bookmark of a val', {
      id: optional(Id, 'Default: follows from the val'),
      user: key(UserRef, 'Username or id of the user'),
      val: key(ValRef, 'The val as author/name, or by its id'),
      note: withDefault(Type.String({ maxLength: 40, expected: 'at most 40 characters' }), '', 'Default: empty'),
      createdAt: withDefault(Time, NOW, 'Default: now'),
    }),
  },
  {
    references: {
      user: { to: 'users', id: ({ userId }) => userId, find: ({ by }, id) => by.user.range([id]) },
      val: { to: 'vals', id: ({ valId }) => valId, find: ({ by }, id) => by.val.range([id]) },
    },
    owner: 'val',
    build(builder: ValBuilder, { record: { id, note, ...fields }, path }, ordinal): Bookmark | undefined {
      const user = builder.find('users', fields.user, `${path}.user`);
      const val = builder.find('vals', fields.val, `${path}.val`);
      const createdAt = builder.toInstant(fields.createdAt, builder.now, `${path}.createdAt`);
      if (!user || !val) return undefined;
      const made = builder.toId(id, nameRecord('bookmarks', val.id, ordinal));
      return { id: made, userId: user.id, valId: val.id, note, createdAt, serial: builder.drawSerial() };
    },
    write: (names, { id, userId, valId, note, createdAt }) => ({
      ...{ id, user: names.of('users', userId), val: names.of('vals', valId), note, createdAt: toTimestamp(createdAt) },
    }),
    display: (names, { userId, valId }) => `bookmark of ${names.of('vals', valId)} by ${names.of('users', userId)}`,
  },
);

/** The bookmarks of a state or a draft. */
export const bookmarksOf = (sets: object) => [...getRecords(sets, 'bookmarks')];

const listBookmarks = route('GET', '/v1/me/bookmarks', 'List your bookmarks', {
  id: 'listBookmarks',
  description: 'The notes of the caller.',
  auth: 'required',
  query: Type.Object({ limit: Type.Integer({ minimum: 1, default: 10 }) }),
  response: Type.Array(Type.Object({ note: Type.String() })),
  errors: [400, 401],
  rules: { specification: ['A bookmark is listed for its user alone.'] },
  handle: ({ state, caller, query: { limit } }) => {
    const all: Collection<Bookmark, (typeof bookmarks)['indexes']> = Reflect.get(state, 'bookmarks');
    return all.by.user
      .range([caller.id])
      .page(0, limit)
      .map(({ note }) => ({ note }));
  },
});

export const service = extend(vals, { collections: [bookmarks], routes: [listBookmarks] });

/** Each bookmark has a file with a field of its own: its note, and whether the note is long. */
const bookmarksWithFiles: typeof bookmarks = {
  ...bookmarks,
  files: {
    list: (_sets, { id, note }) => [{ id, path: 'note.txt', fields: { long: note.length > 10 }, text: note }],
  },
};
export const serviceWithFiles = extend(vals, { collections: [bookmarksWithFiles] });
