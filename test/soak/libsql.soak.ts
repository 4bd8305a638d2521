import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { Rng } from '#engine/lib/rng.js';
import { createEmulator } from '../../src/index.js';
import { SEED, scaled } from '../support/soak.js';
import { ResultSet, sqlOf } from '../support/sql.js';
import { type Difference, findDifferences, isUnfit, KINDS, mayKeep, ODD, RARE } from './libsql-differences.js';
import { installClient, LibsqlOracle, type Outcome } from './libsql-oracle.js';
import { type DrawnStatement, RandomSql } from './random-sql.js';

const STATEMENTS = scaled(20_000);
/** Requests until both sides begin with an empty database, at most. */
const ROUND = 200;

/** What a server writes around the words of SQLite. */
const ERROR =
  /^\w+: (?:SQLite error: |SQLite input error: |SQL string could not be parsed: )?(.*?)(?: \(at offset \d+\))?$/s;
/** The codes that a server has in place of the one of SQLite. */
const OF_SERVER = ['SQLITE_UNKNOWN', 'SQL_INPUT_ERROR', 'SQL_PARSE_ERROR'];

/** Reads all rows. */
const CONTENTS = ['t0', 't1', 't2', '"t 3"'].map((table) => ({ sql: `SELECT * FROM ${table}`, args: [] }));

/** @param mode of a batch; undefined for one statement */
async function run(
  { execute, batch }: ReturnType<typeof sqlOf>,
  statements: readonly DrawnStatement[],
  mode: string | undefined,
): Promise<Outcome> {
  const [first] = statements;
  const { status, body } = first && mode === undefined ? await execute(first) : await batch(statements, mode);
  if (status === 200) return { results: z.array(ResultSet).parse([body].flat()) };
  const { code, message } = z.object({ code: z.string(), message: z.string() }).parse(body);
  return { code: OF_SERVER.includes(code) ? 'SQLITE_ERROR' : code, reason: ERROR.exec(message)?.[1] ?? message };
}

test('the documentation names every kind of difference', () => {
  const page = readFileSync(new URL('../../docs/fidelity.md', import.meta.url), 'utf8');

  expect(Object.keys(KINDS).filter((name) => !page.includes(`- **${name}**`))).toEqual([]);
});

test(`${STATEMENTS} random statements return what libSQL returns`, async () => {
  console.log(`libSQL: ${STATEMENTS} statements, SEED=${SEED}`);
  const createClient = installClient();
  const rng = new Rng(`libsql-${SEED}`);
  const random = new RandomSql(rng);
  const hits = new Map(Object.keys(KINDS).map((name) => [name, 0]));
  const counts = { statements: 0, rows: 0, errors: 0 };
  await using emulator = await createEmulator({ fixtures: { users: [{ username: 'ada' }] }, listen: false });
  const sql = sqlOf(emulator);
  /** Compares a request. Returns whether both databases are still equal. */
  const compare = async (oracle: LibsqlOracle, statements: readonly DrawnStatement[], mode: string | undefined) => {
    const ours = await run(sql, statements, mode);
    const theirs = await oracle.run(statements, mode);
    const differences: Difference[] = [...findDifferences(statements, ours, theirs)];
    const failed = statements.map((statement) => statement.sql).join(';');
    // One by one, since a table may be missing.
    for (const table of mode === undefined && mayKeep(failed, ours) ? CONTENTS : []) {
      const [mine, others] = [await run(sql, [table], undefined), await oracle.run([table], undefined)];
      if (!isDeepStrictEqual(mine, others))
        differences.push({ field: 'contents', sql: failed, ours: mine, theirs: others });
    }
    for (const difference of differences) {
      const name = Object.keys(KINDS).find((each) => KINDS[each]?.(difference));
      expect.soft(name, `SEED=${SEED} ${JSON.stringify(statements)} ${JSON.stringify(difference)}`).toBeDefined();
      if (name) hits.set(name, (hits.get(name) ?? 0) + 1);
    }
    counts.statements += statements.length;
    if ('results' in ours) for (const { rows } of ours.results) counts.rows += rows.length;
    else counts.errors++;
    return !differences.some(({ field }) => field === 'outcome' || field === 'contents');
  };
  while (counts.statements < STATEMENTS) {
    emulator.reset();
    const oracle = new LibsqlOracle(createClient);
    // Before the first rows, in the first round.
    const odd = counts.statements === 0 ? ODD : [];
    let isEqual = await compare(oracle, random.tables(), 'write');
    for (const statement of odd) await compare(oracle, [statement], undefined);
    for (let request = 0; request < ROUND && isEqual; request++) {
      const drawn = rng.bool(0.7) ? [random.next()] : [random.next(), ...random.batch()];
      if (drawn.some(isUnfit)) continue;
      const statements = drawn.map(({ sql: text, args }) => ({
        sql: rng.bool(0.1) ? text.replace("'a b'", '"a b"') : text,
        args,
      }));
      isEqual = await compare(oracle, statements, drawn.length === 1 && rng.bool(0.7) ? undefined : 'write');
    }
    if (isEqual) await compare(oracle, CONTENTS, 'read');
    oracle.close();
  }
  console.log(JSON.stringify({ ...counts, ...Object.fromEntries(hits) }));
  expect([...hits].filter(([name, count]) => count === 0 && name !== RARE)).toEqual([]);
  // So that statements that all fail, or find nothing, do not pass.
  expect(counts.errors).toBeLessThan(STATEMENTS * 0.4);
  expect(counts.rows).toBeGreaterThan(STATEMENTS / 4);
});
