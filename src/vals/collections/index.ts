import { makeDefinitions } from '#engine/definition/definitions.js';
import type { AddersOf, CollectionsOf, ExportedFixturesOf, FixturesOf, InputIn } from '#engine/definition/types.js';
import { blobs } from './blobs.js';
import { comments } from './comments.js';
import { databases, type pages } from './databases.js';
import { datasets } from './datasets.js';
import { emails } from './emails.js';
import { likes } from './likes.js';
import { branches } from './projects/branches.js';
import { commits, type texts } from './projects/commits.js';
import { environment } from './projects/environment.js';
import { memberships } from './projects/memberships.js';
import { organizations } from './projects/organizations.js';
import { projects } from './projects/projects.js';
import { responses } from './projects/responses.js';
import { runs } from './runs.js';
import { tokens } from './tokens.js';
import { users } from './users.js';
import { vals } from './vals.js';
import { versions } from './versions.js';

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

export { LARGEST_BLOB, LONGEST_KEY, type StoredBlob } from './blobs.js';
export { type Comment, RELATIONSHIPS, type Relationship } from './comments.js';
export type { StoredDatabase } from './databases.js';
export { type Address, type Attachment, type Email, LONGEST_ADDRESS, LONGEST_NAME, MOST_ADDRESSES } from './emails.js';
export { RUN_SOURCES, type Run, type RunSource } from './runs.js';
export type { Scope, TokenScope } from './scopes.js';
export type { Token } from './tokens.js';
export { TIERS, type User } from './users.js';
export {
  LARGEST_VERSION,
  PRIVACIES,
  type Privacy,
  VAL_TYPES,
  type Val,
  type ValType,
  type Version,
} from './val-records.js';
