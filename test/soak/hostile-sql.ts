import type { Rng } from '#engine/lib/rng.js';
import type { Statement } from '../support/sql.js';

/** A function of SQL. A number of parameters below 0 is any. */
export interface SqlFunction {
  readonly name: string;
  readonly parameters: number;
}

/** Bytes of a body, and characters of a statement, that the routes accept. */
const MAX_BODY = 10_000_000;
const MAX_SQL = 100_000;

const LENGTHS = [3, 100, 4_000, 60_000, 500_000, 1_900_000];
/** Of which long texts are made: words, patterns, paths and levels of JSON. */
const TOKENS = [
  'a',
  'a ',
  'é',
  ',1',
  '[',
  '{"a":',
  '.a',
  '[0]',
  '[a-z]',
  '%a',
  '_',
  '*',
  '?',
  '\u0000',
  '"',
  "''",
  '-',
  '9',
];
const LEVELS: readonly (readonly [before: string, core: string, after: string])[] = [
  ['(', '1', ')'],
  ['NOT ', '1', ''],
  ['-', '1', ''],
  ['abs(', '1', ')'],
  ['(SELECT ', '1', ')'],
  ['SELECT * FROM (', 'SELECT 1', ')'],
  ['CASE WHEN 1 THEN ', '1', ' END'],
  ['1 IN (', '1', ')'],
  ['json(', "'[]'", ')'],
  ['WITH a AS (', 'SELECT 1', ') SELECT * FROM a'],
  ['EXISTS (SELECT 1 WHERE ', '1', ')'],
  ['1 + (2 * ', '3', ')'],
];
const CHAINS = [
  ' || 1',
  ' + 1',
  ' UNION ALL SELECT 1',
  ' UNION SELECT 1',
  ', 1',
  ' OR 1',
  ' COLLATE NOCASE',
  ' IS 1',
  " -> '$'",
];
const OPERATORS = ['LIKE', 'GLOB', 'NOT LIKE', '||', '->', '->>', '<', 'IS', 'IN', '%'];

/** Draws requests that take long or much memory: functions with long arguments, nested, of tables, in batches. */
export class HostileSql {
  readonly #rng: Rng;
  readonly #functions: readonly SqlFunction[];

  constructor(rng: Rng, functions: readonly SqlFunction[]) {
    this.#rng = rng;
    this.#functions = functions;
  }

