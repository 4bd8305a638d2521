import { type Static, type TSchema, Type } from 'typebox';
import { Id, Nullable, Timestamp } from '#engine/api/schemas/common.js';
import { compile } from '#engine/lib/validator.js';
import { PRIVACIES, VAL_TYPES } from '#vals/collections/index.js';

// The parts of responses that a pull needs. Keys with a default in fixtures may be absent, and other keys are ignored, so that a
// service with other keys can be pulled too: the drift report names them.

/** A value that may be null or absent. */
const Possible = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

const Author = Type.Object({ id: Id, username: Nullable(Type.String()) });

const User = Type.Object({
  id: Id,
  username: Nullable(Type.String()),
  bio: Possible(Type.String()),
  profileImageUrl: Possible(Type.String()),
  email: Type.Optional(Type.String()),
  tier: Possible(Type.Enum(['free', 'pro'])),
});
export type User = Static<typeof User>;

const ListedVal = Type.Object({
  id: Id,
  name: Type.String(),
  privacy: Type.Enum([...PRIVACIES]),
  author: Nullable(Author),
});
export type ListedVal = Static<typeof ListedVal>;

const Val = Type.Object({
  id: Id,
  name: Type.String(),
  version: Type.Integer(),
  code: Possible(Type.String()),
  privacy: Type.Enum([...PRIVACIES]),
  type: Possible(Type.Enum([...VAL_TYPES])),
  createdAt: Timestamp,
  versionCreatedAt: Possible(Timestamp),
  readme: Possible(Type.String()),
  likeCount: Possible(Type.Integer()),
  referenceCount: Possible(Type.Integer()),
  author: Nullable(Author),
});
export type Val = Static<typeof Val>;

const VersionItem = Type.Object({ version: Type.Integer(), createdAt: Timestamp });

const Run = Type.Object({
  id: Id,
  error: Type.Optional(Type.Union([Type.Null(), Type.String(), Type.Object({})])),
  parentId: Possible(Id),
  runStartAt: Timestamp,
  runEndAt: Possible(Timestamp),
  val: Type.Object({ id: Id, version: Type.Integer(), privacy: Type.Enum([...PRIVACIES]) }),
  emails: Type.Optional(Type.Array(Type.Unknown())),
  logs: Type.Optional(Type.Array(Type.Unknown())),
  returnValue: Type.Optional(Type.Unknown()),
  args: Type.Optional(Type.Array(Type.Unknown())),
});
export type Run = Static<typeof Run>;

const Comment = Type.Object({ id: Id, comment: Type.String(), createdAt: Timestamp, author: Author, val: ListedVal });
export type Comment = Static<typeof Comment>;

const Reference = Type.Object({ reference: Type.Object({ id: Id }), dependsOn: Type.Object({ id: Id }) });

const Page = Type.Object({
  data: Type.Array(Type.Unknown()),
  links: Type.Object({ next: Type.Optional(Nullable(Type.String())) }),
});

export const isPage = compile(Page, 'response');
export const isUser = compile(User, 'response');
export const isListedVal = compile(ListedVal, 'response');
export const isVal = compile(Val, 'response');
export const isVersionItem = compile(VersionItem, 'response');
export const isRun = compile(Run, 'response');
export const isComment = compile(Comment, 'response');
export const isReference = compile(Reference, 'response');
