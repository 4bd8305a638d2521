import { Type } from 'typebox';
import type { Builder } from '#engine/definition/context.js';
import { wholeNumber } from '#engine/definition/parts.js';
import type { Instant } from '#engine/lib/time.js';
import { asc, type Collection, desc, index, multiIndex } from '#engine/store/collection.js';
import { findUserByName, findUserByReference, getHandle, type User, type Users } from '#vals/users/users.collection.js';
import { type ImportTarget, parseImports } from './imports.collection.js';

export const PRIVACIES = ['public', 'unlisted', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];
/** Every type that a val can have. New vals can have only some of them (vals/vals/vals.schema.ts). */
export const VAL_TYPES = ['interval', 'http', 'express', 'email', 'script', 'rpc', 'httpnext'] as const;
export type ValType = (typeof VAL_TYPES)[number];

/** The largest number of a version. It fits an integer column. */
export const LARGEST_VERSION = 2_147_483_647;
export const VersionNumber = wholeNumber(0, LARGEST_VERSION);

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

export interface Version {
  readonly valId: string;
  /** 0 for the first. */
  readonly version: number;
  readonly code: string;
  readonly imports: readonly ImportTarget[];
  readonly createdAt: Instant;
}

/** An import of a val by another val, by name. */
export interface Import {
  readonly target: ImportTarget;
  readonly importer: Val;
}

const projectPublic = (val: Val): readonly Val[] => (val.privacy === 'public' ? [val] : []);

const projectImports = (importer: Val): readonly Import[] =>
  importer.latest.imports.map((target) => ({ target, importer }));

export const valIndexes = {
  name: index<Val>(
    asc((record) => record.authorId),
    asc((val) => val.name.toLowerCase()),
  ),
  age: index<Val>(
    asc((record) => record.createdAt),
    asc((record) => record.serial),
  ),
  author: index<Val>(
    asc((record) => record.authorId),
    desc((record) => record.createdAt),
    desc((record) => record.serial),
  ),
  public: multiIndex(
    projectPublic,
    desc((record) => record.createdAt),
    desc((record) => record.serial),
  ),
  publicByAuthor: multiIndex(
    projectPublic,
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
};

/** The vals of a state or a draft, with their authors and versions. */
export interface Vals extends Users {
  vals: Collection<Val, typeof valIndexes>;
  versions: Collection<Version>;
}

export function makeVersion(valId: string, version: number, code: string, createdAt: Instant): Version {
  return { valId, version, code, imports: parseImports(code), createdAt };
}

/** Lists the versions of a val, newest first. */
export const listVersions = ({ versions }: Readonly<Vals>, { id }: { readonly id: string }) => versions.range(id);

/** Returns the author of a record. Deleting a user deletes its records, so a record without an author is a defect. */
export function getAuthor({ users }: Readonly<Users>, record: { readonly authorId: string }): User {
  const author = users.get(record.authorId);
  if (!author) throw new Error(`no user ${record.authorId}`);
  return author;
}

/** Finds a val of an author by name, ignoring case. */
export const findValByName = ({ vals }: Readonly<Vals>, authorId: string, name: string): Val | undefined =>
  vals.by.name.get([authorId, name.toLowerCase()]);

/** Finds the val that an import means, if it exists. */
export function findImported(sets: Readonly<Vals>, { username, name }: ImportTarget): Val | undefined {
  const author = findUserByName(sets, username) ?? sets.users.get(username);
  return author && getHandle(author).toLowerCase() === username ? findValByName(sets, author.id, name) : undefined;
}

/** Lists the other vals that import a val, private ones included. */
export const listImporters = (sets: Readonly<Vals>, val: Val): Val[] =>
  [
    ...sets.vals.by.importsByTarget.range([getHandle(getAuthor(sets, val)).toLowerCase(), val.name.toLowerCase()]),
  ].flatMap(({ importer }) => (importer.id === val.id ? [] : [importer]));

/** Names a val as fixtures do: `ada/hello`, or by its id if its author has no username. */
export function writeVal(sets: Readonly<Users>, val: Val): string {
  const { username } = getAuthor(sets, val);
  return username === null ? val.id : `${username}/${val.name}`;
}

export const ValRef = Type.String({ expected: 'a val such as "ada/hello", or a val id' });

/** Splits a reference into the author's id and the name. A reference by id is returned alone. */
export function splitReference(sets: Readonly<Users>, reference: string): [string, string?] {
  const text = reference.toLowerCase().replace(/^@/, '');
  const slash = text.indexOf('/');
  if (slash < 0) return [text];
  const author = text.slice(0, slash);
  return [findUserByReference(sets, author)?.id ?? author, text.slice(slash + 1)];
}

/** Makes records of fixtures that name users and vals. */
export interface ValBuilder extends Builder {
  readonly sets: Vals;
  find(collection: 'users', reference: string, path: string): User | undefined;
  find(collection: 'vals', reference: string, path: string): Val | undefined;
}
