import { type Case, chosen, operation, type Row, recorded, type Step } from '../case.js';
import { exactly, having, text, time } from './schemas.js';
import { BLOB_KEY, storeBlobAt } from './steps.js';

const ITEM = exactly({ key: text, size: { type: 'integer', minimum: 0 }, lastModified: time });
/** Bytes that are neither UTF-8 nor JSON, and what text may do to them: null, line breaks, a byte order mark. */
const BYTES = {
  empty: '',
  binary: '00ff80c328fe',
  breaks: '0d0a0d0a20',
  mark: 'efbbbf31',
  json: '7b2261223a205b315d7d',
};
/** A list of blobs that match these schemas, in this order. */
const listOf = (...items: readonly object[]) => ({
  ...{ type: 'array', minItems: items.length, maxItems: items.length },
  ...(items.length > 0 && { items }),
});
const keys = (...names: readonly string[]) => listOf(...names.map((key) => having({ key })));
const RESERVED = ' \u00e4+%2F?#;&=\'"';
const STORED_KEYS = ['conformance/{hex}a', 'conformance/{hex}ab', 'conformance/{hex}b'];

interface Blobs {
  readonly path: '/v1/blob' | '/v2/blob';
  /** What the ids of its operations have: `listBlobs`. */
  readonly noun: string;
  /** The rule that says whose blobs a request reaches. */
  readonly own: string;
}

function casesOf({ path, noun, own }: Blobs): Case[] {
  const key = `${path}/${BLOB_KEY}`;
  const clean: Step = { send: `DELETE ${key}` };
  const store = storeBlobAt(path);
  const storeBytes = (hex: string): Step => ({ send: `POST ${key}`, hex, headers: { 'content-type': 'image/png' } });
  const stored = ['a', 'ab', 'b'].map((end) => store('1', 'text/plain', BLOB_KEY + end));
  const listed = (prefix: string) => `GET ${path}?prefix=${prefix}`;
  return [
    ...operation(`list${noun}s`, `GET ${path}`, [
      recorded('list', {
        'items: The response is a list of keys': [`GET ${path}`, { status: 200, body: { type: 'array', items: ITEM } }],
        'stored: A stored blob is in the list': [
          [store('[1]'), `GET ${path}?prefix=conformance%2F{hex}`],
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
      recorded('prefix', {
        'prefix: Only keys that begin with the prefix are listed': [
          [...stored, listed(`${BLOB_KEY}a`)],
          { status: 200, body: keys('conformance/{hex}a', 'conformance/{hex}ab') },
        ],
        'prefix-case: A prefix in upper case is another one': [
          [...stored, listed(`${BLOB_KEY}A`)],
          { status: 200, body: keys() },
        ],
        'prefix-none: Without a prefix, all keys are listed': [
          [...stored, `GET ${path}`],
          { status: 200, body: { type: 'array', allOf: STORED_KEYS.map((key) => ({ contains: having({ key }) })) } },
        ],
      }),
      chosen('order', {
        'order: A later key comes later': [
          [store('1'), store('22', 'text/plain', `${BLOB_KEY}z`), `GET ${path}?prefix=conformance%2F{hex}`],
          {
            status: 200,
            body: {
              type: 'array',
              minItems: 2,
              items: [having({ size: { const: 1 } }), having({ size: { const: 2 } })],
            },
          },
        ],
      }),
      chosen(own, {
        'others: The second account does not see it': [
          [store('1'), { send: `GET ${path}?prefix=conformance%2F{hex}`, as: 'second' }],
          { status: 200, body: { const: [] } },
        ],
      }),
    ]),
    ...operation(`get${noun}`, `GET ${path}/{key}`, [
      recorded('bytes', {
        ...Object.fromEntries(
          Object.entries(BYTES).map(([name, hex]): [string, Row] => [
            `same-${name}: The bytes are the ones that were stored`,
            [[storeBytes(hex), `GET ${key}`], { status: 200, hex }],
          ]),
        ),
      }),
      chosen('media-type', {
        'media-type: Stored text is bytes': [
          [store('1', 'text/plain'), `GET ${key}`],
          { status: 200, headers: { 'content-type': '^application/octet-stream$' } },
        ],
      }),
      recorded('key', {
        'characters: A key may have spaces, letters beyond ASCII and reserved characters': [
          [store('1', 'text/plain', BLOB_KEY + encodeURIComponent(RESERVED)), listed(BLOB_KEY)],
          { status: 200, body: keys(`conformance/{hex}${RESERVED}`) },
        ],
        'slash: A key may have a slash': [[store('1'), `GET ${key}`], { status: 200, hex: '31' }],
      }),
      recorded('unknown-key', {
        'unknown: An unknown key is a 404': [`GET ${path}/{unknown}`, 404],
        'others: A key of another user is a 404': [[store('1'), { send: `GET ${key}`, as: 'second' }], 404],
      }),
    ]),
    ...operation(`store${noun}`, `POST ${path}/{key}`, [
      recorded('body', {
        'replaced: A later body is stored in place of an earlier one': [
          [store('{"a":1}', 'application/json'), store('1'), `GET ${key}`],
          { status: 200, hex: '31' },
        ],
        'json: JSON that is not valid is stored': [
          [store('{"a"', 'application/json'), `GET ${key}`],
          { status: 200, hex: '7b226122' },
        ],
      }),
      recorded('created', {
        'status: The response is a 201 with "ok"': [store('1'), { status: 201, body: { const: 'ok' } }],
      }),
    ]),
    ...operation(`delete${noun}`, `DELETE ${path}/{key}`, [
      recorded('gone', {
        'status: The response is a 204 without a body': [[store('1'), clean], { status: 204, body: 'none' }],
        'once: A deleted blob is a 404': [[store('1'), clean, clean], 404],
      }),
    ]),
  ];
}

/** The blobs of accounts and of projects. */
export const blobCases: readonly Case[] = [
  ...casesOf({
    path: '/v1/blob',
    noun: 'Blob',
    own: 'owner',
  }),
  ...casesOf({
    path: '/v2/blob',
    noun: 'ProjectBlob',
    own: 'project',
  }),
];
