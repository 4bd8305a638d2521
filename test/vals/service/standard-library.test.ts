import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

/*
 * The calls of the service's standard library (`std/blob`, `std/email`, `std/sqlite`), request by request, with the
 * checks that it makes of the responses. It sends no content type: `fetch` adds `text/plain` for a text.
 */

class BlobNotFoundError extends Error {}

/** What std/blob does. */
const blobOf = ({ url }: Emulator) => {
  const headers = { Authorization: 'Bearer ada-token' };
  const at = (key: string) => `${url}/v1/blob/${encodeURIComponent(key)}`;
  const get = async (key: string) => {
    const response = await fetch(at(key), { headers });
    if (response.status === 404) throw new BlobNotFoundError(key);
    if (!response.ok) throw new Error(await response.text());
    return response;
  };
  const set = async (key: string, body: string | Uint8Array<ArrayBuffer>) => {
    const response = await fetch(at(key), { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    get,
    set,
    list: async (prefix?: string): Promise<unknown> => {
      const query = prefix === undefined ? '' : `?prefix=${encodeURIComponent(prefix)}`;
      return await (await fetch(`${url}/v1/blob${query}`, { headers })).json();
    },
    delete: async (key: string) => {
      const response = await fetch(at(key), { method: 'DELETE', headers });
      if (!response.ok) throw new Error(await response.text());
    },
    getJSON: async (key: string): Promise<unknown> => {
      try {
        return await (await get(key)).json();
      } catch (error) {
        if (error instanceof BlobNotFoundError) return undefined;
        throw error;
      }
    },
    setJSON: (key: string, value: unknown) => set(key, JSON.stringify(value)),
  };
};

/** What std/email does. */
async function email({ url }: Emulator, input: object): Promise<void> {
  const headers = { Authorization: 'Bearer ada-token' };
  const response = await fetch(`${url}/v1/email`, { method: 'POST', headers, body: JSON.stringify(input) });
  const { message } = Object(await response.json());
  if (message !== 'Email accepted to be sent') throw new Error(`Failed to send email: ${message}`);
}

/** An error as the clients of libSQL throw it. */
class LibsqlError extends Error {
  readonly code: unknown;
  readonly rawCode: unknown;

  constructor(message: string, code: unknown, rawCode: unknown) {
    super(message);
    this.code = code;
    this.rawCode = rawCode;
  }
}

/** What std/sqlite does. */
const sqliteOf = ({ url }: Emulator) => {
  const send = async (path: string, body: object): Promise<unknown> => {
    const headers = { Authorization: 'Bearer ada-token' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const result: unknown = await response.json();
    if (response.ok) return result;
    const { message, code, rawCode } = Object(result);
    throw new LibsqlError(String(message), code, rawCode);
  };
  return {
    execute: (statement: string | object) => send('/v1/sqlite/execute', { statement }),
    batch: (statements: readonly (string | object)[], mode?: string) => send('/v1/sqlite/batch', { statements, mode }),
  };
};

const start = () => emulate({ users: [{ username: 'ada' }] });

describe('std/blob', () => {
  test('sets and gets JSON, and gets undefined for an unknown key', async () => {
    const blob = blobOf(await start());

    await blob.setJSON('settings/a b', { theme: 'dark' });

    expect(await blob.getJSON('settings/a b')).toStrictEqual({ theme: 'dark' });
    expect(await blob.getJSON('settings')).toBeUndefined();
    await expect(blob.get('settings')).rejects.toThrow(BlobNotFoundError);
  });

  test('lists keys by prefix, and deletes one', async () => {
    const blob = blobOf(await start());
    await blob.set('a/1', Uint8Array.of(0, 255));
    await blob.set('b', 'text');

    expect(await blob.list('a/')).toMatchObject([{ key: 'a/1', size: 2 }]);
    await blob.delete('a/1');
    expect(await blob.list()).toMatchObject([{ key: 'b', size: 4 }]);
    await expect(blob.delete('a/1')).rejects.toThrow('The blob was not found');
  });
});

test('std/email accepts the message of the response', async () => {
  const emulator = await start();

  await email(emulator, { subject: 'Hello', text: 'World', replyTo: 'Ada <ada@example.com>' });

  expect(emulator.emails()).toMatchObject([
    { subject: 'Hello', to: [{ email: 'ada@example.com' }], replyTo: [{ email: 'ada@example.com', name: 'Ada' }] },
  ]);
});

describe('std/sqlite', () => {
  test('runs statements with arguments by position and by name', async () => {
    const sqlite = sqliteOf(await start());
    await sqlite.execute('CREATE TABLE todos (id INTEGER PRIMARY KEY, title TEXT, done BOOLEAN)');

    expect(
      await sqlite.execute({ sql: 'INSERT INTO todos (title, done) VALUES (?, ?)', args: ['Rest', true] }),
    ).toStrictEqual({ columns: [], columnTypes: [], rows: [], rowsAffected: 1, lastInsertRowid: 1 });
    expect(
      await sqlite.execute({ sql: 'SELECT *, 2 AS two FROM todos WHERE title = :title', args: { title: 'Rest' } }),
    ).toStrictEqual({
      columns: ['id', 'title', 'done', 'two'],
      columnTypes: ['INTEGER', 'TEXT', 'BOOLEAN', ''],
      rows: [[1, 'Rest', 1, 2]],
      rowsAffected: 0,
      lastInsertRowid: null,
    });
  });

  test('runs a batch with and without a mode, and keeps nothing of one that fails', async () => {
    const sqlite = sqliteOf(await start());
    await sqlite.batch(['CREATE TABLE t (n UNIQUE)', { sql: 'INSERT INTO t VALUES (?)', args: [1] }]);

    await expect(sqlite.batch(['INSERT INTO t VALUES (2)', 'INSERT INTO t VALUES (1)'], 'write')).rejects.toThrow(
      'UNIQUE constraint failed: t.n',
    );

    expect(await sqlite.batch(['SELECT n FROM t', 'SELECT count(*) FROM t'], 'read')).toMatchObject([
      { rows: [[1]] },
      { rows: [[1]] },
    ]);
  });

  test('throws an error with message and code', async () => {
    const sqlite = sqliteOf(await start());
    await sqlite.execute('CREATE TABLE t (n UNIQUE)');
    await sqlite.execute('INSERT INTO t VALUES (1)');

    await expect(sqlite.execute('SELECT * FROM x')).rejects.toStrictEqual(
      new LibsqlError('SQLITE_UNKNOWN: SQLite error: no such table: x', 'SQLITE_UNKNOWN', undefined),
    );
    await expect(sqlite.execute('INSERT INTO t VALUES (1)')).rejects.toStrictEqual(
      new LibsqlError('SQLITE_CONSTRAINT: SQLite error: UNIQUE constraint failed: t.n', 'SQLITE_CONSTRAINT', undefined),
    );
    await expect(sqlite.batch(['INSERT INTO t VALUES (2)'], 'read')).rejects.toThrow('SQLITE_READONLY');
  });
});