  /** Draws the statements of a request. */
  next(): Statement[] {
    const rng = this.#rng;
    const copies = rng.pick([1, 1, 1, 2, 20, 500]);
    const statements = rng
      .pick([
        () => [this.#select()],
        () => [this.#select()],
        () => this.#search(),
        () => this.#views(),
        () => this.#table(),
        () => [this.#nested()],
      ])()
      .map((each) => (typeof each === 'string' ? each.slice(0, MAX_SQL) : each));
    const size = JSON.stringify(statements).length;
    // A copy of the first ones would fail, since they create tables.
    const last = Array<Statement>(Math.max(0, Math.min(copies, Math.floor(MAX_BODY / size)) - 1)).fill(
      statements.at(-1) ?? '',
    );
    return [...statements, ...last].slice(0, 500);
  }

  #text(): string {
    const rng = this.#rng;
    const length = rng.pick(LENGTHS);
    const token = rng.pick(TOKENS);
    const count = Math.ceil(length / token.length);
    const repeated = `replace(hex(zeroblob(${count})), '00', '${token}')`;
    const rows = `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${Math.min(count, 60_000)}) SELECT i FROM n)`;
    return rng.pick([
      repeated,
      repeated,
      `printf('%.${length}c', '${rng.pick(['a', 'z', ' ', '1'])}')`,
      `('[' || substr(replace(hex(zeroblob(${Math.ceil(length / 2)})), '00', ',1'), 2) || ']')`,
      `(replace(hex(zeroblob(${Math.ceil(length / 2)})), '00', '[') || replace(hex(zeroblob(${Math.ceil(length / 2)})), '00', ']'))`,
      `('$' || ${repeated})`,
      `(SELECT json_group_object('k' || i, ${rng.int(1, 2)}) FROM ${rows})`,
      `(SELECT group_concat(i, '${token}') FROM ${rows})`,
      `zeroblob(${length})`,
      `randomblob(${length})`,
    ]);
  }

  #argument(depth: number): string {
    const rng = this.#rng;
    if (depth > 0 && rng.bool(0.3)) return this.#call(depth - 1);
    if (rng.bool(0.7)) return this.#text();
    return rng.pick(['NULL', '1', '-1', '64', '9e999', '9223372036854775807', "'$'", "'%'", "'now'", "'%s'", 'i']);
  }

  #call(depth = 2): string {
    const { name, parameters } = this.#rng.pick(this.#functions);
    const count = parameters < 0 ? this.#rng.int(1, 5) : parameters;
    const list = Array.from({ length: count }, () => this.#argument(depth)).join(', ');
    return `${name}(${list})`;
  }

  #select(): Statement {
    const rng = this.#rng;
    const value = rng.bool(0.7)
      ? this.#call()
      : `${this.#argument(1)} ${rng.pick(OPERATORS)} ${rng.bool() ? this.#argument(1) : `(${this.#argument(0)})`}`;
    const shown = rng.bool(0.7) ? `length(${value})` : value;
    const rows = rng.pick([1, 1, 1, 30, 1_000_000]);
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rows})`;
    const tail = rng.pick(['', '', ` ORDER BY ${value}`, ' GROUP BY 1', ` WHERE ${value}`, ', n AS b, n AS c']);
    const table = rng.pick(['n', 'n', 'n', `n, json_each(${this.#argument(1)})`, `n, json_tree(${this.#argument(1)})`]);
    const sql = `${numbers} SELECT ${shown} FROM ${table}${tail}`;
    if (rng.bool(0.9)) return sql;
    const { name } = rng.pick(this.#functions);
    return { sql: `SELECT ${name}(?1, ?1)`, args: [rng.pick(TOKENS).repeat(rng.pick([10, 1_000, 100_000]))] };
  }

  /** Draws a text with many levels or links. */
  #nested(): Statement {
    const rng = this.#rng;
    const [before, core, after] = rng.pick(LEVELS);
    const levels = rng.pick([10, 100, 1_000, 5_000, 30_000]);
    const fit = Math.min(levels, Math.floor((MAX_SQL - 100) / (before.length + after.length)));
    const nested = `${before.repeat(fit)}${core}${after.repeat(fit)}`;
    if (rng.bool(0.6)) return /^(?:SELECT|WITH)/.test(nested) ? nested : `SELECT ${nested}`;
    const link = rng.pick(CHAINS);
    return `SELECT 1${link.repeat(Math.min(levels, Math.floor((MAX_SQL - 100) / link.length)))}`;
  }

  /** Draws a search of texts. */
  #search(): Statement[] {
    const rng = this.#rng;
    const options = rng.pick(['', ", prefix='1 2 3'", ', detail=none', ", tokenize='trigram'", ", tokenize='porter'"]);
    const terms = Array(rng.pick([1, 100, 5_000, 30_000]))
      .fill('a')
      .join(rng.pick([' ', ' OR ', ' AND ', ' + ', '* ']));
    const match = rng.pick([terms, `NEAR(${terms}, 1000)`, `"${terms}"`, `${'('.repeat(200)}a${')'.repeat(200)}`]);
    const shown = rng.pick([
      ...["length(snippet(ft, 0, '<', '>', '...', 64))", "length(highlight(ft, 0, '<', '>'))", 'bm25(ft)', 'rank', '*'],
    ]);
    return [
      'DROP TABLE IF EXISTS ft',
      `CREATE VIRTUAL TABLE ft USING fts5(a${options})`,
      `INSERT INTO ft SELECT ${this.#text()}`,
      `INSERT INTO ft SELECT replace(hex(zeroblob(${rng.pick([10, 1_000, 90_000])})), '00', 'a ')`,
      rng.pick([
        `SELECT ${shown} FROM ft WHERE ft MATCH '${match.slice(0, MAX_SQL - 100)}' ORDER BY rank`,
        { sql: `SELECT ${shown} FROM ft(?1)`, args: [match] },
        "INSERT INTO ft(ft) VALUES ('rebuild')",
      ]),
    ];
  }

  /** Draws views, each of the ones before it. */
  #views(): Statement[] {
    const rng = this.#rng;
    const joined = rng.pick(['v# AS a, v# AS b', 'v# UNION ALL SELECT * FROM v#', '(SELECT * FROM v# LIMIT 9)']);
    const views = Array.from(
      { length: rng.int(2, 40) },
      (_, i) =>
        `CREATE VIEW v${i + 1} AS SELECT ${rng.pick(['*', '1', 'count(*)'])} FROM ${joined.replaceAll('#', `${i}`)}`,
    );
    return [
      ...Array.from({ length: 41 }, (_, i) => `DROP VIEW IF EXISTS v${i}`),
      'CREATE VIEW v0 AS SELECT 1 AS x',
      ...views,
      rng.pick([
        `SELECT * FROM v${views.length}`,
        `PRAGMA table_xinfo(v${views.length})`,
        `SELECT 1 FROM v${views.length}`,
      ]),
    ];
  }

  /** Draws a table with rows, indexes and triggers. */
  #table(): Statement[] {
    const rng = this.#rng;
    const name = rng.pick(['c', 'long'.repeat(450), '"'.repeat(200)]);
    const columns = Array.from({ length: rng.pick([1, 40, 400]) }, (_, i) => `"${name.replaceAll('"', '""')}${i}"`);
    const [first = 'c'] = columns;
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rng.pick([1, 1_000, 100_000])})`;
    return [
      'DROP TABLE IF EXISTS t',
      `CREATE TABLE t (${columns.join(', ')})`.slice(0, MAX_SQL),
      `${rows} INSERT INTO t (${first}) SELECT ${rng.bool() ? 'i' : this.#text()} FROM n`,
      rng.pick([
        'SELECT * FROM t',
        `SELECT * FROM t AS a JOIN t AS b ON a.${first} = b.${first} ORDER BY 1`,
        `CREATE INDEX i ON t (${this.#call(1).replaceAll(/\bi\b/g, first)})`,
        `CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO t (${first}) SELECT ${first} || ${first} FROM t; END`,
        `UPDATE t SET ${first} = ${this.#call(1).replaceAll(/\bi\b/g, '1')}`,
        `INSERT INTO t SELECT * FROM t`,
        `ALTER TABLE t RENAME COLUMN ${first} TO other`,
        `ALTER TABLE t ADD COLUMN other AS (${this.#call(1).replaceAll(/\bi\b/g, '1')})`,
        'PRAGMA integrity_check',
        'ANALYZE',
      ]),
      rng.pick(['SELECT * FROM t', 'INSERT INTO t DEFAULT VALUES', 'SELECT count(*) FROM t']),
    ];
  }
}
