import { type Case, operation, recorded, type Step } from '../case.js';
import { exactly, having, text, time } from './schemas.js';
import { BLOB_KEY, MINIMAL_EMAIL } from './steps.js';

/** The modules send JSON without a media type, which makes it text. */
const AS_TEXT = { 'content-type': 'text/plain;charset=UTF-8' };
const send = (request: string, body: object): Step => ({ send: request, body, headers: AS_TEXT });
const execute = (statement: unknown): Step => send('POST /v1/sqlite/execute', { statement });
const batch = (statements: readonly unknown[], mode?: string): Step =>
  send('POST /v1/sqlite/batch', { statements, ...(mode && { mode }) });
const store = (hex: string): Step => ({ send: `POST /v1/blob/${BLOB_KEY}`, hex, headers: AS_TEXT });
const BLOB = `/v1/blob/${BLOB_KEY}`;

const texts = { type: 'array', items: text };
const result = (rows: readonly unknown[]) =>
  exactly({
    ...{ columns: texts, columnTypes: texts, rows: { const: rows }, rowsAffected: { type: 'integer' } },
    lastInsertRowid: { type: ['string', 'integer', 'null'] },
  });
const SQL_ERROR = { status: 400, body: having({ message: text, code: { ...text, pattern: '^SQL' } }) };
const READ = { level: 'read' } as const;

/** The requests of the standard library of the service, and what it reads of their responses. */
export const standardModuleCases: readonly Case[] = operation('standard', '*', [
  recorded('standard-modules', {
    'sqlite-execute: execute() of a string returns a result': [
      execute('SELECT 1 AS one'),
      { status: 200, body: result([[1]]) },
      READ,
    ],
    'sqlite-arguments: execute() of an object returns a result': [
      execute({ sql: 'SELECT ? AS a', args: ['b'] }),
      { status: 200, body: result([['b']]) },
      READ,
    ],
    'sqlite-names: execute() takes arguments by name': [
      execute({ sql: 'SELECT :a AS a', args: { a: 'b' } }),
      { status: 200, body: result([['b']]) },
      READ,
    ],
    'sqlite-error: An error has a message and a code, of which LibsqlError is made': [
      execute('SELECT a FROM unknown_{hex}'),
      SQL_ERROR,
      READ,
    ],
    'sqlite-batch: batch() returns a result for each statement': [
      batch(['SELECT 1 AS one', { sql: 'SELECT 2 AS two', args: [] }]),
      { status: 200, body: { type: 'array', minItems: 2, maxItems: 2, items: [result([[1]]), result([[2]])] } },
      READ,
    ],
    'sqlite-deferred: batch() of std/sqlite/main.ts is deferred': [
      batch(['SELECT 1 AS one'], 'deferred'),
      { status: 200, body: { type: 'array', minItems: 1, maxItems: 1, items: [result([[1]])] } },
      READ,
    ],
    'blob-get: get() returns what set() has stored': [[store('00ff'), `GET ${BLOB}`], { status: 200, hex: '00ff' }],
    'blob-json: getJSON() returns what setJSON() has stored': [
      [store(Buffer.from('{"a":1}').toString('hex')), `GET ${BLOB}`],
      { status: 200, body: { const: { a: 1 } } },
    ],
    'blob-list: list() returns key, size and time': [
      [store('00ff'), `GET /v1/blob?prefix=${BLOB_KEY}`],
      {
        status: 200,
        body: {
          ...{ type: 'array', minItems: 1, maxItems: 1 },
          items: having({ key: 'conformance/{hex}', size: 2, lastModified: time }),
        },
      },
    ],
    'blob-delete: delete() deletes a blob': [[store('31'), `DELETE ${BLOB}`, `GET ${BLOB}`], 404],
    'blob-missing: A blob that is missing is a 404 with a message': [
      `GET /v1/blob/unknown_{hex}`,
      { status: 404, body: having({ message: text }) },
    ],
    'email: email() throws unless the message is the documented one': [
      send('POST /v1/email', { ...MINIMAL_EMAIL, replyToList: [{ email: 'ada@example.com', name: 'Ada' }] }),
      { status: [200, 202], body: having({ message: 'Email accepted to be sent' }) },
      { level: 'email' },
    ],
    'email-refused: An error has the message that email() throws': [
      send('POST /v1/email', { html: '' }),
      { status: [400, 403, 500], body: having({ message: text }) },
      { level: 'email' },
    ],
  }),
]);
