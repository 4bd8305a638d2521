import { type Case, chosen, operation, recorded, specified } from '../case.js';
import { fields, make, refuses } from './new-val.js';
import { extendedVal, having } from './schemas.js';

const NAME_RULE =
  'Names are unique per author and case-insensitive. The default name is an adjective, a color and an animal.';

const createCases = operation('createVal', 'POST /v1/vals', [
  specified('Creates a val from name, code, readme and privacy.', {
    id: 'fields',
    title: 'A new val has its name, code, readme and privacy',
    level: 'write',
    act: { send: 'POST /v1/vals', body: fields({ readme: '# a', privacy: 'unlisted' }) },
    expect: {
      status: 200,
      body: having({ name: '{new.a}', code: 'export const a = 1;', readme: '# a', privacy: 'unlisted', public: false }),
    },
  }),
  recorded(
    'Only code is required. type is accepted as well, and other fields are ignored.',
    {
      id: 'only-code',
      title: 'A val of code alone is created, with a name',
      level: 'write',
      act: { send: 'POST /v1/vals', body: { code: '1' } },
      expect: { status: 200, body: having({ name: { type: 'string', pattern: '^[a-zA-Z]\\w{0,47}$' } }) },
    },
    {
      id: 'type',
      title: 'A new val has the type of the body',
      level: 'write',
      act: { send: 'POST /v1/vals', body: fields({ type: 'httpnext' }) },
      expect: { status: 200, body: having({ type: 'httpnext' }) },
    },
    {
      id: 'other-fields',
      title: 'An unknown field is ignored',
      level: 'write',
      act: { send: 'POST /v1/vals', body: fields({ conformance: true }) },
      expect: { status: 200 },
    },
    refuses('no-code', 'A val without code is a 400', { name: '{new.a}' }),
    refuses('empty-code', 'Empty code is a 400', fields({ code: '' })),
    refuses('unknown-type', 'An unknown type is a 400', fields({ type: 'cron' })),
    refuses('unknown-privacy', 'An unknown privacy is a 400', fields({ privacy: 'secret' })),
    refuses('no-object', 'A body that is no object is a 400', ['code']),
  ),
  recorded(
    'The response is 200 with the val, at version 0.',
    {
      id: 'response',
      title: 'The response is 200 with exactly the keys of a val, at version 0',
      level: 'write',
      act: { send: 'POST /v1/vals', body: fields() },
      expect: { status: 200, body: { allOf: [extendedVal, having({ version: 0, likeCount: 0, referenceCount: 0 })] } },
    },
    {
      id: 'readable',
      title: 'The val can be read at once, as it was in the response',
      level: 'write',
      arrange: [make({ type: 'http', readme: '# a', privacy: 'public' })],
      act: 'GET /v1/vals/{made.id}',
      expect: { status: 200, equals: 'made' },
    },
    {
      id: 'self-link',
      title: 'The link of a val to itself leads to it',
      level: 'write',
      arrange: [make()],
      act: 'GET {made.links.self}',
      expect: { status: 200, equals: 'made' },
    },
  ),
  recorded(
    NAME_RULE,
    {
      id: 'case-insensitive',
      title: 'The name of another val in upper case is refused',
      level: 'write',
      arrange: [make()],
      act: { send: 'POST /v1/vals', body: fields({ name: '{upper.made.name}' }) },
      expect: { status: [400, 409] },
    },
    {
      id: 'per-author',
      title: 'Another user can use the same name',
      level: 'write',
      needs: ['second'],
      arrange: [make()],
      act: { send: 'POST /v1/vals', as: 'second', body: fields() },
      expect: { status: 200, body: having({ author: having({ id: '{second.id}' }) }) },
    },
    {
      id: 'default-name',
      title: 'The default name has three words',
      level: 'write',
      act: { send: 'POST /v1/vals', body: { code: '1' } },
      expect: { status: 200, body: having({ name: { type: 'string', pattern: '^[a-z]+([A-Z][a-z]+){2,}$' } }) },
    },
    refuses('name-digit', 'A name that begins with a digit is a 400', fields({ name: '1{new.a}' })),
    refuses('name-hyphen', 'A name with a hyphen is a 400', fields({ name: 'a-{new.a}' })),
    refuses('name-empty', 'An empty name is a 400', fields({ name: '' })),
    refuses('name-49', 'A name of 49 letters is a 400', fields({ name: '{long.49}' })),
  ),
  recorded('By default the val is a private script.', {
    id: 'defaults',
    title: 'A val without privacy and type is a private script without a readme',
    level: 'write',
    act: { send: 'POST /v1/vals', body: fields() },
    expect: { status: 200, body: having({ privacy: 'private', public: false, type: 'script', readme: null }) },
  }),
  chosen('A name in use is a 409, as in later APIs of the service.', {
    id: 'conflict',
    title: 'A name in use is a 409',
    level: 'write',
    arrange: [make()],
    act: { send: 'POST /v1/vals', body: fields() },
    expect: { status: 409 },
  }),
]);

