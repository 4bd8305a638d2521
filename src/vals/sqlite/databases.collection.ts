import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { hasAny, parseContent } from '#engine/definition/content.js';
import type { Names, Row, Work } from '#engine/definition/context.js';
import { defineCollection, type FilledOf, type StoredSet } from '#engine/definition/define.js';
import { NOW, optional, record, Text, Time, withDefault } from '#engine/definition/parts.js';
import { decodeText, encodeBase64 } from '#engine/lib/base64.js';
import { formatValue } from '#engine/lib/messages.js';
import { finish, type Steps } from '#engine/lib/steps.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { mapOf } from '#engine/schema/schema.js';
import { compile } from '#engine/schema/validator.js';
import { asc, Collection, index } from '#engine/store/collection.js';
import {
  type DataOwner,
  dataOwner,
  dataOwnerReferences,
  dataOwnerRules,
  expectDataOwner,
  getOwnerId,
  nameDataOwner,
  writeDataOwner,
} from '#vals/lib/data-owners.collection.js';
import { storedBody } from '#vals/lib/stored-body.collection.js';
import type { ProjectBuilder } from '#vals/projects/names.collection.js';
import type { Projects } from '#vals/projects/project-records.collection.js';
import type { DatabaseSource } from './script.js';
import { getScripts } from './scripts.js';
import { DatabaseSourceError } from './sql-error.js';

/** Bytes of a database in one record. A change of a row replaces one or two of them. */
const PAGE_BYTES = 4_096;

/** The SQLite database of a user or a project. Its bytes are in its pages. */
export type StoredDatabase = DataOwner & {
  /** Bytes */
  readonly size: number;
  readonly updatedAt: Instant;
};

/** A part of a database. Each has as many bytes as the others, but for the last one. */
export type Page = DataOwner & {
  /** From 0. */
  readonly number: number;
  readonly body: Uint8Array;
};

const pageSpec = {
  identity: index<Page>(
    asc(getOwnerId),
    asc((record) => record.number),
  ),
  indexes: {},
};

/** The bytes of the databases. */
export const pages = {
  name: 'pages',
  collect: (records: readonly Page[]) => Collection.from(pageSpec, records),
  validateRecord: compile(Type.Object({ number: Type.Integer({ minimum: 0 }) }), 'strict'),
  ...storedBody<Page>(),
} satisfies StoredSet<Page>;

/** The databases of a state or a draft, with their owners and bytes. */
export interface Databases extends Projects {
  sqlite: Collection<StoredDatabase>;
  pages: Collection<Page>;
}

/** Returns the bytes of a database. */
export function readDatabase({ pages }: Readonly<Databases>, database: StoredDatabase): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(database.size);
  for (const { number, body } of pages.range(getOwnerId(database))) bytes.set(body, number * PAGE_BYTES);
  return bytes;
}

/** Returns copies of the parts of a database that differ from the stored ones. */
export function findChangedPages({ pages }: Readonly<Databases>, owner: DataOwner, bytes: Uint8Array): Page[] {
  const old = pages.range(getOwnerId(owner))[Symbol.iterator]();
  const changed: Page[] = [];
  for (let number = 0; number * PAGE_BYTES < bytes.length; number++) {
    const body = bytes.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    const before: Page | undefined = old.next().value ?? undefined;
    if (!before || Buffer.compare(before.body, body) !== 0) changed.push({ ...owner, number, body: body.slice() });
  }
  return changed;
}

/** Stores a database whose `changed` pages are new. */
export function storeDatabase(
  sets: Databases,
  owner: DataOwner,
  changed: readonly Page[],
  size: number,
  now: Instant,
): StoredDatabase {
  const database = { ...owner, size, updatedAt: now };
  sets.sqlite = sets.sqlite.put(database);
  for (const page of changed) sets.pages = sets.pages.put(page);
  for (const page of sets.pages.range(getOwnerId(owner))) {
    if (page.number * PAGE_BYTES >= size) sets.pages = sets.pages.delete(page);
  }
  return database;
}

/** Deletes the bytes of a database. */
function deletePages(sets: Databases, databases: readonly StoredDatabase[]): void {
  const pages = databases.flatMap((database) => [...sets.pages.range(getOwnerId(database))]);
  sets.pages = sets.pages.deleteAll(pages);
}

const SqlValue = Type.Union(
  [Type.Null(), Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.Integer({ minimum: 0, maximum: 255 }))],
  { expected: 'null, a string, a number, a boolean or the bytes of a blob as a list' },
);
const Rows = mapOf(Type.Array(mapOf(SqlValue)));

const schema = record('The SQLite database of a user or a project, made by file or base64, then sql, then rows', {
  ...dataOwner,
  sql: optional(Text, 'SQL statements, as in a dump of SQLite. Default: none'),
  rows: optional(
    Rows,
    'Rows by table. A table that does not exist gets the keys of its rows as columns. Default: none',
  ),
  base64: optional(Type.String(), 'A file of SQLite, or of SQL statements, in base64. Default: none'),
  file: optional(Type.String(), 'Instead of base64: the file, by its path from the folder of the fixture file'),
  updatedAt: withDefault(Time, NOW, 'Time of its last change. Default: now'),
});

