import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { Problem } from '../lib/errors.js';
import type { Steps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { compile, type Validator } from '../schema/validator.js';
import {
  Collection,
  type CollectionSpec,
  type IndexSpecs,
  type Range,
  type RecordSet,
  type Scalar,
} from '../store/collection.js';
import { checkKeys } from './check-keys.js';
import type { Builder, Fields, Loading, Names, Row, TableRow, Work, Writing } from './context.js';
import { toNoun } from './nouns.js';
import { DEFINITIONS } from './parts.js';

// A collection is one definition. It does not know the state: it gets the records that it needs by small interfaces.

/** Lets optional keys be undefined. */
type Loose<T> = { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] };
/** A record as fixtures write it. */
export type InputOf<P extends TProperties> = Loose<Static<TObject<P>>>;

type DefaultKeys<P extends TProperties> = {
  [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never;
}[keyof P];
/** A valid record of a fixture, with its defaults filled in. */
export type FilledOf<P extends TProperties> = Static<TObject<P>> & { [K in DefaultKeys<P>]: Static<P[K]> };

/** Records of a state with one identity each, and how they are stored. */
export interface StoredSet<R extends object = object> {
  readonly name: string;
  collect(records: readonly R[]): RecordSet<R>;
  readonly stored?: Codec<R> | undefined;
  /** Validates what the row of a record in fixtures does not show, of a record that a session has. Default: nothing */
  readonly validateRecord?: Validator<object>;
  /** Lists the bytes of a record, which count towards the memory of all sandboxes. */
  bytes?(record: R): readonly Uint8Array[];
}

/** How a record is stored in another form than its own, which is JSON. */
export interface Codec<R extends object> {
  encode(record: R): object;
  /** @param sets the records of the state that are stored as they are, decoded already */
  decode(stored: object, sets: object): R;
  /** Returns the characters of base64 in a stored record. */
  weigh?(stored: object): number;
}

/** A field of fixtures that names another record, with which a record is deleted. C is the collection with the field. */
export interface Reference<R, C> {
  /** The collection of the other record. */
  readonly to: string;
  /** A second collection of which the other record may be. Ids are unique in both. Default: none */
  readonly orTo?: string;
  /** Returns the id of the other record. Undefined for a record without one */
  id(record: R): string | undefined;
  /** Finds the records that refer to another one, by an index. */
  find(records: C, id: string): Iterable<R>;
  /** Returns the record after a change of the other one. Default: it stays the same */
  follow?(record: R, other: object): R;
}

/** How fixtures name the records of a collection. */
export interface Naming<R extends object> {
  /** Names a record: `ada/hello`. */
  write(sets: object, record: R): string;
  find(sets: object, reference: string): R | undefined;
  /** Advice for an unknown name. Default: none */
  readonly usage?: string;
  /** Returns closer advice. Empty for none. @param invalid the names of records with errors */
  suggest(sets: object, reference: string, invalid: Iterable<string>): string;
  /** The names under which an invalid record may be the one that a reference means, in lower case. */
  aliases(sets: object, reference: string): readonly string[];
  /** Returns the name of an invalid record, as `aliases` has it. Undefined if it may be any. */
  alias(fields: Fields): string | undefined;
}

/** How a folder is read that a record names by its key `folder`: its texts become the key `files`, by path. */
export interface FolderRules {
  /** The name of a file with names that are skipped, one a line. */
  readonly ignoreFile: string;
  readonly mostFiles: number;
  /** Characters of a file at most. */
  readonly longestText: number;
}

/** A file or a directory of a record. */
export interface RecordFile {
  /** Stays when it moves. */
  readonly id: string;
  readonly path: string;
  /** Further fields: `{ type: 'http' }`. */
  readonly fields: Fields;
  /** Null for a directory. */
  readonly text: string | null;
}

interface RecordFiles<R extends object> {
  /** Lists the files of a record by path. Undefined for a version that it does not have. @param version default: the latest */
  list(sets: object, record: R, version?: number): Iterable<RecordFile> | undefined;
  /** Finds the record that has a file with an id, and the path of the file. Default: files have no ids */
  find?(sets: object, id: string): { readonly record: R; readonly path: string } | undefined;
  /** Lists the files of another record with which a record began. Default: none */
  copied?(sets: object, record: R): Iterable<RecordFile>;
}

/** A record that sends requests. */
export interface Caller {
  readonly id: string;
  /** Bearer token. */
  readonly token: string;
}

/** How the callers of the API are found among the records of a collection. */
interface Callers<R extends object, C> {
  find(records: C, token: string): (R & Caller) | undefined;
  /** Lists them in the order of creation. */
  list(records: C): Iterable<R & Caller>;
}

/** A further token of a caller, which may do less than the caller. */
export interface Credential extends Pick<Caller, 'token'> {
  /** Default: never */
  readonly expiresAt?: Instant | undefined;
}

/** How the further tokens of callers are found among the records of a collection. */
interface Credentials<R extends object, C> {
  find(records: C, token: string): (R & Credential) | undefined;
  callerId(record: R): string;
  /** Lists the scopes of routes that it has. */
  scopes(record: R): readonly string[];
  /** Lists the scopes of tokens, as fixtures have them, by which a token has a scope of a route. Default: that scope */
  grantedBy?(scope: string): readonly string[];
}

/** Ids of records of a collection, by their relation to a record. Unknown ids are skipped. */
type Relations = Readonly<Record<string, readonly [collection: string, ids: readonly string[]]>>;

/** How a second record with the same identity is reported. Default: by its id */
interface Twin<F> {
  /** @param path of the record. @param first path of the one before */
  inFixtures(path: string, first: string): Problem;
  /** Returns the value that is taken, and its path. */
  whenAdded?(row: Row<F>): { readonly path: string; readonly value: string };
}

/** What the records of a collection are. It fixes the types of the behavior. */
interface Shape<
  N extends string,
  R extends object,
  S extends IndexSpecs<R>,
  P extends TProperties,
  A extends string | undefined,
> extends CollectionSpec<R, S> {
  readonly name: N;
  /** Describes the collection, for the JSON Schema. */
  readonly title: string;
  /** The method of a sandbox that adds a record. Undefined if only the records of another collection add them */
  readonly adder: A;
  /** The name of its records in sentences. Default: the name of the collection */
  readonly plural?: string;
  /** A record as fixtures write it. The time of a record is the key whose default is now. */
  readonly schema: TObject<P>;
}

/** How the records of a collection behave. C is the collection, I a valid record of a fixture, and F an exported one. */
interface Behavior<R extends object, C, I extends object, F extends object> {
  /** By the field of a fixture: `author`. */
  readonly references: Readonly<Record<string, Reference<R, C>>>;
  /** Reads the parts of an identity in an id. Default: they are texts */
  parseKey?(parts: readonly string[]): readonly Scalar[];
  /** How fixtures refer to its records. Default: no collection does */
  readonly naming?: Naming<R>;
  /** The reference to the record whose records are counted, and named by that number. Default: records have no such name */
  readonly owner?: string;
  /** Makes a record of a fixture, unless `load` and `insert` do. @param ordinal number of records of its owner before this one */
  build?(builder: Builder, row: Row<I>, ordinal: number): R | undefined;
  /** Writes a record as a fixture. */
  write(names: Names, record: R): F;
  /** Lists further records that a record needs where it is exported alone. Default: none */
  related?(sets: object, record: R): Iterable<readonly [collection: string, record: object]>;
  /** Lists the ids of related records that no field names, by their relation. Default: none */
  relations?(sets: object, record: R): Relations;
  /** Whether a change of a record is part of the change of another one, which commits name. Default: never */
  isPart?(record: R, before: object, after: object): boolean;
  /** Fields that change with others, and are named only if no other one has changed. Default: none */
  readonly implied?: readonly string[];
  /** Finds what is wrong with a record that a handler has put. Default: nothing, since the handlers have types. @param path of the record */
  checkPut?(record: R, path: string): Iterable<Problem>;
  /** Names a record for people: `blob report.json of ada`. */
  display(names: Names, record: R): string;
  /** Shows a record in fixture format, without secrets and bytes. Default: like its export */
  show?(names: Names, record: R): object;
  /** Makes its records the callers of the API. One collection at most has them */
  readonly callers?: Callers<R, C>;
  /** Makes its records further tokens of callers, which may have some scopes only. One collection at most has them */
  readonly credentials?: Credentials<R, C>;
  readonly twin?: Twin<I>;
  readonly stored?: Codec<R>;
  bytes?(record: R): readonly Uint8Array[];
  /** Other sets of the state that belong to the records. */
  readonly parts?: readonly StoredSet[];
  /** Whether what is stored and written follows from the other collections, which come first. Default: false */
  readonly isLast?: boolean;
  /** As of its set of records. */
  readonly validateRecord?: Validator<object>;
  /** A record as fixtures write it, for documents. */
  readonly example?: object;
  /** Rules between the keys of a fixture, in JSON Schema, which `build` checks as well. */
  readonly rules?: object;
  /** Keys that only their user may read. */
  readonly secrets?: readonly string[];
  /** Of the secrets: those that an export has as null, unless it asks for them. Default: none */
  readonly withheld?: readonly string[];
  /** The files that its records have, in versions. Default: none */
  readonly files?: RecordFiles<R>;
  /** Lists the rows of the tables that a record has, to compare them. Default: none */
  rows?(names: Names, record: R): Steps<TableRow[]>;
  /** How folders are read that its records name in fixture files. Default: none is */
  readonly folders?: FolderRules;
  /** Further keys of fixtures that are not written. */
  readonly unwritten?: readonly string[];

  /** Orders records by their creation. Default: by serial */
  compare?(a: R, b: R): number;
  /** Orders records by their time. Default: as `compare` does */
  compareAge?(a: R, b: R): number;
  /** The same order by an index, the oldest first. */
  byAge?(records: C): Pick<Range<R>, 'length' | 'page'>;
  /** Lists the records in the order of creation. Default: by `compare` */
  list?(records: C, sets: object): Iterable<R>;
  /** Finds records by the id of another one that no field names. */
  readonly lookups?: Readonly<Record<string, Pick<Reference<R, C>, 'find'>>>;

  // Hooks, in place of what all collections have.

  /** Does what takes time before records are made, which are then made at once. */
  prepare?(record: I, work: Work, now: Instant): Steps<void>;
  /** Loads the records of fixtures. */
  load?(loading: Loading): Steps<void>;
  /** Makes a record of a fixture, and puts it among the others. Returns undefined when it has reported a problem. */
  insert?(builder: Builder, row: Row<I>): R | undefined;
  /** Selects and orders the records for export. Default: by serial, else by identity */
  select?(records: C, sets: object): Steps<readonly R[]>;
  /** Orders the records of a brief export. Default: as `select` does */
  compareBrief?(a: R, b: R): number;
  /** Returns what finds the defaults of an exported record that follow from others, and the form of its fields. */
  abridge?(writing: Writing): Abridger<R, Settled<F>>;
  /** Deletes what belongs to records that a cascade has deleted. */
  clear?(sets: object, records: readonly R[]): void;
  /** Deletes a single record. Default: with those that refer to it. @throws ApiError */
  remove?(sets: object, record: R): void;
  /** Fields of a row that follow from the others, and that no fixture has. */
  readonly derived?: readonly string[];
  /** Adds to a changed row what it lacks of the record: secrets are there already. Default: nothing */
  complete?(row: Fields, names: Names, old: R | undefined): Fields;
  /** Writes a fixture in place of a record. Default: that record is deleted, and the fixture inserted. */
  replace?(replacing: Replacing<R, I>, fixture: Fields, old: R): R;
}

/** Writes a record in place of another. */
export interface Replacing<R, I> {
  readonly sets: object;
  /** Validates a fixture, and inserts its record in another way than usual. @throws FixtureError */
  insert(fixture: Fields, act: { insert?(builder: Builder, row: Row<I>): R | undefined }): R;
  /** Puts what follows from a changed record in those that refer to it. */
  updateReferring(record: R): void;
}

/** Finds what a brief export has of a record. */
interface Abridger<R, F> {
  abridge(record: R, fields: F): Abridged;
}

/** A part of the fields of a record that a brief export has, and the values that it leaves out. */
export interface Abridged {
  readonly fields?: Fields;
  readonly defaults: Fields;
}

/** The result of steps, or a value that is there at once. */
export type Settled<F> = F extends Steps<infer V> ? V : F;

/** A collection as code for all collections sees it, without the types of its records. */
export interface AnyDefinition extends Behavior<object, RecordSet, object, object>, StoredSet {
  readonly title: string;
  readonly adder: string | undefined;
  readonly plural: string;
  readonly identity: { readonly sortKeys: readonly unknown[] };
  /** Does in steps what `collect` does. */
  collectInSteps(records: readonly object[]): Steps<RecordSet>;
  readonly indexes: IndexSpecs<object>;
  readonly schema: TObject;
  /** Validates a record of a fixture, and fills in its defaults in place. */
  readonly validate: Validator<object>;
  readonly stored?: Codec<object>;
  bytes?(record: object): readonly Uint8Array[];
}

export interface Definition<
  N extends string,
  R extends object,
  S extends IndexSpecs<R>,
  P extends TProperties,
  A extends string | undefined,
  F extends object,
> extends Shape<N, R, S, P, A>,
    Behavior<R, Collection<R, S>, FilledOf<P>, F> {
  readonly plural: string;
  readonly validate: Validator<FilledOf<P>>;
  collect(records: readonly R[]): Collection<R, S>;
  collectInSteps(records: readonly R[]): Steps<Collection<R, S>>;
}

/** Defines a collection. Two arguments, so that the first one fixes the types of the second, and an error names a typo. */
export const defineCollection = <
  const N extends string,
  R extends object,
  S extends IndexSpecs<R>,
  P extends TProperties,
  const A extends string | undefined,
  F extends object,
>(
  shape: Shape<N, R, S, P, A>,
  behavior: Behavior<R, Collection<R, S>, FilledOf<P>, F>,
): Definition<N, R, S, P, A, F> => {
  const spec: CollectionSpec<R, S> = { ...shape, check: (record) => checkKeys(shape, record) };
  return {
    plural: shape.name,
    ...shape,
    ...behavior,
    collect: (records) => Collection.from(spec, records),
    collectInSteps: (records) => Collection.fromInSteps(spec, records),
    validate: compile(Type.Unsafe<FilledOf<P>>({ ...shape.schema, $defs: DEFINITIONS }), 'strict'),
  };
};

/** Defines a collection of another service than the built-in one: its records are frozen. */
export const defineFrozen: typeof defineCollection = (shape, behavior) =>
  defineCollection({ ...shape, isFrozen: true }, behavior);

/** Names a record by its owner and the number of records of that before it: `comment:<id of the val>#2`. */
export const nameRecord = (collection: string, owner: string, ordinal: number): string =>
  `${toNoun(collection)}:${owner}#${ordinal}`;
