import { type Case, chosen, operation, type Row, recorded, type Step } from '../case.js';
import { exactly, having, text, time } from './schemas.js';
import { BLOB_KEY, refuses, storeBlob } from './steps.js';

const EMAIL = 'POST /v1/email';

/** An email that is accepted would reach people, so only refused ones are sent. */
const emailCases = operation('sendEmail', EMAIL, [
  recorded(
    'An address is a text of at most 320 characters, or has a name; to, cc and bcc take one or a list of at most 50.',
    {
      'addresses: A list of 51 addresses is a 400': refuses({ to: Array(51).fill('ada@example.com') }, EMAIL),
      'long-address: A text of 321 characters is no address': refuses({ to: '{long.321}' }, EMAIL),
    },
  ),
  recorded('replyTo takes one address, replyToList one or a list of at most 10 with `email` and `name`.', {
    'replies: A list of 11 addresses for replies is a 400': refuses(
      { replyToList: Array(11).fill({ email: 'ada@example.com' }) },
      EMAIL,
    ),
    'reply-text: A text is no address in replyToList': refuses({ replyToList: ['ada@example.com'] }, EMAIL),
  }),
  recorded('An email has at most 5 attachments, and its HTML is not empty.', {
    'attachments: Six attachments are a 400': refuses(
      { attachments: Array(6).fill({ filename: 'a', content: 'AA==' }) },
      EMAIL,
    ),
    'html: Empty HTML is a 400': refuses({ html: '' }, EMAIL),
  }),
  chosen('Attachments are base64; any other content is a 400.', {
    'base64: Content of an attachment with other characters is a 400': refuses(
      { attachments: [{ filename: 'a', content: '%' }] },
      EMAIL,
    ),
  }),
]);

const KEY = `/v1/blob/${BLOB_KEY}`;
const ITEM = exactly({ key: text, size: { type: 'integer', minimum: 0 }, lastModified: time });
const CLEAN: Step = { send: `DELETE ${KEY}` };
const reads = (content: Step, schema: object): Row => [[content, `GET ${KEY}`], { status: 200, body: { ...schema } }];

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
      'same: The bytes are those that were stored': reads(storeBlob('{"a":[1,"\u00e4"]}'), {
        const: { a: [1, '\u00e4'] },
      }),
    }),
    recorded(KEYS, { 'slash: A key may have a slash': reads(storeBlob('1'), { const: 1 }) }),
    recorded('An unknown key is a 404.', {
      'unknown: An unknown key is a 404': ['GET /v1/blob/{unknown}', 404],
      'others: A key of another user is a 404': [[storeBlob('1'), { send: `GET ${KEY}`, as: 'second' }], 404],
    }),
  ]),
  ...operation('storeBlob', 'POST /v1/blob/{key}', [
    recorded('The body is taken as bytes, whatever its media type.', {
      'json: JSON that is not valid is stored': [[storeBlob('{"a"', 'application/json'), CLEAN], 204],
    }),
    recorded('The response is a 201 with `"ok"`, which documents before 2026 do not have.', {
      'status: The response is a 201 with "ok"': [storeBlob('1'), { status: 201, body: { const: 'ok' } }],
    }),
    recorded(KEYS, {
      'long-key: A key of 513 characters is a 400': [storeBlob('1', 'text/plain', 'k'.repeat(513)), 400],
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
