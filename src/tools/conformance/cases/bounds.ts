import {
  type Case,
  chosen,
  type Expectation,
  type Level,
  operation,
  type Row,
  type Rows,
  recorded,
  type Step,
  specified,
} from '../case.js';
import { having, shows } from './schemas.js';
import { addVersion, BLOB_KEY, MINIMAL_EMAIL, make, post, put, refuses, send, storeBlobAt, update } from './steps.js';

/** Lengths of a field that are accepted, and others that are refused. */
type Lengths = readonly [accepted: readonly number[], refused: readonly number[]];

/** Checks lengths at and beyond the bounds of a field. @param toSteps the requests with the field in a length */
function lengths(
  field: string,
  [accepted, refused]: Lengths,
  toSteps: (length: number) => Step | readonly Step[],
  expected: number | Expectation,
  level?: Level,
): Rows {
  const row = (length: number, what: string, wanted: number | Expectation): [string, Row] => [
    `${field}-${length}: A length of ${length} of ${field} is ${what}`,
    [toSteps(length), wanted, level ? { level } : {}],
  ];
  return Object.fromEntries([
    ...accepted.map((length) => row(length, 'accepted', expected)),
    ...refused.map((length) => row(length, 'a 400', 400)),
  ]);
}

const long = (length: number): string => (length < 1 ? '' : `{long.${length}}`);
/** A name of this length. It is the one of the case, so that no other val has it. */
const named = (length: number) => ({ name: length > 1 ? `{pad.${length}.new.a}` : long(length) });

// The name of one letter may be in use.
const NAME: Lengths = [[48], [0, 49]];
const NEW_NAME: Lengths = [
  [1, 48],
  [0, 49],
];
const RENAMED = { status: [204, 409] } as const;
const CODE: Lengths = [
  [1, 256_000],
  [0, 256_001],
];
const README: Lengths = [[8_192], [8_193]];

const code = (toStep: (code: string) => Step | readonly Step[], status = 200) =>
  lengths('code', CODE, (length) => toStep(long(length)), status, 'limits');
const readme = (toStep: (readme: string) => Step | readonly Step[], status = 200) =>
  lengths('readme', README, (length) => toStep(long(length)), status, 'limits');

const valCases: readonly Case[] = [
  ...operation('createVal', 'POST /v1/vals', [
    recorded('name', {
      ...lengths('name', NAME, (length) => post(named(length)), 200),
    }),
    recorded('optional', {
      ...code((text) => post({ code: text })),
      ...readme((text) => post({ readme: text })),
    }),
  ]),
  ...operation('upsertVal', 'PUT /v1/vals', [
    chosen('name', {
      ...lengths('name', NAME, (length) => put(named(length)), 200),
    }),
    recorded(
      'status',
      code((text) => put({ code: text })),
    ),
  ]),
  ...operation('updateVal', 'PUT /v1/vals/{val_id}', [
    recorded('optional', {
      ...lengths('name', NEW_NAME, (length) => [make(), update(named(length))], RENAMED),
      ...readme((text) => [make(), update({ readme: text })], 204),
    }),
  ]),
  ...operation('createVersion', 'POST /v1/vals/{val_id}/versions', [
    specified('body', {
      ...code((text) => [make(), addVersion(text)], 201),
    }),
    recorded('settings', {
      ...lengths('name', NEW_NAME, (length) => [make(), addVersion('2', named(length))], { status: [201, 409] }),
      ...readme((text) => [make(), addVersion('2', { readme: text })], 201),
    }),
  ]),
  ...operation('searchVals', 'GET /v1/search/vals', [
    recorded('length', {
      ...lengths(
        'query',
        [
          [1, 512],
          [0, 513],
        ],
        (length) => ({ send: `GET /v1/search/vals?query=${long(length)}` }),
        200,
      ),
    }),
  ]),
];

/** Decoded, BLOB_KEY has 24 characters. */
const key = (length: number) => BLOB_KEY + 'k'.repeat(length - 24);
const KEY: Lengths = [[512], [513]];

const casesOfBlobs = (path: '/v1/blob' | '/v2/blob', noun: string): readonly Case[] => [
  ...operation(`get${noun}`, `GET ${path}/{key}`, [
    recorded('key', {
      ...lengths('key', KEY, (length) => ({ send: `GET ${path}/${key(length)}` }), 404),
      'key-1: A key of one letter is accepted': [`GET ${path}/k`, { status: [200, 404] }],
    }),
  ]),
  ...operation(`store${noun}`, `POST ${path}/{key}`, [
    recorded(
      'key',
      lengths('key', KEY, (length) => storeBlobAt(path)('1', 'text/plain', key(length)), 201),
    ),
  ]),
  ...operation(`delete${noun}`, `DELETE ${path}/{key}`, [
    recorded('gone', {
      ...lengths('key', KEY, (length) => ({ send: `DELETE ${path}/${key(length)}` }), 404, 'write'),
    }),
  ]),
];

const EMAIL = 'POST /v1/email';
const many = <T>(count: number, item: T): T[] => Array(count).fill(item);
const headers = (count: number) => Object.fromEntries(many(count, '1').map((value, i) => [`x-${i}`, value]));
const attachments = (count: number) => many(count, { filename: 'a', content: 'AA==' });

/** The texts of an address: what has one of a length, and the bounds of the length. */
const FORMS = {
  text: { make: long, bounds: [1, 320] },
  email: { make: (length: number) => ({ email: long(length) }), bounds: [1, 320] },
  name: { make: (length: number) => ({ email: 'ada@example.com', name: long(length) }), bounds: [0, 256] },
} as const;
type Form = (typeof FORMS)[keyof typeof FORMS];
const ALL: readonly Form[] = Object.values(FORMS);
const NAMED: readonly Form[] = [FORMS.email, FORMS.name];

