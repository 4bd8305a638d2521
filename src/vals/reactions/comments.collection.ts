import { defineCollection, nameRecord } from '#engine/definition/define.js';
import { Id, key, NOW, optional, record, Text, Time, withDefault } from '#engine/definition/parts.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, desc, index, multiIndex } from '#engine/store/collection.js';
import { UserRef } from '#vals/users/users.collection.js';
import { type Val, type ValBuilder, ValRef } from '#vals/vals/val-records.collection.js';

export interface Comment {
  readonly id: string;
  readonly authorId: string;
  readonly valId: string;
  /** The author of the val, who receives the comment. */
  readonly valAuthorId: string;
  readonly comment: string;
  readonly createdAt: Instant;
  /** Order of creation: breaks ties between comments of the same instant. */
  readonly serial: number;
}

/** How a user relates to a comment: wrote it, received it on an own val, or either. */
export const RELATIONSHIPS = ['any', 'received', 'given'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

export interface CommentParticipation {
  readonly relationship: Relationship;
  readonly userId: string;
  readonly comment: Comment;
}

/** A comment on an own val is given and received, and once in `any`. */
function projectParticipants(comment: Comment): CommentParticipation[] {
  const { authorId, valAuthorId } = comment;
  return [
    { relationship: 'given', userId: authorId, comment },
    { relationship: 'received', userId: valAuthorId, comment },
    { relationship: 'any', userId: authorId, comment },
    ...(valAuthorId === authorId ? [] : [{ relationship: 'any' as const, userId: valAuthorId, comment }]),
  ];
}

export const comments = defineCollection(
  {
    name: 'comments',
    title: 'The comments',
    adder: 'comment',
    identity: index<Comment>(asc((record) => record.id)),
    indexes: {
      val: index<Comment>(
        asc((record) => record.valId),
        asc((record) => record.serial),
      ),
      participant: multiIndex(
        projectParticipants,
        asc((record) => record.userId),
        asc((record) => record.relationship),
        desc((entry) => entry.comment.createdAt),
        desc((entry) => entry.comment.serial),
      ),
    },
    schema: record('A comment on a val', {
      author: key(UserRef, 'Username or id of the user who wrote it'),
      val: key(ValRef, 'The val as author/name, or by its id'),
      comment: key(Text, 'Markdown'),
      createdAt: withDefault(Time, NOW, 'Time of the comment. Default: now'),
      id: optional(Id, 'UUID. Default: derived from the val and the number of its comments before this one'),
    }),
  },
  {
    references: {
      author: {
        to: 'users',

        id: ({ authorId }) => authorId,
        find: ({ by }, id) => Array.from(by.participant.range([id, 'given']), ({ comment }) => comment),
      },
      val: {
        to: 'vals',
        id: ({ valId }) => valId,
        find: ({ by }, id) => by.val.range([id]),
        follow: (comment, { authorId }: Val) => ({ ...comment, valAuthorId: authorId }),
      },
    },
    owner: 'val',
    build(builder: ValBuilder, { record, path }, ordinal): Comment | undefined {
      const author = builder.find('users', record.author, `${path}.author`);
      const val = builder.find('vals', record.val, `${path}.val`);
      const createdAt = builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`);
      if (!author || !val) return undefined;
      return {
        id: builder.toId(record.id, nameRecord('comments', val.id, ordinal)),
        authorId: author.id,
        valId: val.id,
        valAuthorId: val.authorId,
        comment: builder.toText(record.comment, `${path}.comment`),
        createdAt,
        serial: builder.drawSerial(),
      };
    },
    write: (names, { id, authorId, valId, comment, createdAt }) => ({
      id,
      author: names.of('users', authorId),
      val: names.of('vals', valId),
      comment,
      createdAt: toTimestamp(createdAt),
    }),
    example: { author: 'grace', val: 'ada/hello', comment: 'Short and sweet' },
    display: (names, { authorId, valId }) => `comment by ${names.of('users', authorId)} on ${names.of('vals', valId)}`,
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
  },
);
