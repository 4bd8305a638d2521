import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { hasAny, parseContent } from '#engine/definition/content.js';
import type { Names, Work } from '#engine/definition/context.js';
import { defineCollection, type FilledOf, type StoredSet } from '#engine/definition/define.js';
import { key, NOW, optional, record, Text, Time, withDefault } from '#engine/definition/parts.js';
import { decodeText, encodeBase64 } from '#engine/lib/base64.js';
import { formatValue } from '#engine/lib/messages.js';
import { mapOf } from '#engine/lib/schema.js';
import { finish, type Steps } from '#engine/lib/steps.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, Collection, index } from '#engine/store/collection.js';
import type { DatabaseSource } from '../sqlite/script.js';
import { getScripts } from '../sqlite/scripts.js';
import { DatabaseSourceError } from '../sqlite/sql-error.js';
import { storedBody } from './stored-body.js';
import { type UserBuilder, UserRef, type Users } from './users.js';

/** Bytes of a database in one record. A change of a row replaces one or two of them. */
const PAGE_BYTES = 4_096;

/** The SQLite database of a user. Its bytes are in its pages. */
export interface StoredDatabase {
  readonly userId: string;
  /** Bytes */
  readonly size: number;
  readonly updatedAt: Instant;
}

/** A part of a database. Each has as many bytes as the others, but for the last one. */
export interface Page {
  readonly userId: string;
  /** From 0. */
  readonly number: number;
  readonly body: Uint8Array;
}

const pageSpec = {
  identity: index<Page>(
    asc((record) => record.userId),
    asc((record) => record.number),
  ),
  indexes: {},
};

/** The bytes of the databases. */
export const pages = {
  name: 'pages',
  collect: (records: readonly Page[]) => Collection.from(pageSpec, records),
  ...storedBody<Page>(),
} satisfies StoredSet<Page>;

/** The databases of a state or a draft, with their users and bytes. */
export interface Databases extends Users {
  sqlite: Collection<StoredDatabase>;
  pages: Collection<Page>;
}

/** Returns the bytes of a database. */
export function readDatabase(
  { pages }: Readonly<Databases>,
  { userId, size }: StoredDatabase,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (const { number, body } of pages.range(userId)) bytes.set(body, number * PAGE_BYTES);
  return bytes;
}

/** Returns copies of the parts of a database that differ from the stored ones. */
export function findChangedPages({ pages }: Readonly<Databases>, userId: string, bytes: Uint8Array): Page[] {
  const old = pages.range(userId)[Symbol.iterator]();
  const changed: Page[] = [];
  for (let number = 0; number * PAGE_BYTES < bytes.length; number++) {
    const body = bytes.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    const before: Page | undefined = old.next().value ?? undefined;
    if (!before || Buffer.compare(before.body, body) !== 0) changed.push({ userId, number, body: body.slice() });
  }
  return changed;
}

/** Stores a database whose `changed` pages are new. */
export function storeDatabase(
  sets: Databases,
  userId: string,
  changed: readonly Page[],
  size: number,
  now: Instant,
): StoredDatabase {
  const database = { userId, size, updatedAt: now };
  sets.sqlite = sets.sqlite.put(database);
  for (const page of changed) sets.pages = sets.pages.put(page);
  for (const page of sets.pages.range(userId)) {
    if (page.number * PAGE_BYTES >= size) sets.pages = sets.pages.delete(page);
  }
  return database;
}

/** Deletes the bytes of a database. */
function deletePages(sets: Databases, { userId }: StoredDatabase): void {
  for (const page of sets.pages.range(userId)) sets.pages = sets.pages.delete(page);
}

const SqlValue = Type.Union(
  [Type.Null(), Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.Integer({ minimum: 0, maximum: 255 }))],
  { expected: 'null, a string, a number, a boolean or the bytes of a blob as a list' },
);
const Rows = mapOf(Type.Array(mapOf(SqlValue)));

const schema = record('The SQLite database of a user, made by file or base64, then sql, then rows', {
  user: key(UserRef, 'Username or id of the user'),
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

/** A database in fixture format. */
export type ExportedDatabase = ({ sql: string[] } | { base64: string }) & { user: string; updatedAt: string };

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

interface DatabaseBuilder extends Omit<UserBuilder, 'sets'> {
  readonly sets: Databases;
}

/** Makes a database, and puts its bytes among the others. */
function build(
  builder: DatabaseBuilder,
  { record, path }: { record: Filled; path: string },
): StoredDatabase | undefined {
  const { sets, work, now } = builder;
  const user = builder.find('users', record.user, `${path}.user`);
  const updatedAt = builder.toInstant(record.updatedAt, now, `${path}.updatedAt`);
  try {
    const bytes = finish(buildDatabase(record, work, now));
    const changed = user && findChangedPages(sets, user.id, bytes);
    return changed && storeDatabase(sets, user.id, changed, bytes.length, updatedAt);
  } catch (error) {
    if (!(error instanceof DatabaseSourceError)) throw error;
    return builder.report(error.path === '' ? path : `${path}.${error.path}`, error.message);
  }
}

export const databases = defineCollection(
  {
    name: 'sqlite',
    title: 'The SQLite databases of the users',
    adder: 'sqlite',
    plural: 'SQLite databases',
    identity: index<StoredDatabase>(asc((record) => record.userId)),
    indexes: {},
    schema,
  },
  {
    references: {
      user: { to: 'users', id: ({ userId }) => userId, find: (databases, id) => databases.range(id) },
    },
    *prepare(record, work, now) {
      try {
        yield* buildDatabase(record, work, now);
      } catch (error) {
        // It is reported when the record is made.
        if (!(error instanceof DatabaseSourceError)) throw error;
      }
    },
    build,
    insert(builder: DatabaseBuilder, row) {
      const { record, path } = row;
      const user = builder.find('users', record.user, `${path}.user`);
      if (!user || !builder.sets.sqlite.get(user.id)) return user && build(builder, row);
      const problem = `${formatValue(record.user)} has a database already; change it by POST /v1/sqlite/execute.`;
      return builder.report(`${path}.user`, problem);
    },
    /** As SQL if that is exact. */
    *write(names: Names & { readonly sets: Databases }, database): Steps<ExportedDatabase> {
      const bytes = readDatabase(names.sets, database);
      const sql = yield* getScripts(names.work).dump(bytes);
      return {
        user: names.of('users', database.userId),
        ...(sql ? { sql } : { base64: encodeBase64(bytes) }),
        updatedAt: toTimestamp(database.updatedAt),
      };
    },
    example: { user: 'ada', rows: { todos: [{ id: 1, title: 'Rest' }] } },
    display: (names, { userId }) => `database of ${names.of('users', userId)}`,
    /** With its size in place of its content. */
    show: (names, { userId, size, updatedAt }) => ({
      ...{ user: names.of('users', userId), size, updatedAt: toTimestamp(updatedAt) },
    }),
    twin: {
      inFixtures: (path, first) => ({
        path: `${path}.user`,
        message: `has a database by ${first}; expected one of each user.`,
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
