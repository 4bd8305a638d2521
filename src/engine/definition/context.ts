import type { Instant } from '../lib/time.js';
import type { ContentInput } from './content.js';
import type { Text } from './parts.js';

// What definitions are given: they do not know the state, and a definition narrows these to the collections that it needs.

/** One load or write of records. */
export interface Work {
  /** Whether a request of others may wait for it, so that a step of it must be short. */
  readonly isRequest: boolean;
  /** Set by the definition that needs an engine, such as one of SQL, for the rest of the work. */
  engine?: object;
}

/** A record as JSON, by its fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** A row of a record that is a database. */
export interface TableRow {
  readonly table: string;
  /** Its primary key, or a substitute for it. */
  readonly key: string;
  readonly fields: Fields;
}

/** A record and its path: `vals.json [3]`. */
export interface Row<R> {
  readonly record: R;
  readonly path: string;
}

export interface Names {
  /** The collections of the state, by name. */
  readonly sets: object;
  readonly work: Work;
  /** Names a record as fixtures do. @throws Error for an unknown id */
  of(collection: string, id: string): string;
}

/** Makes records of fixtures: finds the records that they refer to, and reports errors. */
export interface Builder {
  /** The collections of a draft, by name. */
  readonly sets: object;
  readonly work: Work;
  readonly now: Instant;
  /** Finds a record by its name in fixtures, and reports an unknown one. */
  find(collection: string, reference: string, path: string): object | undefined;
  /**
   * Converts a time.
   * @param byDefault the time without a text
   * @param path where to report a time that is too far away; undefined for no report
   */
  toInstant(text: string | undefined, byDefault: Instant, path?: string): Instant;
  /** Notes that a time of a record depends on `now`, if it does. */
  noteTime(time: Instant): void;
  toText(lines: Text, path: string): string;
  toBytes(content: ContentInput, path: string): Uint8Array;
  /** Returns the id that a record gives, or the one that follows from a name. */
  toId(id: string | undefined, name: string): string;
  drawSerial(): number;
  isToken(text: string): boolean;
  report(path: string, message: string): undefined;
  reportTaken(path: string, value: string | number): undefined;
}

/** Loads the collections of fixtures, one after another: each refers to those before it. */
export interface Loading extends Builder {
  /** Yields the valid records of a collection. */
  rows(collection: string): Iterable<Row<object>>;
  hasInvalid(collection: string): boolean;
  /** Yields the references to records of a collection, with the time of the record that has it. */
  eachReference(collection: string): Iterable<{ readonly reference: string; readonly time: string | undefined }>;
  /** Reserves a value that must be unique, and reports one that is taken. @param kind a field: `username` */
  reserve(path: string, kind: string, value: string): boolean;
  /** Marks a record with errors. A reference that may mean this record is not a second error. */
  markInvalid(collection: string, fields: Fields): void;
  /** Notes the record that a row becomes, by its path and its id. */
  onRecord(path: string, id: string): void;
  put(collection: string, records: readonly object[]): void;
}

/** Writes the records of a state without the values that are defaults. */
export interface Writing extends Names {
  /** The time from which relative times count. */
  readonly origin: Instant;
  /** Derives the id of a record without one from a name that is unique to the record. */
  deriveId(name: string): string;
  /** The default of a time that follows from the load. In absolute form, a record always has the time. */
  defaultTime(key: string, time?: Instant): Fields;
  /** Notes the time of a record that refers to another one. */
  touch(id: string, time: Instant): void;
  /** Returns the earliest such time. Infinity without one */
  earliest(id: string): Instant;
}
