import { routes } from '#vals/service/all.routes.js';
import { codeImporting } from '../support/sample-fixtures.js';

/** The id of nothing. */
export const NO_ID = '99999999-0000-4000-8000-000000000000';

export type Values = Readonly<Record<string, readonly unknown[]>>;

/** Values of which no schema says enough, by key; `operation.key` for those of one operation. */
export const VALUES: Values = {
  code: [codeImporting('ada', 'val0'), codeImporting('bob', 'val1'), 'export default 1;', '// 🎲', ['one', 'two']],
  content: ['1', '', 'ä 🎲', null],
  text: ['', 'ä 🎲', 'one\ntwo'],
  path: ['', 'main.ts', 'src', 'src/a.ts', 'src/new.ts', 'lib/b.http.ts', 'none/a.ts', '..', 'a//b'],
  parent_path: [null, '', 'src', 'lib', '..'],
  files: [{ 'main.ts': '1' }, { 'main.ts': null, 'src/a.ts': ['one', 'two'] }, { src: { type: 'directory' } }],
  env: [{ API_KEY: 's3cret' }],
  sql: ['SELECT * FROM notes ORDER BY id', ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text UNIQUE);']],
  statement: [
    'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text UNIQUE)',
    ...[1, 2, 3, null].map((id) => ({ sql: 'INSERT INTO notes VALUES (?, ?)', args: [id, `text ${id}`] })),
    { sql: 'UPDATE notes SET text = :text WHERE id = :id', args: { text: 'new', ':id': 2 } },
    { sql: 'DELETE FROM notes WHERE id = ?', args: [1] },
    'SELECT * FROM notes ORDER BY id',
    'SELECT * FROM none',
  ],
  tables: [{ notes: [{ id: 1, text: 'a' }] }],
  rows: [{ notes: [{ id: 1, text: 'a' }] }],
  table: ['notes', 'none'],
  from: ['Ada <ada.val0@valtown.email>', 'ada@example.com'],
  to: ['grace@example.com', ['linus@example.com', { email: 'eve@example.com', name: 'Eve' }]],
  cc: ['cc@example.com'],
  bcc: ['bcc@example.com'],
  replyTo: ['reply@example.com'],
  headers: [{ 'X-Kind': 'report' }],
  attachments: [[{ content: 'AP8=', filename: 'a.bin' }]],
  val_name: ['val0', 'VAL1', 'fresh'],
  scopes: [['val:read'], ['user_r', 'val_rw'], []],
  base64: ['AP8=', ''],
  cursor: ['2024-06-11T22:00:00Z', 'x'],
  before: ['commit:start', 'fixture:empty', 'snapshot:one', 'none'],
  after: ['fixture:empty', 'snapshot:one', { users: [{ username: 'ada' }] }],
  at: ['start', 'w1', 'r9', 'none'],
  seed: [1, 'a'],
  where: ['{"id":{"not":null}}', '{}', '{'],
  sort: ['id', 'name', 'none'],
  times: [1, 2, 3],
  route: [...routes.map(({ name }) => name), 'GET /nowhere'],
  q: ['ada', 'val', 'ada/val0', ''],
  query: ['val', 'ada'],
  prefix: ['', 'a'],
  'takeSnapshot.name': ['one', 'two', 'three'],
};

/** Whole bodies, by operation, where one key decides about all that follows. */
export const BODIES: Values = {
  reset: [{ confirm: true }],
  // Never on: the time of the machine would be in responses.
  changeClock: [
    ...[{ advance: '30s' }, { advance: '90s' }, { advance: 1_000 }, { advance: '1d' }, { advance: -1 }],
    ...[{ set: '2024-06-12T00:00:00Z' }, { set: 'soon' }, { freeze: true }, { freeze: '2024-06-20T00:00:00Z' }],
  ],
  setRateLimit: [
    { limit: null },
    { limit: null },
    { limit: 100, window: '1m' },
    { limit: 12, window: '2m' },
    { limit: 0 },
  ],
  armFault: [
    ...[{ status: 503 }, { status: 503, after: 1 }, { headers: { 'x-why': 'random' } }, { reset: true }],
    ...[{ reset: true, method: 'GET' }, { truncate: 20 }, { truncate: 0, after: 1 }, { rate: 0.5, seed: 1 }],
    ...[
      { user: 'ada', status: 418, body: 'é' },
      { route: 'GET /v1/me', status: 429 },
      { match: { query: { limit: '5' } } },
    ],
    ...[{ user: 'nobody' }, { route: 'GET /v0' }, { status: 99 }],
  ].map((fault) => ({ times: 2, ...fault })),
  rewind: [{ steps: 1 }, { steps: 2 }, { steps: 3 }, { before: 'r1' }, { before: 'none' }],
};

/** Keys that are left out: a delay is waited for, and a dataset is generated for long. */
export const SKIPPED: ReadonlySet<string> = new Set(['delay', 'for', 'generate', 'file', 'folder']);

/** Invalid and malicious values. */
export const NASTY: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 2 ** 53, -0, '', ' ', 'null', 'true', '0', '1e3', '%', '%00', '\0', '\r\nX: y'],
  ...['../../etc/passwd', '__proto__', 'constructor', "'; --", '<img>', '{}', '[]', '\u2028', '\ud800', '-10m'],
  ...['2024-06-11T22:05:12Z', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00+23:59', '-36526d'],
  ...['😀'.repeat(50), '1'.repeat(400)],
  ...['x'.repeat(70_000), 'import "https://esm.town/v/ada/val0"', '=/['.repeat(500), '`${'.repeat(500)],
  ...[[], {}, [[]], [null], { a: { b: [] } }, JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`)],
  ...[JSON.parse('{"__proto__":{"polluted":true}}'), Array.from({ length: 300 }, (_, i) => i)],
];
