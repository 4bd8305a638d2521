import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { PATIENCE } from '../support/patience.js';
import type { ResultSet } from '../support/sql.js';
import type { DrawnStatement, Value } from './random-sql.js';

/** The client of libSQL with its engine, of 24 MB: the project itself does not need it. */
const PACKAGE = '@libsql/client@0.18';

export type Result = z.infer<typeof ResultSet>;
/** The results of a statement or of a batch, or the error of SQLite: its code, and its words. */
export type Outcome = { readonly results: readonly Result[] } | { readonly code: string; readonly reason: string };

interface Client {
  execute(statement: object): Promise<unknown>;
  batch(statements: readonly object[], mode: string): Promise<unknown[]>;
  close(): void;
}
type CreateClient = (options: object) => Client;

const ClientModule = z.object({ createClient: z.custom<CreateClient>((value) => typeof value === 'function') });
const ClientResult = z.object({
  columns: z.array(z.string()),
  columnTypes: z.array(z.string()),
  rows: z.array(z.custom<Readonly<Record<number, unknown>>>()),
  rowsAffected: z.number(),
  lastInsertRowid: z.bigint().nullish(),
});
const ClientError = z.object({ code: z.string(), message: z.string() });

/** Installs the client for a test. @throws Error that names why it cannot */
export function installClient(): CreateClient {
  const folder = mkdtempSync(join(tmpdir(), 'libsql-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', PACKAGE];
  const { status, stderr, error } = spawnSync('npm', args, { encoding: 'utf8', timeout: PATIENCE });
  if (status !== 0)
    throw new Error(`SQL is not compared with libSQL: npm cannot install ${PACKAGE}. ${error?.message ?? stderr}`);
  return ClientModule.parse(createRequire(join(folder, 'package.json'))('@libsql/client')).createClient;
}

/** Makes a value what a response has: an integer beyond 2^53 is a text, a blob a list, infinity null, and -0 is 0. */
function toJson(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) ? value + 0 : null;
}

const toArgument = (value: Value): unknown =>
  typeof value === 'object' && value !== null ? Uint8Array.from(value) : value;

const toStatement = ({ sql, args }: DrawnStatement): object => {
  const entries = Object.entries<Value>({ ...args }).map(([name, value]) => [name, toArgument(value)]);
  return { sql, args: Array.isArray(args) ? entries.map(([, value]) => value) : Object.fromEntries(entries) };
};

function toResult(value: unknown): Result {
  const { columns, rows, lastInsertRowid, ...others } = ClientResult.parse(value);
  const rowid = lastInsertRowid == null ? null : z.union([z.number(), z.string()]).parse(toJson(lastInsertRowid));
  return { ...others, columns, rows: rows.map((row) => columns.map((_, i) => toJson(row[i]))), lastInsertRowid: rowid };
}

/** A database of libSQL in memory, as its client has one without a server. */
export class LibsqlOracle {
  readonly #client: Client;

  constructor(createClient: CreateClient) {
    this.#client = createClient({ url: ':memory:', intMode: 'bigint' });
  }

  /** @param mode of a batch; undefined for one statement */
  async run(statements: readonly DrawnStatement[], mode: string | undefined): Promise<Outcome> {
    const [first = {}, ...others] = statements.map(toStatement);
    try {
      const results =
        mode === undefined ? [await this.#client.execute(first)] : await this.#client.batch([first, ...others], mode);
      return { results: results.map(toResult) };
    } catch (thrown) {
      const { code, message } = ClientError.parse(thrown);
      return { code, reason: message.replace(/^(?:SQLITE_\w+: )+/, '') };
    }
  }

  close(): void {
    this.#client.close();
  }
}
