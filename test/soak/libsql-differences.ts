import { isDeepStrictEqual } from 'node:util';
import type { Outcome, Result } from './libsql-oracle.js';
import type { DrawnStatement } from './random-sql.js';

/** What differs: a field of the result of a statement, whether and how a request fails, or the tables after it. */
export interface Difference {
  readonly field: keyof Result | 'outcome' | 'contents';
  readonly sql: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** Whether a statement may fail without taking back what it has changed. */
export const mayKeep = (sql: string, outcome: Outcome): boolean =>
  'code' in outcome && (/ OR FAIL /.test(sql) || outcome.reason === 'stop');

/** A kind that not every run has. */
export const RARE = 'A file cannot drop a table after an error';

/** Statements of kinds that are seldom drawn. The tables are empty. */
export const ODD: readonly DrawnStatement[] = [
  "SELECT substr('abc', 1, 4611686018427387904)",
  "SELECT CAST('456213658667727035e122' AS REAL)",
  'EXPLAIN QUERY PLAN SELECT * FROM t0',
  "SELECT 1 FROM t0 WHERE sign(max(1, 3, ('' -> '$.k')))",
  'SELECT "a b"',
  "SELECT typeof(replace(1.5, char(0) || 'x', 'a'))",
].map((sql) => ({ sql, args: [] }));

/** Whether a statement writes what differs between the versions, so that later ones would differ as well. */
export const isUnfit = ({ sql }: DrawnStatement): boolean =>
  !sql.startsWith('SELECT') && /substr\(|replace\(/.test(sql);

const codeOf = (outcome: unknown): unknown => Object(outcome).code;
/** Writes values without the last digits of numbers. */
const roundNumbers = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'number' ? field.toPrecision(14) : field));

function cutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cutTexts);
  return typeof value === 'string' ? value.replace(/\0.*/s, '') : value;
}

/**
 * All differences that there may be, and the reason of each: the oracle is a file without a server, of libSQL's client for Node.
 */
export const KINDS: Readonly<Record<string, (difference: Difference) => boolean>> = {
  // The client asks SQLite for it after every statement without columns. The server does after an INSERT.
  'A file has a last rowid after each statement without columns': ({ field, ours }) =>
    field === 'lastInsertRowid' && ours === null,
  // The connection of the client stays open. Ours is one of many, and ends with its request.
  'A file keeps its last rowid from one request to the next': ({ field, sql, ours }) =>
    field === 'lastInsertRowid' && ours === 0 && /^(?:INSERT|REPLACE)/.test(sql),
  // The client has them from a call that it makes for statements without columns only.
  'A file counts no rows of RETURNING': ({ field, sql, theirs }) =>
    / RETURNING /.test(sql) &&
    ((field === 'rowsAffected' && theirs === 0) || (field === 'lastInsertRowid' && theirs === null)),
  // The client reads it as a number.
  'A file rounds a last rowid beyond 2^53': ({ field, ours, theirs }) =>
    field === 'lastInsertRowid' && typeof ours === 'string' && Number(ours) === Number(theirs),
  // The client leaves some statements open that fail.
  [RARE]: ({ field, theirs }) => field === 'outcome' && codeOf(theirs) === 'SQLITE_LOCKED',
  // SQLite 3.50 next to 3.45.
  'A query plan has a cost': ({ field, sql }) => field === 'rows' && /^EXPLAIN QUERY PLAN /.test(sql),
  'A condition without columns is evaluated for an empty table': ({ field, ours }) =>
    field === 'outcome' && Object(ours).reason === 'malformed JSON',
  'substr() has numbers of 64 bits': ({ field, sql }) => field === 'rows' && sql.includes('substr('),
  'replace() finds a text that begins with a NUL': ({ field, sql }) => field === 'rows' && sql.includes('replace('),
  // WebAssembly has no numbers of 80 bits, with which SQLite reads texts elsewhere.
  'The last digits of a number differ': ({ field, ours, theirs }) =>
    field === 'rows' && roundNumbers(ours) === roundNumbers(theirs),
  // Chosen: a request that fails changes nothing. For SQLite a statement with OR FAIL, or RAISE(FAIL), is a transaction that succeeds.
  'A file keeps the rows before the one at which OR FAIL fails': ({ field }) => field === 'contents',
  // The server compares their numbers. SQLite takes NULL for a parameter without a value.
  'A file accepts too many arguments, and too few': ({ field, ours }) =>
    field === 'outcome' && codeOf(ours) === 'ARGS_INVALID',
  // The client reads it as a string of C.
  'A file cuts a text at a NUL': ({ field, ours, theirs }) =>
    field === 'rows' && isDeepStrictEqual(cutTexts(ours), theirs),
  // The package for Node is built with SQLITE_DQS=0. The server is not.
  'A file refuses texts in double quotes': ({ field, sql, theirs }) =>
    field === 'outcome' && sql.includes('"a b"') && /^no such column: "?a b/.test(Object(theirs).reason),
};

/** Lists what differs between the outcomes of a request. */
export function* findDifferences(
  statements: readonly DrawnStatement[],
  ours: Outcome,
  theirs: Outcome,
): Generator<Difference> {
  if (!('results' in ours && 'results' in theirs)) {
    const sql = statements.map((statement) => statement.sql).join(';\n');
    if (!isDeepStrictEqual(ours, theirs)) yield { field: 'outcome', sql, ours, theirs };
    return;
  }
  for (const [i, { sql }] of statements.entries())
    for (const field of ['columns', 'columnTypes', 'rows', 'rowsAffected', 'lastInsertRowid'] as const) {
      const [mine, other] = [ours.results[i]?.[field], theirs.results[i]?.[field]];
      if (!isDeepStrictEqual(mine, other)) yield { field, sql, ours: mine, theirs: other };
    }
}
