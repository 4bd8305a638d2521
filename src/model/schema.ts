import type { Instant } from '../lib/time.js';
import type { CollectionSpec, IndexSpecs } from '../store/collection.js';
import { asc, Collection, desc, index, multiIndex } from '../store/collection.js';
import type { ImportTarget } from './imports.js';
import { blobSpec, databaseSpec, emailSpec } from './user-data.js';

// The record types and their indexes. Records never change: a write puts a new record in place of the old one.

export const TIERS = ['free', 'pro'] as const;
type Tier = (typeof TIERS)[number];

export interface User {
  readonly id: string;
  /** Unique, ignoring case. Null for an account without a username. */
  readonly username: string | null;
  readonly email: string;
  readonly bio: string | null;
  readonly profileImageUrl: string | null;
  readonly tier: Tier | null;
  readonly token: string;
  /** Order of creation: 0 for the first. */
  readonly serial: number;
}

const users = defineCollection({
  identity: index<User>(asc((record) => record.id)),
  indexes: {
    token: index<User>(asc((record) => record.token)),
    username: multiIndex(
      (user: User) => (user.username === null ? [] : [user]),
      asc((user) => user.username?.toLowerCase() ?? ''),
    ),
    serial: index<User>(asc((record) => record.serial)),
  },
});

export const PRIVACIES = ['public', 'unlisted', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];
/** Every type that a val can have. New vals can have only some of them (api/schemas/vals.ts). */
export const VAL_TYPES = ['interval', 'http', 'express', 'email', 'script', 'rpc', 'httpnext'] as const;
export type ValType = (typeof VAL_TYPES)[number];

/** The largest number of a version. It fits an integer column. */
export const LARGEST_VERSION = 2_147_483_647;

export interface Val {
  readonly id: string;
  readonly authorId: string;
  /** Unique per author, ignoring case. */
  readonly name: string;
  readonly privacy: Privacy;
  readonly type: ValType;
  readonly readme: string | null;
  readonly createdAt: Instant;
  /** One above the highest version number so far: numbers of deleted versions are not reused. */
  readonly nextVersion: number;
  /** The version with the highest number. */
  readonly latest: Version;
  /** Order of creation: breaks ties between vals of the same instant. */
  readonly serial: number;
}

/** An import of a val by another val, by name. */
interface Import {
  readonly target: ImportTarget;
  readonly importer: Val;
}

const projectImports = (importer: Val): readonly Import[] =>
  importer.latest.imports.map((target) => ({ target, importer }));

const vals = defineCollection({
  identity: index<Val>(asc((record) => record.id)),
  indexes: {
    name: index<Val>(
      asc((record) => record.authorId),
      asc((val) => val.name.toLowerCase()),
    ),
    author: index<Val>(
      asc((record) => record.authorId),
      desc((record) => record.createdAt),
      desc((record) => record.serial),
    ),
    publicByAuthor: multiIndex(
      (val: Val) => (val.privacy === 'public' ? [val] : []),
      asc((record) => record.authorId),
      desc((record) => record.createdAt),
      desc((record) => record.serial),
    ),
    /** Importers of a val. By name, not by id, so that an import also finds a val that is created later. */
    importsByTarget: multiIndex(
      projectImports,
      asc(({ target }) => target.username),
      asc(({ target }) => target.name),
      asc(({ importer }) => importer.privacy),
      asc(({ importer }) => importer.id),
    ),
    /** Importers of any val of a user, newest import first. */
    importsByTargetAuthor: multiIndex(
      projectImports,
      asc(({ target }) => target.username),
      desc(({ importer }) => importer.latest.createdAt),
      asc(({ importer }) => importer.id),
      asc(({ target }) => target.name),
    ),
  },
});

export interface Version {
  readonly valId: string;
  /** 0 for the first. */
  readonly version: number;
  readonly code: string;
  readonly imports: readonly ImportTarget[];
  readonly createdAt: Instant;
}

const versions = defineCollection({
  identity: index<Version>(
    asc((record) => record.valId),
    desc((record) => record.version),
  ),
  indexes: {},
});

export const RUN_SOURCES = ['ui', 'api', 'interval', 'email'] as const;
export type RunSource = (typeof RUN_SOURCES)[number];

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export interface Run {
  readonly id: string;
  readonly valId: string;
  /** The author of the val, who owns the run. */
  readonly authorId: string;
  readonly version: number;
  /** Null for a success, else a sentence or an object that describes the failure. */
  readonly error: string | { readonly [key: string]: JsonValue } | null;
  /** The run that started this one, or its own id. */
  readonly parentId: string;
  readonly runStartAt: Instant;
  /** Null for an unfinished run. */
  readonly runEndAt: Instant | null;
  readonly source: RunSource;
  readonly emails: readonly JsonValue[];
  readonly logs: readonly JsonValue[];
  readonly returnValue: JsonValue;
  readonly args: readonly JsonValue[];
  /** Order of creation: breaks ties between runs of the same instant. */
  readonly serial: number;
}

const hasFailed = (run: Run): boolean => run.error !== null;
const newestRunFirst = [desc((run: Run) => run.runStartAt), desc((run: Run) => run.serial)] as const;

const runs = defineCollection({
  identity: index<Run>(asc((record) => record.id)),
  indexes: {
    start: index<Run>(
      asc((record) => record.runStartAt),
      asc((record) => record.serial),
    ),
    author: index<Run>(
      asc((record) => record.authorId),
      ...newestRunFirst,
    ),
    authorOutcome: index<Run>(
      asc((record) => record.authorId),
      asc(hasFailed),
      ...newestRunFirst,
    ),
    val: index<Run>(
      asc((record) => record.valId),
      ...newestRunFirst,
    ),
    valOutcome: index<Run>(
      asc((record) => record.valId),
      asc(hasFailed),
      ...newestRunFirst,
    ),
  },
});

/** A like of a val by a user, at most one for each pair. */
export interface Like {
  readonly valId: string;
  readonly userId: string;
  readonly createdAt: Instant;
}

const likes = defineCollection({
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
});

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

interface CommentParticipation {
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

const comments = defineCollection({
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
});

function defineCollection<R, S extends IndexSpecs<R>>(spec: CollectionSpec<R, S>) {
  return (records: readonly R[]): Collection<R, S> => Collection.from<R, S>(spec, records);
}

/** Builds each collection from records. */
export const collections = {
  users,
  vals,
  versions,
  runs,
  likes,
  comments,
  emails: defineCollection(emailSpec),
  blobs: defineCollection(blobSpec),
  sqlite: defineCollection(databaseSpec),
} as const;
export type CollectionName = keyof typeof collections;
/** Later collections refer to earlier ones. */
export const COLLECTION_NAMES = [
  ...(['users', 'vals', 'versions', 'runs', 'likes', 'comments', 'emails', 'blobs', 'sqlite'] as const),
] as const;
/** Returns the name of one record of a collection: `val`. */
export const toNoun = (collection: string): string => collection.replace(/s$/, '');
export type Collections = { readonly [N in CollectionName]: ReturnType<(typeof collections)[N]> };
