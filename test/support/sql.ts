import * as z from 'zod';
import type { Sandbox } from '../../src/index.js';

export const ResultSet = z.object({
  columns: z.array(z.string()),
  columnTypes: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
  rowsAffected: z.number(),
  lastInsertRowid: z.union([z.number(), z.string(), z.null()]),
});
export type Rows = readonly (readonly unknown[])[];
/** A statement, as a request has it. */
export type Statement = string | { readonly sql: string; readonly args?: unknown };

/** Sends SQL in the name of a user, without a content type as the standard library of the service does. */
export function sqlOf({ fetch }: Pick<Sandbox, 'fetch'>, user = 'ada') {
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${user}-token` };
    const response = await fetch(`/v1/sqlite/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    const parsed: unknown = JSON.parse(text);
    return { status: response.status, body: parsed };
  };
  const execute = (statement: Statement) => post('execute', { statement });
  const batch = (statements: readonly Statement[], mode?: string) => post('batch', { statements, mode });
  return {
    execute,
    batch,
    /** @throws Error for a statement that fails */
    rows: async (statement: Statement): Promise<Rows> => ResultSet.parse((await execute(statement)).body).rows,
    /** Returns the rows of each statement. @throws Error when one fails */
    all: async (...statements: Statement[]): Promise<Rows[]> =>
      z
        .array(ResultSet)
        .parse((await batch(statements)).body)
        .map(({ rows }) => rows),
  };
}

const quote = (name: unknown) => `"${String(name).replaceAll('"', '""')}"`;

/** Reads all of a database: whether it is whole, its schema, and the rows of its tables in their order. */
export async function readDatabase(sandbox: Pick<Sandbox, 'fetch'>, user = 'ada') {
  const { rows } = sqlOf(sandbox, user);
  const schema = await rows('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid');
  const tables = schema.filter(([type]) => type === 'table').map(([, name]) => name);
  const contents: Record<string, Rows> = {};
  for (const name of tables) contents[String(name)] = await rows(`SELECT * FROM ${quote(name)}`);
  return { check: (await rows('PRAGMA integrity_check'))[0]?.[0], schema, contents };
}