const limitCases = operation('createVal', 'POST /v1/vals', [
  recorded(
    'Only code is required. type is accepted as well, and other fields are ignored.',
    {
      id: 'longest-code',
      title: 'Code of 256,000 characters is accepted',
      level: 'limits',
      act: { send: 'POST /v1/vals', body: fields({ code: '{long.256000}' }) },
      expect: { status: 200 },
    },
    {
      id: 'too-long-code',
      title: 'Code of 256,001 characters is a 400',
      level: 'limits',
      act: { send: 'POST /v1/vals', body: fields({ code: '{long.256001}' }) },
      expect: { status: 400 },
    },
    {
      id: 'longest-readme',
      title: 'A readme of 8,192 characters is accepted',
      level: 'limits',
      act: { send: 'POST /v1/vals', body: fields({ readme: '{long.8192}' }) },
      expect: { status: 200 },
    },
    {
      id: 'too-long-readme',
      title: 'A readme of 8,193 characters is a 400',
      level: 'limits',
      act: { send: 'POST /v1/vals', body: fields({ readme: '{long.8193}' }) },
      expect: { status: 400 },
    },
  ),
]);

const upsertCases = operation('upsertVal', 'PUT /v1/vals', [
  specified(
    'Updates the code of the val with that name, or creates it.',
    {
      id: 'creates',
      title: 'A new name creates a val',
      level: 'write',
      act: { send: 'PUT /v1/vals', body: fields() },
      expect: { status: 200 },
    },
    {
      id: 'is-there',
      title: 'The created val can be read by its name',
      level: 'write',
      arrange: [{ send: 'PUT /v1/vals', body: fields() }],
      act: 'GET /v1/alias/{me.username}/{new.a}',
      expect: { status: 200, body: having({ code: 'export const a = 1;', version: 0 }) },
    },
    {
      id: 'updates',
      title: 'A name in use gets the new code',
      level: 'write',
      arrange: [make(), { send: 'PUT /v1/vals', body: fields({ code: '2' }) }],
      act: 'GET /v1/vals/{made.id}',
      expect: { status: 200, body: having({ code: '2' }) },
    },
  ),
  recorded(
    'Only vals of the caller match, and names are case-insensitive.',
    {
      id: 'case-insensitive',
      title: 'A name in upper case updates the same val',
      level: 'write',
      arrange: [make(), { send: 'PUT /v1/vals', body: fields({ name: '{upper.made.name}', code: '2' }) }],
      act: 'GET /v1/vals/{made.id}',
      expect: { status: 200, body: having({ code: '2', name: '{made.name}' }) },
    },
    {
      id: 'per-author',
      title: 'Another user creates a val with the same name',
      level: 'write',
      arrange: [make({ privacy: 'public' })],
      act: { send: 'PUT /v1/vals', as: 'second', body: fields({ code: '2' }) },
      expect: { status: 200, body: having({ version: 0, author: having({ id: '{second.id}' }) }) },
    },
  ),
  recorded(
    'The response is 200 for an update and for a new val.',
    {
      id: 'status-of-update',
      title: 'An update is a 200',
      level: 'write',
      arrange: [make()],
      act: { send: 'PUT /v1/vals', body: fields({ code: '2' }) },
      expect: { status: 200 },
    },
    {
      ...refuses('no-name', 'A body without a name is a 400', { code: '1' }, 'PUT /v1/vals'),
    },
    {
      ...refuses('no-code', 'A body without code is a 400', { name: '{new.a}' }, 'PUT /v1/vals'),
    },
  ),
  recorded('An update adds a version and leaves the rest of the val unchanged.', {
    id: 'keeps-the-rest',
    title: 'Privacy, type and readme stay, and the version is 1',
    level: 'write',
    arrange: [
      make({ privacy: 'unlisted', type: 'http', readme: '# a' }),
      { send: 'PUT /v1/vals', body: fields({ code: '2' }) },
    ],
    act: 'GET /v1/vals/{made.id}',
    expect: { status: 200, body: having({ version: 1, privacy: 'unlisted', type: 'http', readme: '# a' }) },
  }),
  chosen('The rule for names is that of POST; otherwise PUT could create vals that POST rejects.', {
    ...refuses('name-rule', 'A name with a hyphen is a 400', fields({ name: 'a-{new.a}' }), 'PUT /v1/vals'),
  }),
]);

/** Of POST and PUT /v1/vals. */
export const creationCases: readonly Case[] = [...createCases, ...limitCases, ...upsertCases];
