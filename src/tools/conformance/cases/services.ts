import { type Case, chosen, operation, type Row, recorded, type Step } from '../case.js';
import { exactly, having, text, time } from './schemas.js';
import { BLOB_KEY, MINIMAL_EMAIL, refuses, send, storeBlob } from './steps.js';

const EMAIL = 'POST /v1/email';

const SENT = { level: 'email' } as const;
/** Texts of an email that become headers. */
const HEADERS: Readonly<Record<string, (text: string) => object>> = {
  subject: (subject) => ({ subject }),
  'reply-to': (replyTo) => ({ replyTo }),
  'header-name': (name) => ({ headers: { [name]: 'a' } }),
  'header-value': (value) => ({ headers: { 'x-conformance': value } }),
};
const BREAKS = { cr: '\r', lf: '\n', nul: '\0' };

/** An email that is accepted reaches the user of the account, since it names no recipients. */
const emailCases = operation('sendEmail', EMAIL, [
  recorded('The message is `Email accepted to be sent`; clients compare it. The status was 200 until January 2026.', {
    'sent: An email is accepted': [
      send(EMAIL, MINIMAL_EMAIL),
      { status: 202, body: exactly({ message: { const: 'Email accepted to be sent' } }) },
      SENT,
    ],
  }),
  recorded(
    'An address is a text, or has `email` and `name`. replyTo takes one; to, cc and bcc take one or a list. replyToList takes no texts.',
    { 'reply-text: replyToList refuses a text as an address': refuses({ replyToList: ['ada@example.com'] }, EMAIL) },
  ),
  chosen('Any other sender is a 400, whether the val exists or not. Fixtures and `add.email` take any sender.', {
    'sender: A sender of another domain is a 400': [
      send(EMAIL, { ...MINIMAL_EMAIL, from: 'ada@example.com' }),
      400,
      SENT,
    ],
  }),
  chosen(
    'A text that becomes a header of the email has no CR, LF or NUL, and no word that is too long for SMTP: it is a 400.',
    Object.fromEntries(
      Object.entries(HEADERS).flatMap(([field, toBody]) =>
        Object.entries(BREAKS).map(([name, character]): [string, Row] => [
          `${field}-${name}: ${name.toUpperCase()} in the ${field} is a 400`,
          [send(EMAIL, { ...MINIMAL_EMAIL, ...toBody(`a@example.com${character}b`) }), 400, SENT],
        ]),
      ),
    ),
  ),
  chosen('Attachments are base64; any other content is a 400.', {
    'base64: Content of an attachment with other characters is a 400': [
      send(EMAIL, { ...MINIMAL_EMAIL, attachments: [{ filename: 'a', content: '%' }] }),
      400,
      SENT,
    ],
  }),
]);

const KEY = `/v1/blob/${BLOB_KEY}`;
const ITEM = exactly({ key: text, size: { type: 'integer', minimum: 0 }, lastModified: time });
const CLEAN: Step = { send: `DELETE ${KEY}` };
/** Bytes that are neither UTF-8 nor JSON, and what text may do to them: null, line breaks, a byte order mark. */
const BYTES = {
  empty: '',
  binary: '00ff80c328fe',
  breaks: '0d0a0d0a20',
  mark: 'efbbbf31',
  json: '7b2261223a205b315d7d',
};
const storeBytes = (hex: string): Step => ({ send: `POST ${KEY}`, hex, headers: { 'content-type': 'image/png' } });
/** A list of blobs that match these schemas, in this order. */
const listOf = (...items: readonly object[]) => ({
  ...{ type: 'array', minItems: items.length, maxItems: items.length },
  ...(items.length > 0 && { items }),
});
const keys = (...names: readonly string[]) => listOf(...names.map((key) => having({ key })));
const RESERVED = ' \u00e4+%2F?#;&=\'"';
const STORED_KEYS = ['conformance/{hex}a', 'conformance/{hex}ab', 'conformance/{hex}b'];
const STORED = ['a', 'ab', 'b'].map((end) => storeBlob('1', 'text/plain', BLOB_KEY + end));
const listed = (prefix: string) => `GET /v1/blob?prefix=${prefix}`;

const KEYS = 'A key has 1 to 512 characters, and may have each: percent-encoded, a slash is a part of it.';
const OWN = 'A user sees only their blobs.';

