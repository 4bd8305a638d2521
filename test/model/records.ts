/** What the model knows: plain arrays, in the order of creation, that are never changed in place. */
export type Json = Readonly<Record<string, unknown>>;
export interface User extends Json {
  readonly id: string;
  readonly username: string | null;
  readonly token: string;
}
/** A further token of a user. */
export interface Token extends Json {
  readonly id: string;
  readonly user: string;
  readonly token: string;
  readonly scopes: readonly string[];
}
export interface Version {
  readonly version: number;
  readonly code: string;
  readonly at: number;
}
export interface Val {
  readonly id: string;
  readonly author: User;
  readonly name: string;
  readonly privacy: string;
  readonly type: string;
  readonly readme: string | null;
  readonly at: number;
  readonly next: number;
  /** Ascending. */
  readonly versions: readonly Version[];
}
export interface Run {
  readonly id: string;
  readonly val: string;
  readonly at: number;
  readonly end: number | null;
  readonly source: string;
  readonly error: unknown;
  readonly version: number;
  readonly parentId: string;
  readonly rest: Json;
}
interface Like {
  readonly user: string;
  readonly val: string;
  readonly at: number;
}
export interface Comment extends Like {
  readonly id: string;
  readonly comment: string;
}
export interface Fault extends Json {
  readonly id: string;
  readonly seen: number;
  readonly hits: number;
}
interface Spent {
  readonly since: number;
  readonly requests: number;
}
export interface Blob {
  readonly user: string;
  readonly key: string;
  readonly text: string;
  readonly at: number;
}
/** A row of the only table that a database has. */
export interface Note {
  readonly id: number;
  readonly text: string;
}
interface Database {
  readonly user: string;
  /** By id. */
  readonly notes: readonly Note[];
  readonly at: number;
}
/** A file of a project, none of which is a directory. */
export interface ProjectFile {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly version: number;
  readonly at: number;
}
export interface Branch {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly from: { readonly id: string; readonly name: string; readonly version: number } | null;
  /** The files of each version, sorted by path. */
  readonly trees: readonly (readonly ProjectFile[])[];
}
interface Variable {
  readonly key: string;
  readonly at: number;
  readonly updatedAt: number;
}
/** A val of version 2. */
export interface Project {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly at: number;
  readonly branches: readonly Branch[];
  /** As they are exported. */
  readonly commits: readonly Json[];
  readonly variables: readonly Variable[];
}
export interface State {
  readonly users: readonly User[];
  readonly tokens: readonly Token[];
  readonly vals: readonly Val[];
  readonly runs: readonly Run[];
  readonly likes: readonly Like[];
  readonly comments: readonly Comment[];
  /** Sorted by user and key. */
  readonly blobs: readonly Blob[];
  /** Sorted by user. */
  readonly databases: readonly Database[];
  /** Only the nodes of a cluster are tested with some. */
  readonly projects: readonly Project[];
  readonly now: number;
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly spent: ReadonlyMap<string, Spent>;
  readonly limit: { readonly limit: number; readonly window: number } | null;
  /** Ids drawn so far, if they are known in advance. */
  readonly draws: number;
  /** Stands for all writes that led here: the same writes from the same seed give the same ids. */
  readonly trail: number;
}
export interface Config {
  readonly auth: 'strict' | 'lenient';
  readonly defaultPrivacy: 'public' | 'unlisted' | 'private';
  readonly specOnly: boolean;
  readonly limit: number | undefined;
}
