import { defineCollection } from '#engine/definition/define.js';
import { key, NOW, record, Time, withDefault } from '#engine/definition/parts.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, desc, index } from '#engine/store/collection.js';
import { UserRef } from '#vals/users/users.collection.js';
import { type ValBuilder, ValRef } from '#vals/vals/val-records.collection.js';

/** A like of a val by a user, at most one for each pair. */
export interface Like {
  readonly valId: string;
  readonly userId: string;
  readonly createdAt: Instant;
}

export const likes = defineCollection(
  {
    name: 'likes',
    title: 'The likes',
    adder: 'like',
    identity: index<Like>(
      asc((record) => record.valId),
      asc((record) => record.userId),
    ),
    indexes: {
      user: index<Like>(
        asc((record) => record.userId),
        desc((record) => record.createdAt),
        asc((record) => record.valId),
      ),
    },
    schema: record('A like of a val', {
      user: key(UserRef, 'Username or id of the user who likes it'),
      val: key(ValRef, 'The val as author/name, or by its id'),
      createdAt: withDefault(Time, NOW, 'Time of the like. Default: now'),
    }),
  },
  {
    references: {
      user: {
        to: 'users',
        id: ({ userId }) => userId,
        find: ({ by }, id) => by.user.range([id]),
      },
      val: { to: 'vals', id: ({ valId }) => valId, find: (likes, id) => likes.range(id) },
    },
    build(builder: ValBuilder, { record, path }): Like | undefined {
      const user = builder.find('users', record.user, `${path}.user`);
      const val = builder.find('vals', record.val, `${path}.val`);
      const createdAt = builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`);
      return user && val && { userId: user.id, valId: val.id, createdAt };
    },
    write: (names, { userId, valId, createdAt }) => ({
      user: names.of('users', userId),
      val: names.of('vals', valId),
      createdAt: toTimestamp(createdAt),
    }),
    example: { user: 'grace', val: 'ada/dewPoint' },
    display: (names, { userId, valId }) => `${names.of('users', userId)} likes ${names.of('vals', valId)}`,
    twin: {
      inFixtures: (path, first) => ({ path, message: `the same like as ${first}; expected each like once.` }),
      whenAdded: ({ record: { user, val }, path }) => ({ path, value: `${user} likes ${val}` }),
    },
    compare: (a, b) => a.createdAt - b.createdAt,
    compareBrief: (a, b) => a.createdAt - b.createdAt,
  },
);