const blobCases: readonly Case[] = [
  ...operation('listBlobs', 'GET /v1/blob', [
    recorded('The response is a list with key, size and lastModified of each blob, without pages.', {
      'items: The response is a list of keys': ['GET /v1/blob', { status: 200, body: { type: 'array', items: ITEM } }],
      'stored: A stored blob is in the list': [
        [storeBlob('[1]'), 'GET /v1/blob?prefix=conformance%2F{hex}'],
        {
          status: 200,
          body: { type: 'array', items: ITEM, contains: having({ key: 'conformance/{hex}', size: 3 }) },
        },
      ],
      ...Object.fromEntries(
        Object.entries(BYTES).map(([name, hex]): [string, Row] => [
          `size-${name}: The size is the number of bytes`,
          [
            [storeBytes(hex), listed(BLOB_KEY)],
            { status: 200, body: listOf(having({ key: 'conformance/{hex}', size: hex.length / 2 })) },
          ],
        ]),
      ),
    }),
    recorded('`prefix` selects the keys that begin with it.', {
      'prefix: Only keys that begin with the prefix are listed': [
        [...STORED, listed(`${BLOB_KEY}a`)],
        { status: 200, body: keys('conformance/{hex}a', 'conformance/{hex}ab') },
      ],
      'prefix-case: A prefix in upper case is another one': [
        [...STORED, listed(`${BLOB_KEY}A`)],
        { status: 200, body: keys() },
      ],
      'prefix-none: Without a prefix, all keys are listed': [
        [...STORED, 'GET /v1/blob'],
        { status: 200, body: { type: 'array', allOf: STORED_KEYS.map((key) => ({ contains: having({ key }) })) } },
      ],
    }),
    chosen('The order is by key.', {
      'order: A later key comes later': [
        [storeBlob('1'), storeBlob('22', 'text/plain', `${BLOB_KEY}z`), 'GET /v1/blob?prefix=conformance%2F{hex}'],
        {
          status: 200,
          body: { type: 'array', minItems: 2, items: [having({ size: { const: 1 } }), having({ size: { const: 2 } })] },
        },
      ],
    }),
    chosen(OWN, {
      'others: The second account does not see it': [
        [storeBlob('1'), { send: 'GET /v1/blob?prefix=conformance%2F{hex}', as: 'second' }],
        { status: 200, body: { const: [] } },
      ],
    }),
  ]),
  ...operation('getBlob', 'GET /v1/blob/{key}', [
    recorded('The response has the bytes that were stored.', {
      ...Object.fromEntries(
        Object.entries(BYTES).map(([name, hex]): [string, Row] => [
          `same-${name}: The bytes are the ones that were stored`,
          [[storeBytes(hex), `GET ${KEY}`], { status: 200, hex }],
        ]),
      ),
    }),
    chosen('The media type is `application/octet-stream`, whatever was stored.', {
      'media-type: Stored text is bytes': [
        [storeBlob('1', 'text/plain'), `GET ${KEY}`],
        { status: 200, headers: { 'content-type': '^application/octet-stream$' } },
      ],
    }),
    recorded(KEYS, {
      'characters: A key may have spaces, letters beyond ASCII and reserved characters': [
        [storeBlob('1', 'text/plain', BLOB_KEY + encodeURIComponent(RESERVED)), listed(BLOB_KEY)],
        { status: 200, body: keys(`conformance/{hex}${RESERVED}`) },
      ],
      'slash: A key may have a slash': [[storeBlob('1'), `GET ${KEY}`], { status: 200, hex: '31' }],
    }),
    recorded('An unknown key is a 404.', {
      'unknown: An unknown key is a 404': ['GET /v1/blob/{unknown}', 404],
      'others: A key of another user is a 404': [[storeBlob('1'), { send: `GET ${KEY}`, as: 'second' }], 404],
    }),
  ]),
  ...operation('storeBlob', 'POST /v1/blob/{key}', [
    recorded('The body is taken as bytes, whatever its media type.', {
      'replaced: A later body is stored in place of an earlier one': [
        [storeBlob('{"a":1}', 'application/json'), storeBlob('1'), `GET ${KEY}`],
        { status: 200, hex: '31' },
      ],
      'json: JSON that is not valid is stored': [
        [storeBlob('{"a"', 'application/json'), `GET ${KEY}`],
        { status: 200, hex: '7b226122' },
      ],
    }),
    recorded('The response is a 201 with `"ok"`, which documents before 2026 do not have.', {
      'status: The response is a 201 with "ok"': [storeBlob('1'), { status: 201, body: { const: 'ok' } }],
    }),
  ]),
  ...operation('deleteBlob', 'DELETE /v1/blob/{key}', [
    recorded('The response is 204, and 404 the second time.', {
      'status: The response is a 204 without a body': [[storeBlob('1'), CLEAN], { status: 204, body: 'none' }],
      'once: A deleted blob is a 404': [[storeBlob('1'), CLEAN, CLEAN], 404],
    }),
  ]),
];

/** The services of the API in addition to vals. */
export const serviceCases: readonly Case[] = [...emailCases, ...blobCases];