type Filled = FilledOf<(typeof schema)['properties']>;
/** The keys of a record that give its content. */
type Content = Pick<Filled, 'file' | 'base64' | 'sql' | 'rows'>;

export type ExportedDatabase = ({ sql: string[] } | { base64: string }) & {
  user?: string;
  project?: string;
  updatedAt: string;
};

/** The first bytes of a file of SQLite. Source: sqlite.org/fileformat. */
const MAGIC = 'SQLite format 3\0';

/**
 * Makes the bytes of a database, once for each content.
 * @throws DatabaseSourceError for an error in its record
 */
function buildDatabase(record: Content, work: Work, now: Instant): Steps<Uint8Array> {
  const { file, base64, sql, rows } = record;
  const key = createHash('sha256')
    .update(JSON.stringify([file, base64, sql, rows]))
    .digest('base64');
  return getScripts(work).build(key, () => readSource(record), now);
}

/** @throws DatabaseSourceError */
function readSource({ file, base64, sql = '', rows }: Content): DatabaseSource {
  const content = parseContent({ base64, file });
  if (typeof content === 'string') throw new DatabaseSourceError('', content);
  const isFile = decodeText(content.subarray(0, MAGIC.length)) === MAGIC;
  const text = isFile ? '' : decodeText(content);
  if (text === undefined) throw new DatabaseSourceError('', 'expected a file of SQLite, or SQL statements in UTF-8.');
  const texts = [
    ['', text.replace(/^\ufeff/, '')],
    ['sql', typeof sql === 'string' ? sql : sql.join('\n')],
  ] as const;
  return { file: isFile ? content : undefined, texts, rows };
}

interface DatabaseBuilder extends Omit<ProjectBuilder, 'sets'> {
  readonly sets: Databases;
}

/** Makes a database, and puts its bytes among the others. */
function build(
  builder: DatabaseBuilder,
  { record, path }: Row<Filled>,
  owner: DataOwner | undefined,
): StoredDatabase | undefined {
  const { sets, work, now } = builder;
  const updatedAt = builder.toInstant(record.updatedAt, now, `${path}.updatedAt`);
  try {
    const bytes = finish(buildDatabase(record, work, now));
    return owner && storeDatabase(sets, owner, findChangedPages(sets, owner, bytes), bytes.length, updatedAt);
  } catch (error) {
    if (!(error instanceof DatabaseSourceError)) throw error;
    return builder.report(error.path === '' ? path : `${path}.${error.path}`, error.message);
  }
}

export const databases = defineCollection(
  {
    name: 'sqlite',
    title: 'The SQLite databases of the users and projects',
    adder: 'sqlite',
    plural: 'SQLite databases',
    identity: index<StoredDatabase>(asc(getOwnerId)),
    indexes: {},
    schema,
  },
  {
    references: dataOwnerReferences<StoredDatabase>(),
    rules: dataOwnerRules,
    *prepare(record, work, now) {
      try {
        yield* buildDatabase(record, work, now);
      } catch (error) {
        // It is reported when the record is made.
        if (!(error instanceof DatabaseSourceError)) throw error;
      }
    },
    build: (builder: DatabaseBuilder, row) => build(builder, row, expectDataOwner(builder, row)),
    insert(builder: DatabaseBuilder, row) {
      const { record, path } = row;
      const owner = expectDataOwner(builder, row);
      if (!owner || !builder.sets.sqlite.get(getOwnerId(owner))) return owner && build(builder, row, owner);
      const field = record.user === undefined ? 'project' : 'user';
      const problem = `${formatValue(record[field])} has a database already; change it by POST /v1/sqlite/execute.`;
      return builder.report(`${path}.${field}`, problem);
    },
    /** As SQL if that is exact. */
    *write(names: Names & { readonly sets: Databases }, database): Steps<ExportedDatabase> {
      const bytes = readDatabase(names.sets, database);
      const sql = yield* getScripts(names.work).dump(bytes);
      return {
        ...writeDataOwner(names, database),
        ...(sql ? { sql } : { base64: encodeBase64(bytes) }),
        updatedAt: toTimestamp(database.updatedAt),
      };
    },
    rows: (names: Names & { readonly sets: Databases }, database) =>
      getScripts(names.work).readRows(readDatabase(names.sets, database)),
    example: { user: 'ada', rows: { todos: [{ id: 1, title: 'Rest' }] } },
    display: (names, database) => `database of ${nameDataOwner(names, database)}`,
    /** With its size in place of its content. */
    show: (names, { size, updatedAt, ...owner }) => ({
      ...writeDataOwner(names, owner),
      ...{ size, updatedAt: toTimestamp(updatedAt) },
    }),
    twin: {
      inFixtures: (path, first) => ({
        path,
        message: `the database of the same user or project as ${first}; expected one of each.`,
      }),
    },
    derived: ['size'],
    complete: (row, names: Names & { readonly sets: Databases }, old) =>
      old && !hasAny(row, ['sql', 'rows', 'base64', 'file'])
        ? { ...row, base64: encodeBase64(readDatabase(names.sets, old)) }
        : row,
    parts: [pages],
    clear: deletePages,
    compare: (a, b) => a.updatedAt - b.updatedAt,
  },
);
