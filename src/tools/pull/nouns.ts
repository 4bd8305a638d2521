import type { Fields } from '#engine/definition/context.js';
import { isObject } from '#engine/lib/objects.js';
import { toTimestamp } from '#engine/lib/time.js';
import { type CollectionName, definitions } from '#vals/service/service.collection.js';
import type { Query } from './reader.js';

/** A record of fixtures. All of them refer to others by their ids. */
export type PulledRow = readonly [collection: CollectionName, row: Fields];
/** Fixtures that no collection has checked. */
export type PulledRows = Readonly<Record<string, readonly Fields[]>>;

/** What a pull reads beyond what others may see, and beyond the lists. */
export interface PullScope {
  /** Private vals of both versions and what belongs to them, blobs and the keys of environment variables. */
  readonly private: boolean;
  /** The logs, arguments and return value of each run. */
  readonly runDetails: boolean;
  /** The versions before the latest one. */
  readonly history: boolean;
}

/** One kind of records: where the service lists them, and what fixtures have of each. */
export interface Noun {
  /** Route of the list. A name in braces is an id of a record above. */
  readonly list: string;
  /** Whether the list has no pages. */
  readonly isArray?: boolean;
  /** Further parameters of the list. @param since the earliest time, if one was given */
  query?(above: Fields, since: Query): Query;
  /** Route of one item, which has more keys than the list has. */
  readonly item?: string;
  /** The names in braces for an item and what is below it, by its keys. */
  readonly ids?: Readonly<Record<string, string>>;
  /** What it takes to read the list, and each item. Default: nothing */
  readonly listFor?: keyof PullScope;
  readonly itemFor?: keyof PullScope;
  /** Whether an item is bytes, which are a record's content. Default: JSON */
  readonly isBytes?: boolean;
  /** Whether the list begins with the newest. Records that fixtures have last are newer. */
  readonly isNewestFirst?: boolean;
  /** The collection of fixtures. Undefined for a list that only names vals */
  readonly collection?: CollectionName;
  /**
   * Makes the keys that have another name, or another form, than on the wire. All others are taken by their names.
   * @param older number of items of the list after it
   */
  row?(item: Fields, above: Fields, older: number): Fields;
  /** Lists the vals of `/v1` that an item names. */
  vals?(item: Fields): readonly unknown[];
  /** The nouns below each item. */
  readonly below?: readonly NounName[];
}

/** Returns the id of a record that another one names. */
export const idOf = (value: unknown): unknown => (isObject(value) ? value.id : undefined);

const projects = {
  ids: { val_id: 'id' },
  isNewestFirst: true,
  collection: 'projects',
  row: ({ author }: Fields) => ({ owner: idOf(author) }),
  below: ['branches', 'environment'],
} as const;

export type NounName =
  | ('organizations' | 'memberships' | 'organizationProjects' | 'projects' | 'branches' | 'environment')
  | ('ownVals' | 'likes' | 'comments' | 'references' | 'runs' | 'vals' | 'versions' | 'users' | 'blobs');

export const NOUNS: Readonly<Record<NounName, Noun>> = {
  organizations: {
    list: '/v2/orgs',
    ids: { org_id: 'id' },
    collection: 'organizations',
    below: ['memberships', 'organizationProjects'],
  },
  memberships: {
    isArray: true,
    list: '/v2/orgs/{org_id}/memberships',
    collection: 'memberships',
    row: ({ user }, { org_id }) => ({ organization: org_id, user: idOf(user) }),
  },
  organizationProjects: {
    ...projects,
    list: '/v2/vals',
    query: ({ org_id }) => ({ user_id: String(org_id) }),
  },
  projects: { ...projects, list: '/v2/me/vals' },
  // With their files: files.ts
  branches: { list: '/v2/vals/{val_id}/branches', collection: 'branches' },
  environment: {
    list: '/v2/vals/{val_id}/environment_variables',
    listFor: 'private',
    collection: 'environment',
    row: ({ createdAt, updatedAt }, { val_id }) => ({ project: val_id, updatedAt: updatedAt ?? createdAt }),
  },
  ownVals: {
    list: '/v1/users/{user_id}/vals',
    vals: (val) => [val],
  },
  likes: {
    list: '/v1/me/likes',
    isNewestFirst: true,
    collection: 'likes',
    // A second apart, since their times are unknown.
    row: ({ id }, { user_id }, older) => ({ user: user_id, val: id, createdAt: toTimestamp(older * 1_000) }),
    vals: (val) => [val],
  },
  comments: {
    list: '/v1/me/comments',
    query: (_, since) => since,
    isNewestFirst: true,
    collection: 'comments',
    row: ({ author, val }) => ({ author: idOf(author), val: idOf(val) }),
    vals: ({ val }) => [val],
  },
  references: {
    list: '/v1/me/references',
    vals: ({ reference, dependsOn }) => [reference, dependsOn],
  },
  runs: {
    list: '/v1/me/runs',
    query: (_, since) => since,
    item: '/v1/runs/{run_id}',
    ids: { run_id: 'id' },
    itemFor: 'runDetails',
    isNewestFirst: true,
    collection: 'runs',
    row: ({ val }) => ({ val: idOf(val), ...(isObject(val) && { version: val.version }) }),
    vals: ({ val }) => [val],
  },
  // Those that the lists above name.
  vals: {
    list: '/v1/users/{user_id}/vals',
    item: '/v1/vals/{val_id}',
    ids: { val_id: 'id', author: 'author', latest: 'version' },
    isNewestFirst: true,
    collection: 'vals',
    row: ({ author }) => ({ author: idOf(author) }),
    below: ['versions'],
  },
  versions: {
    list: '/v1/vals/{val_id}/versions',
    item: '/v1/vals/{val_id}/versions/{version}',
    ids: { version: 'version' },
    listFor: 'history',
    isNewestFirst: true,
    collection: 'versions',
    row: ({ createdAt, versionCreatedAt }, { val_id }) => ({ val: val_id, createdAt: versionCreatedAt ?? createdAt }),
  },
  users: {
    list: '/v1/me',
    item: '/v1/users/{user_id}',
    ids: { user_id: 'id' },
    collection: 'users',
    row: ({ username }) => ({ username: username ?? null }),
  },
  blobs: {
    isArray: true,
    list: '/v1/blob',
    item: '/v1/blob/{key}',
    ids: { key: 'key' },
    listFor: 'private',
    isBytes: true,
    collection: 'blobs',
    row: ({ lastModified }, { user_id }) => ({ user: user_id, createdAt: lastModified }),
  },
};

/** The lists from which all starts, after that of the own vals. */
export const ROOTS = ['organizations', 'projects', 'likes', 'comments', 'references', 'runs', 'blobs'] as const;

const PULLED = new Set(['commits', ...Object.values(NOUNS).map(({ collection }) => collection)]);

/** What no GET shows, and what a pull makes up: paths that no comparison has. */
export const UNCOMPARED = [
  ...definitions.names.filter((name) => !PULLED.has(name)).map((name) => `${name}.*`),
  ...['users.*.token', 'environment.*.value', 'likes.*.createdAt', 'commits.*.kind'],
];
