import { makeDefinitions } from '#engine/definition/definitions.js';
import type { AddersOf, CollectionsOf, ExportedFixturesOf, FixturesOf, InputIn } from '#engine/definition/types.js';
import { blobs } from '#vals/blobs/blobs.collection.js';
import { emails } from '#vals/emails/emails.collection.js';
import { datasets } from '#vals/lib/datasets.collection.js';
import { clients } from '#vals/login/clients.collection.js';
import { grants } from '#vals/login/grants.collection.js';
import { memberships } from '#vals/organizations/memberships.collection.js';
import { organizations } from '#vals/organizations/organizations.collection.js';
import { branches } from '#vals/projects/branches.collection.js';
import { commits, type texts } from '#vals/projects/commits.collection.js';
import { environment } from '#vals/projects/environment.collection.js';
import { projects } from '#vals/projects/projects.collection.js';
import { responses } from '#vals/projects/responses.collection.js';
import { comments } from '#vals/reactions/comments.collection.js';
import { likes } from '#vals/reactions/likes.collection.js';
import { runs } from '#vals/runs/runs.collection.js';
import { databases, type pages } from '#vals/sqlite/databases.collection.js';
import { tokens } from '#vals/users/tokens.collection.js';
import { users } from '#vals/users/users.collection.js';
import { vals } from '#vals/vals/vals.collection.js';
import { versions } from '#vals/vals/versions.collection.js';

/** The collections of the vals service. Each refers to those before it. */
export const collections = {
  users,
  organizations,
  memberships,
  projects,
  branches,
  commits,
  environment,
  responses,
  clients,
  grants,
  tokens,
  vals,
  versions,
  runs,
  likes,
  comments,
  emails,
  blobs,
  sqlite: databases,
} as const;
type All = typeof collections;

export const definitions = makeDefinitions('vals', Object.values(collections), datasets);
export const COLLECTION_NAMES = Object.values(collections).map(({ name }) => name);
export type CollectionName = keyof All;
export type Collections = CollectionsOf<All>;

/** The bytes of databases. */
export type Pages = ReturnType<(typeof pages)['collect']>;

export type Texts = ReturnType<(typeof texts)['collect']>;

/** The collections of vals and what people do with them, which generated and pulled data have. */
export type ValCollectionName = Extract<CollectionName, 'users' | 'vals' | 'versions' | 'runs' | 'likes' | 'comments'>;

/** A record as fixtures write it. */
export type Input<N extends CollectionName> = InputIn<All, N>;
/** The methods that add records, each with its collection: `like`. */
export type Adders = AddersOf<All>;
/** Fixtures as written by hand. Any collection may be missing. */
export type Fixtures = FixturesOf<All>;
/** All collections in fixture format. Keys with a default may be absent. */
export type ExportedFixtures = ExportedFixturesOf<All>;

export { LARGEST_BLOB, LONGEST_BLOB_KEY, type StoredBlob } from '#vals/blobs/blobs.collection.js';
export {
  type Address,
  type Attachment,
  type Email,
  LONGEST_ADDRESS,
  LONGEST_NAME,
  MOST_ADDRESSES,
} from '#vals/emails/emails.collection.js';
export { type Comment, RELATIONSHIPS, type Relationship } from '#vals/reactions/comments.collection.js';
export { RUN_SOURCES, type Run, type RunSource } from '#vals/runs/runs.collection.js';
export type { StoredDatabase } from '#vals/sqlite/databases.collection.js';
export type { Scope, TokenScope } from '#vals/users/scopes.collection.js';
export type { Token } from '#vals/users/tokens.collection.js';
export { TIERS, type User } from '#vals/users/users.collection.js';
export {
  LARGEST_VERSION,
  PRIVACIES,
  type Privacy,
  VAL_TYPES,
  type Val,
  type ValType,
  type Version,
} from '#vals/vals/val-records.collection.js';
