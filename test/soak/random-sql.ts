import type { Rng } from '#engine/lib/rng.js';

export type Value = null | boolean | number | string | readonly number[];
export interface DrawnStatement {
  readonly sql: string;
  readonly args: readonly Value[] | Readonly<Record<string, Value>>;
}

const TABLES = ['t0', 't1', 't2', '"t 3"'];
const COLUMNS = ['a', 'b', 'c', 'd'];
/** Without the largest integer: SQLite chooses rowids after it at random. */
const LITERALS = [
  ...['NULL', '0', '1', '-1', '2', '7', '1.5', '-0.25', '1e18', '4611686018427387904', '-9223372036854775808'],
  ...["''", "'a'", "'B'", "'a b'", "'1'", "'1.0'", "'ä🎉'", "'it''s'", "x''", "x'00ff'", "char(0) || 'x'", 'TRUE'],
];
const VALUES: readonly Value[] = [
  ...[null, true, false, 0, 1, -1, 2, 3, 4, 5, 7, 1.5, -1e-7, 2 ** 53 - 1, 1e18],
  ...['', 'a', 'b', 'B', 'a\0b', 'ä🎉', "it's", '12', [], [0, 255], [1, 2, 3]],
];
/** Functions of one, two and three arguments. */
const FUNCTIONS = [
  ['abs', 'length', 'upper', 'lower', 'hex', 'quote', 'typeof', 'round', 'trim', 'unicode', 'sign', 'json_quote'],
  ['instr', 'coalesce', 'nullif', 'min', 'max', 'trim', 'ltrim', 'rtrim', 'substr', 'json_array', 'concat', 'round'],
  ['replace', 'substr', 'iif', 'coalesce', 'max', "printf('%s-%d-%g',", "json_object('k',"],
] as const;
const OPERATORS = ['+', '-', '*', '/', '%', '||', '=', '<>', '<', '>=', 'AND', 'OR', 'IS', 'IS NOT', '&', '<<', 'LIKE'];
const DEFINITIONS = [
  '(a INTEGER PRIMARY KEY, b TEXT, c REAL DEFAULT 1.5, d)',
  "(a, b, c NOT NULL DEFAULT 'x', d CHECK (d IS NULL OR length(d) < 20))",
  '(a TEXT PRIMARY KEY, b INT, c, d BLOB) WITHOUT ROWID',
  '(a INTEGER PRIMARY KEY AUTOINCREMENT, b COLLATE NOCASE, c, d, g AS (typeof(b)) STORED)',
  '(a INTEGER PRIMARY KEY, b INTEGER REFERENCES t0 (a) ON DELETE CASCADE ON UPDATE SET NULL, c, d)',
  '(a INT, b ANY, c TEXT, d REAL) STRICT',
  '(a, b UNIQUE, c, d, UNIQUE (c, d) ON CONFLICT REPLACE)',
];

/**
 * Draws statements of SQL, of which most are right. Their results depend on the database alone, not on time or chance. There is
 * no ANALYZE, whose numbers a connection remembers: they choose the order of rows where a statement leaves it open.
 */