/** The fields with addresses: in which forms, and how many. */
const ADDRESSES: Readonly<Record<string, { readonly forms: readonly Form[]; readonly most?: number }>> = {
  from: { forms: ALL },
  replyTo: { forms: ALL },
  to: { forms: ALL, most: 50 },
  cc: { forms: ALL, most: 50 },
  bcc: { forms: ALL, most: 50 },
  replyToList: { forms: NAMED, most: 10 },
};

/** Emails with one field beyond a bound, by what it is. */
function* listBeyond(): Generator<readonly [what: string, body: object]> {
  for (const [field, { forms, most }] of Object.entries(ADDRESSES)) {
    for (const { make: toAddress, bounds } of forms) {
      for (const length of [bounds[0] - 1, bounds[1] + 1].filter((each) => each >= 0)) {
        const address = toAddress(length);
        const what = `${typeof address === 'string' ? 'text' : Object.keys(address).at(-1)}-${length}`;
        yield [`${field}-${what}`, { [field]: address }];
        if (most !== undefined) yield [`${field}-item-${what}`, { [field]: [address] }];
      }
    }
    if (most !== undefined) yield [`${field}-${most + 1}`, { [field]: many(most + 1, { email: 'ada@example.com' }) }];
  }
  yield ['html-0', { html: '' }];
  yield ['headers-51', { headers: headers(51) }];
  yield ['attachments-6', { attachments: attachments(6) }];
}

/** Emails with all fields at bounds: addresses of each form with the length at one end, and lists of all. */
function* listAtBounds(): Generator<object> {
  const fields = Object.entries(ADDRESSES);
  for (const form of ALL) {
    const named = fields.filter(([, { forms }]) => forms.includes(form));
    for (const end of form.bounds) yield Object.fromEntries(named.map(([field]) => [field, form.make(end)]));
  }
  const lists = fields.flatMap(([field, { forms, most = 0 }]): [string, object][] => {
    const ends = forms.flatMap(({ make: toAddress, bounds }) => bounds.map((end) => toAddress(end)));
    return most === 0 ? [] : [[field, [...ends, ...many(most - ends.length, { email: 'ada@example.com' })]]];
  });
  yield { ...Object.fromEntries(lists), headers: headers(50), html: 'a' };
}

/** Of all but one, no email is delivered: one whose other fields are at their bounds has too many attachments. */
const emailCases = operation('sendEmail', EMAIL, [
  recorded('bounds', {
    'attachments-5: Five attachments are accepted': [
      send(EMAIL, { ...MINIMAL_EMAIL, attachments: attachments(5) }),
      202,
      { level: 'email' },
    ],
    ...Object.fromEntries(
      [...listBeyond()].map(([what, body]): [string, Row] => [`${what}: It is a 400`, refuses(body, EMAIL)]),
    ),
    ...Object.fromEntries(
      [...listAtBounds()].map((body, i): [string, Row] => [
        `at-bounds-${i}: Fields at their bounds are accepted: the message is about the attachments`,
        [
          send(EMAIL, { ...body, attachments: attachments(6) }),
          shows(having({ message: { type: 'string', pattern: 'attachments' } }), { status: 400 }),
        ],
      ]),
    ),
  }),
]);

const columns = (count: number, toColumn: (i: number) => string): string =>
  `SELECT ${many(count, 0)
    .map((_, i) => toColumn(i))
    .join(', ')}`;
/** Statements with a text or arguments of a length, by the field. */
const STATEMENTS: Readonly<Record<string, readonly [Lengths, toStatement: (length: number) => unknown]>> = {
  text: [[[100_000], [100_001]], (length) => `SELECT 1 -- {long.${length - 12}}`],
  sql: [[[100_000], [100_001]], (length) => ({ sql: `SELECT 1 -- {long.${length - 12}}`, args: [] })],
  list: [[[500], [501]], (length) => ({ sql: columns(length, () => '?'), args: many(length, 1) })],
  names: [
    [[500], [501]],
    (length) => ({
      sql: columns(length, (i) => `:a${i}`),
      args: Object.fromEntries(many(length, 1).map((value, i) => [`a${i}`, value])),
    }),
  ],
};
const statements = (route: string, toBody: (statement: unknown) => object): Rows =>
  Object.assign(
    {},
    ...Object.entries(STATEMENTS).map(([field, [bounds, toStatement]]) =>
      lengths(field, bounds, (length) => send(route, toBody(toStatement(length))), 200, 'limits'),
    ),
  );

const EXECUTE = 'POST /v1/sqlite/execute';
const BATCH = 'POST /v1/sqlite/batch';
const sqlCases: readonly Case[] = [
  ...operation('executeSql', EXECUTE, [
    recorded(
      'bounds',
      statements(EXECUTE, (statement) => ({ statement })),
    ),
  ]),
  ...operation('batchSql', BATCH, [
    recorded('as-execute', {
      ...statements(BATCH, (statement) => ({ statements: [statement] })),
      ...lengths(
        'statements',
        [[500], [501]],
        (length) => send(BATCH, { statements: many(length, 'SELECT 1') }),
        200,
        'limits',
      ),
    }),
  ]),
];

/** Lengths at and beyond each bound of each operation. The bounds of pages are in the cases of lists. */
export const boundCases: readonly Case[] = [
  ...valCases,
  ...casesOfBlobs('/v1/blob', 'Blob'),
  ...casesOfBlobs('/v2/blob', 'ProjectBlob'),
  ...emailCases,
  ...sqlCases,
];
