import { type Case, chosen, operation, recorded, specified } from '../case.js';
import { extendedVal, having, shows, values } from './schemas.js';
import { fields, make, post, put, READ, refuses, send } from './steps.js';

const OTHERS = { privacy: 'unlisted', type: 'http', readme: '# a' };
const name = (pattern: string) => values({ name: { type: 'string', pattern } });
const ONLY_CODE = send('POST /v1/vals', { code: '1' });

const createCases = operation('createVal', 'POST /v1/vals', [
  specified('fields', {
    'fields: A new val has its name, code, readme and privacy': [
      post({ readme: '# a', privacy: 'unlisted' }),
      values({ ...fields(), readme: '# a', privacy: 'unlisted', public: false }),
    ],
  }),
  recorded('optional', {
    'only-code: A val of code alone is created, with a name': [ONLY_CODE, name('^[a-zA-Z]\\w{0,47}$')],
    'type: A new val has the type of the body': [post({ type: 'httpnext' }), values({ type: 'httpnext' })],
    'other-fields: An unknown field is ignored': [post({ conformance: true }), 200],
    'no-code: A val without code is a 400': refuses({ name: '{new.a}' }),
    'unknown-type: An unknown type is a 400': refuses(fields({ type: 'cron' })),
    'unknown-privacy: An unknown privacy is a 400': refuses(fields({ privacy: 'secret' })),
    'no-object: A body that is not an object is a 400': refuses(['code']),
  }),
  recorded('created', {
    'response: The response is 200 with exactly the keys of a val, at version 0': [
      post(),
      shows({ allOf: [extendedVal, having({ version: 0, likeCount: 0, referenceCount: 0 })] }),
    ],
    'readable: The val can be read at once, as it was in the response': [
      [make({ ...OTHERS, privacy: 'public' }), READ],
      { status: 200, equals: 'made' },
    ],
    'self-link: The link of a val to itself leads to it': [
      [make(), 'GET {made.links.self}'],
      { ...{ status: 200, equals: 'made' } },
    ],
  }),
  recorded('name', {
    'case-insensitive: The name of another val in upper case is refused': [
      [make(), post({ name: '{upper.made.name}' })],
      { status: [400, 409] },
    ],
    'per-author: Another user can use the same name': [
      [make(), post({}, 'second')],
      values({ author: having({ id: '{second.id}' }) }),
    ],
    'default-name: The default name has three words': [ONLY_CODE, name('^[a-z]+([A-Z][a-z]+){2,}$')],
    'capitals: A name keeps its capitals': [post({ name: '{upper.new.a}' }), values({ name: '{upper.new.a}' })],
    'name-digit: A name that begins with a digit is a 400': refuses(fields({ name: '1{new.a}' })),
    'name-hyphen: A name with a hyphen is a 400': refuses(fields({ name: 'a-{new.a}' })),
  }),
  recorded('default', {
    'defaults: A val without privacy and type is a private script without a readme': [
      post(),
      values({ privacy: 'private', public: false, type: 'script', readme: null }),
    ],
  }),
  chosen('conflict', {
    'conflict: A name in use is a 409': [[make(), post()], 409],
  }),
]);

const upsertCases = operation('upsertVal', 'PUT /v1/vals', [
  specified('upsert', {
    'creates: A new name creates a val': [put(), 200],
    'is-there: The created val can be read by its name': [
      [put(), 'GET /v1/alias/{me.username}/{new.a}'],
      values({ code: fields().code, version: 0 }),
    ],
    'updates: A name in use gets the new code': [[make(), put({ code: '2' }), READ], values({ code: '2' })],
  }),
  recorded('match', {
    'case-insensitive: A name in upper case updates the same val': [
      [make(), put({ name: '{upper.made.name}', code: '2' }), READ],
      values({ code: '2', name: '{made.name}' }),
    ],
    'per-author: Another user creates a val with the same name': [
      [make({ privacy: 'public' }), put({ code: '2' }, 'second')],
      values({ version: 0, author: having({ id: '{second.id}' }) }),
    ],
  }),
  recorded('status', {
    'status-of-update: An update is a 200': [[make(), put({ code: '2' })], 200],
    'no-name: A body without a name is a 400': refuses({ code: '1' }, 'PUT /v1/vals'),
    'no-code: A body without code is a 400': refuses({ name: '{new.a}' }, 'PUT /v1/vals'),
  }),
  recorded('update', {
    'keeps-the-rest: Privacy, type and readme stay, and the version is 1': [
      [make(OTHERS), put({ code: '2' }), READ],
      values({ version: 1, ...OTHERS }),
    ],
  }),
  chosen('name', {
    'name-rule: A name with a hyphen is a 400': refuses(fields({ name: 'a-{new.a}' }), 'PUT /v1/vals'),
  }),
]);

/** Of POST and PUT /v1/vals. */
export const creationCases: readonly Case[] = [...createCases, ...upsertCases];
