import type { Instant } from './clock.js';
import { asc, by, byEach, Collection, desc, type Range, type Source } from './collection.js';
import { nameTaken, valNotFound } from './errors.js';
import type { ImportTarget } from './imports.js';
import { inventName } from './names.js';
import type { State } from './state.js';
import { findUserByName, type User } from './users.js';
import { importsOf, type Version } from './versions.js';

export const PRIVACIES = ['public', 'unlisted', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];
/** Every type that a val can have; a new one can be given only some of them (contract/vals.ts). */
export const VAL_TYPES = ['interval', 'http', 'express', 'email', 'script', 'rpc', 'httpnext'] as const;
export type ValType = (typeof VAL_TYPES)[number];

export interface Val {
  readonly id: string;
  readonly authorId: string;
  /** Unique with its author, whatever the case of its letters. */
  readonly name: string;
  readonly privacy: Privacy;
  readonly type: ValType;
  readonly readme: string | null;
  readonly createdAt: Instant;
  /** One above the highest number a version ever had: numbers of deleted versions are not given again. */
  readonly nextVersion: number;
  /** The version with the highest number. */
  readonly latest: Version;
  /** Position in the order of creation: tells vals of the same instant apart. */
  readonly serial: number;
}

/** One val's import of another, by name. */
export interface Import {
  readonly target: ImportTarget;
  readonly importer: Val;
}

const importsBy = (importer: Val): readonly Import[] =>
  importsOf(importer.latest).map((target) => ({ target, importer }));

export const valCollection = (vals: Source<Val>) =>
  Collection.from(
    by<Val>(asc((val) => val.id)),
    {
      name: by<Val>(
        asc((val) => val.authorId),
        asc((val) => val.name.toLowerCase()),
      ),
      author: by<Val>(
        asc((val) => val.authorId),
        desc((val) => val.createdAt),
        desc((val) => val.serial),
      ),
      listed: byEach(
        (val) => (val.privacy === 'public' ? [val] : []),
        asc((val: Val) => val.authorId),
        desc((val: Val) => val.createdAt),
        desc((val: Val) => val.serial),
      ),
      /** Who imports a val of this name. Names, not ids: a val made later, or made again, is imported all the same. */
      target: byEach(
        importsBy,
        asc(({ target }) => target.username),
        asc(({ target }) => target.name),
        asc(({ importer }) => importer.privacy),
        asc(({ importer }) => importer.id),
      ),
      /** Who imports any val of this user, newest import first. */
      targetAuthor: byEach(
        importsBy,
        asc(({ target }) => target.username),
        desc(({ importer }) => importer.latest.createdAt),
        asc(({ importer }) => importer.id),
        asc(({ target }) => target.name),
      ),
    },
    vals,
  );
export type Vals = ReturnType<typeof valCollection>;

/** Public and unlisted vals can be read by anybody who has the id, private ones by their author. */
export const isVisible = (val: Val, caller: User | undefined): boolean =>
  val.privacy !== 'private' || val.authorId === caller?.id;

/** Other people's lists and counts hold public vals only. */
export const isListed = (val: Val, caller: User | undefined): boolean =>
  val.privacy === 'public' || val.authorId === caller?.id;

/**
 * The val, if the caller may read it. Throws the 404; a private val of somebody else looks like none, since an answer
 * of its own would tell that it exists.
 */
export function findVal(state: State, id: string, caller: User | undefined): Val {
  const val = state.vals.get(id);
  if (!val || !isVisible(val, caller)) throw valNotFound();
  return val;
}

/** The val, if it is the caller's own. Throws the 404, also for one that the caller may read but not change. */
export function findOwnVal(state: State, id: string, caller: User): Val {
  const val = state.vals.get(id);
  if (val?.authorId !== caller.id) throw valNotFound();
  return val;
}

/** The val of a record. A val takes its records along when it is deleted, so a record without one is a defect. */
export function valOf(state: State, record: { readonly valId: string }): Val {
  const val = state.vals.get(record.valId);
  if (!val) throw new Error(`no val ${record.valId}`);
  return val;
}

/** An author's vals, newest first: all for the author, the public ones for anybody else. */
export const valsOf = (state: State, author: User, caller: User | undefined): Range<Val> =>
  (caller?.id === author.id ? state.vals.by.author : state.vals.by.listed).range([author.id]);

export const findValByName = (state: State, authorId: string, name: string): Val | undefined =>
  state.vals.by.name.get([authorId, name.toLowerCase()]);

/** The val of this author and name, if the caller may read it. Throws the 404, also for an author that does not exist. */
export function resolveVal(state: State, username: string, name: string, caller: User | undefined): Val {
  const author = findUserByName(state, username.replace(/^@/, ''));
  const val = author && findValByName(state, author.id, name);
  if (!val || !isVisible(val, caller)) throw valNotFound();
  return val;
}

/** What of a val its author sets directly; the code has versions. */
export interface ValSettings {
  readonly name?: string | undefined;
  readonly privacy?: Privacy | undefined;
  readonly type?: ValType | undefined;
  readonly readme?: string | undefined;
}

/** Throws the 409 when the author already has a val of this name. */
export function createVal(
  state: State,
  author: User,
  settings: ValSettings & { readonly code: string },
  now: Instant,
): Val {
  const name = settings.name ?? inventName(state, author.id);
  if (findValByName(state, author.id, name)) throw nameTaken(name);
  const id = state.newId();
  const latest: Version = { valId: id, version: 0, code: settings.code, createdAt: now };
  const val: Val = {
    id,
    authorId: author.id,
    name,
    privacy: settings.privacy ?? state.settings.defaultPrivacy,
    type: settings.type ?? 'script',
    readme: settings.readme ?? null,
    createdAt: now,
    nextVersion: 1,
    latest,
    serial: state.newSerial(),
  };
  state.versions = state.versions.put(latest);
  state.vals = state.vals.put(val);
  return val;
}

/** Changes what is given and keeps the rest. Throws the 409 when another val of the author has the name. */
export function updateVal(state: State, val: Val, settings: ValSettings): Val {
  const namesake = settings.name === undefined ? undefined : findValByName(state, val.authorId, settings.name);
  if (namesake && namesake.id !== val.id) throw nameTaken(namesake.name);
  const updated: Val = {
    ...val,
    name: settings.name ?? val.name,
    privacy: settings.privacy ?? val.privacy,
    type: settings.type ?? val.type,
    readme: settings.readme ?? val.readme,
  };
  state.vals = state.vals.put(updated);
  return updated;
}

/** Takes the val's versions, runs, likes and comments along; its name is free again. */
export function deleteVal(state: State, val: Val): void {
  for (const version of state.versions.range(val.id)) state.versions = state.versions.delete(version);
  for (const run of state.runs.by.val.range([val.id])) state.runs = state.runs.delete(run);
  for (const like of state.likes.range(val.id)) state.likes = state.likes.delete(like);
  for (const comment of state.comments.by.val.range([val.id])) state.comments = state.comments.delete(comment);
  state.vals = state.vals.delete(val);
}