export class RandomSql {
  readonly #rng: Rng;
  #args: Value[] = [];
  #isNamed = false;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  next(): DrawnStatement {
    const rng = this.#rng;
    this.#args = [];
    this.#isNamed = rng.bool(0.3);
    const sql = this.#statement();
    if (rng.bool(0.01)) this.#args.pop();
    if (rng.bool(0.01)) this.#args.push(1);
    const sign = rng.pick(['', ':']);
    const args = this.#isNamed ? Object.fromEntries(this.#args.map((value, i) => [`${sign}p${i}`, value])) : this.#args;
    return { sql, args };
  }

  /** Creates the tables that the others use. */
  tables = (): DrawnStatement[] =>
    TABLES.map((table) => ({ sql: `CREATE TABLE ${table} ${this.#rng.pick(DEFINITIONS)}`, args: [] }));

  /** A batch, mostly a short one. */
  batch(): DrawnStatement[] {
    return Array.from({ length: this.#rng.pick([0, 1, 1, 2, 2, 2, 3, 8]) }, () => this.next());
  }

  #pick = <T>(...draws: readonly (readonly [weight: number, draw: () => T])[]): T => {
    let left = this.#rng.next() * draws.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, draw] of draws) {
      left -= weight;
      if (left < 0) return draw();
    }
    throw new Error('the weights are not positive');
  };
  #table = () => this.#rng.pick(this.#rng.bool(0.97) ? TABLES : ['none', 'v0', 'sqlite_schema']);
  #column = () => this.#rng.pick(this.#rng.bool(0.98) ? COLUMNS : ['rowid', 'e', 'none']);
  #list = (count: number, draw: () => string) => Array.from({ length: count }, draw).join(', ');
  #maybe = (share: number, draw: () => string) => (this.#rng.bool(share) ? ` ${draw()}` : '');

  #parameter(): string {
    this.#args.push(this.#rng.pick(VALUES));
    return this.#isNamed ? `:p${this.#args.length - 1}` : '?';
  }

  #value = (): string =>
    this.#pick([3, () => this.#rng.pick(LITERALS)], [2, () => this.#parameter()], [1, () => `${this.#rng.int(0, 30)}`]);

  #expression(depth = 0): string {
    const rng = this.#rng;
    const inner = () => this.#expression(depth + 1);
    if (depth > 2) return rng.bool() ? this.#column() : this.#value();
    return this.#pick(
      [4, () => this.#column()],
      [3, () => this.#value()],
      [2, () => `(${inner()} ${rng.pick(OPERATORS)} ${inner()})`],
      [2, () => this.#call(inner)],
      [0.3, () => `CASE WHEN ${inner()} THEN ${inner()} ELSE ${inner()} END`],
      [0.3, () => `CAST(${inner()} AS ${rng.pick(['INTEGER', 'TEXT', 'REAL', 'BLOB', 'NUMERIC'])})`],
      [0.3, () => `(${inner()} ${rng.pick(['IN', 'NOT IN'])} (${this.#list(3, inner)}))`],
      [0.2, () => `(${inner()} BETWEEN ${inner()} AND ${inner()})`],
      [0.2, () => `(${inner()} COLLATE NOCASE = ${inner()})`],
      [0.2, () => `(SELECT ${rng.pick(['max(a)', 'count(*)', 'min(b)'])} FROM ${this.#table()})`],
      [0.2, () => `EXISTS (SELECT 1 FROM ${this.#table()} AS x WHERE x.a = ${inner()})`],
      [0.1, () => `(${inner()} ${rng.pick(['->', '->>'])} '$.k')`],
    );
  }

  #call(inner: () => string): string {
    const count = this.#rng.int(1, 3);
    const name = this.#rng.pick(FUNCTIONS[count - 1] ?? FUNCTIONS[0]);
    return `${name}${name.endsWith(',') ? ' ' : '('}${this.#list(count, inner)})`;
  }

  #where = () => this.#maybe(0.6, () => `WHERE ${this.#expression()}`);

  #select(): string {
    const rng = this.#rng;
    const order = () =>
      `ORDER BY ${this.#list(rng.int(1, 2), () => `${this.#expression(1)} ${rng.pick(['ASC', 'DESC', 'DESC NULLS LAST'])}`)}`;
    const tail = () =>
      `${this.#maybe(0.6, order)} LIMIT ${rng.int(0, 30)}${this.#maybe(0.2, () => `OFFSET ${rng.int(0, 5)}`)}`;
    const columns = () => (rng.bool(0.3) ? '*' : this.#list(rng.int(1, 4), () => this.#expression()));
    const from = () => `FROM ${this.#table()}`;
    return this.#pick(
      [5, () => `SELECT ${rng.pick(['', 'DISTINCT '])}${columns()} ${from()}${this.#where()}${tail()}`],
      [
        1,
        () =>
          `SELECT b, count(*), sum(a), group_concat(c, '/'), avg(a) ${from()}${this.#where()} GROUP BY b${this.#maybe(0.3, () => 'HAVING count(*) > 1')} ORDER BY 1`,
      ],
      [
        1,
        () =>
          `SELECT x.a, y.b FROM ${this.#table()} x ${rng.pick(['JOIN', 'LEFT JOIN', 'FULL JOIN'])} ${this.#table()} y ON x.a = y.${this.#column()}${tail().replace(/ORDER.*?LIMIT/, 'LIMIT')}`,
      ],
      [
        1,
        () => `SELECT a, row_number() OVER (ORDER BY a, b, c), sum(length(c)) OVER (PARTITION BY b) ${from()} LIMIT 30`,
      ],
      [
        1,
        () =>
          `SELECT a, b ${from()} ${rng.pick(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'])} SELECT c, d ${from()} ORDER BY 1, 2 LIMIT 40`,
      ],
      [
        0.5,
        () =>
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rng.int(1, 30)}) SELECT i, ${this.#value()} FROM n`,
      ],
      [0.5, () => `SELECT ${this.#list(3, () => this.#expression()).replace(/\b[abcd]\b/g, '5')}`],
      [
        0.5,
        () => rng.pick(['SELECT * FROM v0', 'SELECT * FROM v1', 'SELECT name, sql FROM sqlite_schema ORDER BY name']),
      ],
      [0.3, () => `SELECT key, value, type FROM json_each(${this.#value()})`],
      [
        0.3,
        () =>
          `PRAGMA ${rng.pick(['table_info', 'index_list', 'foreign_key_list', 'foreign_key_check'])}(${this.#table()})`,
      ],
      [
        0.2,
        () =>
          rng.pick([
            'PRAGMA user_version',
            'PRAGMA integrity_check',
            'PRAGMA schema_version',
            'EXPLAIN QUERY PLAN SELECT * FROM t0 WHERE b = 1',
          ]),
      ],
    );
  }

  #insert(): string {
    const rng = this.#rng;
    const columns = rng.bool(0.5) ? ['a', 'b', 'c', 'd'] : rng.shuffle(['a', 'b', 'c', 'd']).slice(0, rng.int(1, 3));
    const table = this.#table();
    const into = `${rng.pick(['INSERT', 'INSERT', 'INSERT', 'INSERT OR IGNORE', 'INSERT OR REPLACE', 'REPLACE', 'INSERT OR ROLLBACK', 'INSERT OR FAIL'])} INTO ${table} (${columns.join(', ')})`;
    const rows = () => `VALUES ${this.#list(rng.int(1, 3), () => `(${columns.map(() => this.#value()).join(', ')})`)}`;
    const returning = this.#maybe(0.2, () => `RETURNING ${rng.pick(['*', 'a, b', 'a + 1 AS next'])}`);
    return this.#pick(
      [6, () => `${into} ${rows()}${returning}`],
      [
        1,
        () =>
          `${into} SELECT ${columns.map((each) => rng.pick([each, 'a', 'b', 'c'])).join(', ')} FROM ${this.#table()} LIMIT 5`,
      ],
      [
        1,
        () =>
          `${into.replace(/^.*? INTO/, 'INSERT INTO')} ${rows()} ON CONFLICT DO UPDATE SET c = excluded.${columns[0]} || '+'${returning}`,
      ],
      [0.5, () => `INSERT INTO ${table} DEFAULT VALUES${returning}`],
    );
  }

  #change(): string {
    const rng = this.#rng;
    const table = this.#table();
    const returning = this.#maybe(0.15, () => 'RETURNING *');
    return this.#pick(
      [
        4,
        () =>
          `UPDATE ${rng.pick(['', '', 'OR IGNORE ', 'OR REPLACE '])}${table} SET ${this.#column()} = ${this.#expression()}${this.#where()}${returning}`,
      ],
      [1, () => `UPDATE ${table} SET (b, c) = (SELECT b, c FROM ${this.#table()} LIMIT 1) WHERE a = ${this.#value()}`],
      [1, () => `DELETE FROM ${table} WHERE ${this.#expression(1)}${returning}`],
      [0.1, () => `DELETE FROM ${table}`],
    );
  }

  #define(): string {
    const rng = this.#rng;
    const table = this.#table();
    const n = rng.int(0, 2);
    return this.#pick(
      [6, () => `CREATE TABLE ${rng.pick(['', 'IF NOT EXISTS '])}${table} ${rng.pick(DEFINITIONS)}`],
      [0.5, () => `CREATE TABLE ${table} AS SELECT a, b, c, d FROM ${this.#table()}`],
      [0.3, () => `DROP TABLE ${rng.pick(['', 'IF EXISTS '])}${table}`],
      [
        1,
        () =>
          `CREATE ${rng.pick(['', 'UNIQUE '])}INDEX i${n} ON ${table} (${rng.pick(['a', 'b, c', 'c COLLATE NOCASE', 'lower(b)', 'd DESC'])})${this.#maybe(0.2, () => 'WHERE b IS NOT NULL')}`,
      ],
      [0.7, () => `DROP INDEX IF EXISTS i${n}`],
      [0.5, () => `CREATE VIEW v${n} AS ${this.#select().replace(/[?]|:p\d+/g, '1')}`],
      [0.4, () => `DROP VIEW IF EXISTS v${n}`],
      [
        0.5,
        () =>
          `CREATE TRIGGER g${n} ${rng.pick(['AFTER INSERT', 'BEFORE UPDATE', 'AFTER DELETE'])} ON ${table} BEGIN ${rng.pick([`INSERT INTO t1 (b, c) VALUES ('log', 1)`, 'UPDATE t2 SET b = b', "SELECT RAISE(ABORT, 'no') WHERE random() IS NULL", "SELECT RAISE(FAIL, 'stop') FROM t0 WHERE a = 3"])}; END`,
      ],
      [0.6, () => `DROP TRIGGER IF EXISTS g${n}`],
      [
        0.3,
        () =>
          `ALTER TABLE ${table} ${rng.pick(['ADD COLUMN e', "ADD COLUMN e DEFAULT 'new'", 'DROP COLUMN e', 'RENAME COLUMN e TO f'])}`,
      ],
      [0.1, () => rng.pick(['ALTER TABLE t1 RENAME TO t9', 'ALTER TABLE t9 RENAME TO t1'])],
      [0.2, () => rng.pick(['REINDEX', 'PRAGMA user_version = 5', 'PRAGMA defer_foreign_keys = ON'])],
    );
  }

  #statement(): string {
    const rng = this.#rng;
    return this.#pick(
      [8, () => this.#select()],
      [9, () => this.#insert()],
      [4, () => this.#change()],
      [2.5, () => this.#define()],
      [0.4, () => rng.pick(['SAVEPOINT s', 'RELEASE s', 'ROLLBACK TO s'])],
      [
        0.3,
        () =>
          rng.pick(['SELEKT', 'SELECT (', 'SELECT 1 FROM', "SELECT 'open", 'INSERT INTO t0 VALUES (1, 2, 3, 4, 5, 6)']),
      ],
    );
  }
}
