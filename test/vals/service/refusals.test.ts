import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { createEmulator, emulate, NOW } from '../../support/emulate.js';
import {
  badRequest,
  conflict,
  invalid,
  notFound,
  unauthorized,
  valNotFound,
  versionNotFound,
} from '../../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const OTHER = '07e30000-0000-4000-8000-000000000002';
const SINGLE = '51901e00-0000-4000-8000-000000000003';
const MISSING = 'deadbeef-0000-4000-8000-000000000000';

const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: "import 'https://esm.town/v/bob/single';" },
    { author: 'ada', name: 'Other', id: OTHER, code: '1', privacy: 'private' },
    { author: 'bob', name: 'single', id: SINGLE, code: '2' },
  ],
  versions: [{ val: 'ada/hello', code: 'zero' }],
  runs: [{ val: 'ada/hello' }, { val: 'bob/single', error: 'boom' }],
  likes: [{ user: 'bob', val: 'ada/hello' }],
  comments: [{ author: 'bob', val: 'ada/hello', comment: 'Nice' }],
};

const CREATE = 'POST /v1/vals';
const UPSERT = 'PUT /v1/vals';
const UPDATE = `PUT /v1/vals/${HELLO}`;
const ADD = `POST /v1/vals/${HELLO}/versions`;
const VERSION = `DELETE /v1/vals/${HELLO}/versions`;

const PATTERN = 'body/name must match pattern "^[a-zA-Z][a-zA-Z0-9_]*$"';
const ALLOWED = 'must be equal to one of the allowed values';
const LONG_CODE = 'body/code must NOT have more than 256000 characters';
const LONG_NAME = 'body/name must NOT have more than 48 characters';
const LONG_README = 'body/readme must NOT have more than 8192 characters';

/** Invalid fields of a body, each with the message and routes that refuse it. Conformance has the other routes. */
const FIELDS: [field: object, message: string, ...requests: string[]][] = [
  [{ code: '' }, 'body/code must NOT have fewer than 1 characters', UPSERT],
  [{ code: 'x'.repeat(256_001) }, LONG_CODE, UPSERT, ADD],
  [{ code: '🙂'.repeat(256_001) }, LONG_CODE, CREATE],
  [{ code: undefined }, "body must have required property 'code'", CREATE],
  [{ code: {} }, 'body/code must be string', CREATE],
  [{ code: ['1', '2'] }, 'body/code must be string', CREATE],
  // Ajv coerces null to an empty string.
  [{ code: null }, 'body/code must NOT have fewer than 1 characters', CREATE],
  [{ name: undefined }, "body must have required property 'name'", UPSERT],
  [{ name: '' }, 'body/name must NOT have fewer than 1 characters', UPSERT, ADD, UPDATE],
  [{ name: 'a'.repeat(49) }, LONG_NAME, UPSERT, ADD, UPDATE],
  [{ name: 'my-val' }, PATTERN, ADD, UPDATE],
  [{ name: 'my val' }, PATTERN, CREATE],
  [{ name: '_val' }, PATTERN, CREATE],
  [{ name: 'välue' }, PATTERN, CREATE],
  [{ name: 'val\n' }, PATTERN, CREATE],
  [{ name: {} }, 'body/name must be string', CREATE],
  [{ readme: 'x'.repeat(8_193) }, LONG_README, ADD, UPDATE],
  [{ readme: '🙂'.repeat(8_193) }, LONG_README, CREATE],
  [{ readme: {} }, 'body/readme must be string', CREATE],
  [{ privacy: 'secret' }, `body/privacy ${ALLOWED}`, ADD],
  [{ privacy: 'Public' }, `body/privacy ${ALLOWED}`, CREATE],
  [{ type: 'cron' }, `body/type ${ALLOWED}`, ADD, UPDATE],
  // Types that a val can have, but not get.
  [{ type: 'interval' }, `body/type ${ALLOWED}`, CREATE, ADD, UPDATE],
  [{ type: 'express' }, `body/type ${ALLOWED}`, CREATE, ADD, UPDATE],
  [{ type: 'rpc' }, `body/type ${ALLOWED}`, CREATE, ADD, UPDATE],
];

const SOURCE = 'querystring/source must match pattern "^(ui|api|interval|email)(,(ui|api|interval|email))*$"';
const timeError = (name: string) => invalid(`querystring/${name} must match format "date-time"`);

/** Invalid queries of a list. */
const QUERIES: [path: string, error: object][] = [
  ['/v1/me/runs?limit=0', invalid('querystring/limit must be >= 1')],
  ['/v1/me/runs?limit=1.5', invalid('querystring/limit must be integer')],
  ['/v1/me/runs?limit=', invalid('querystring/limit must be integer')],
  ['/v1/me/runs?offset=-1', invalid('querystring/offset must be >= 0')],
  ['/v1/me/runs?offset=1&offset=1', invalid('querystring/offset must be integer')],
  ['/v1/me/runs?since=', timeError('since')],
  ['/v1/me/runs?since=2024-06-11', timeError('since')],
  ['/v1/me/runs?since=2024-06-11T22:05:12', timeError('since')],
  ['/v1/me/runs?since=2024-06-11T22:05Z', timeError('since')],
  ['/v1/me/runs?since=1718143512585', timeError('since')],
  ['/v1/me/runs?until=2024-02-30T00:00:00Z', timeError('until')],
  ['/v1/me/runs?until=2024-06-11T25:00:00Z', timeError('until')],
  ['/v1/me/runs?since=2024-06-11T22:05:12+02:00', timeError('since')],
  ['/v1/me/runs?error=1', invalid('querystring/error must be boolean')],
  ['/v1/me/runs?error=TRUE', invalid('querystring/error must be boolean')],
  ['/v1/me/runs?error=', invalid('querystring/error must be boolean')],
  ['/v1/me/runs?source=ui,pigeon', invalid(SOURCE)],
  ['/v1/me/comments?relationship=Any', invalid(`querystring/relationship ${ALLOWED}`)],
  ['/v1/me/comments?relationship=', invalid(`querystring/relationship ${ALLOWED}`)],
  ['/v1/search/vals', invalid("querystring must have required property 'query'")],
  ['/v1/search/vals?query=', invalid('querystring/query must NOT have fewer than 1 characters')],
  [`/v1/search/vals?query=${'x'.repeat(513)}`, invalid('querystring/query must NOT have more than 512 characters')],
  ['/v1/search/vals?query=a&query=b', invalid('querystring/query must be string')],
];

const userNotFound = notFound('The user was not found');

/** Paths that lead to no record. */
const PATHS: [path: string, error: object][] = [
  [`/v1/users/${MISSING}`, userNotFound],
  ['/v1/alias/nobody', userNotFound],
  ['/v1/alias/@', userNotFound],
  ['/v1/alias/@@ada', userNotFound],
  ['/v1/users/ada', invalid('params/user_id must match format "uuid"')],
  ['/v1/alias/nobody/hello', valNotFound],
  ['/v1/alias/ada/@hello', valNotFound],
  ['/v1/alias/@@ada/hello', valNotFound],
  [`/v1/runs/${HELLO}`, notFound('The run was not found')],
  ['/v1/runs/1', invalid('params/run_id must match format "uuid"')],
  [`/v1/vals/${HELLO}/versions/2`, versionNotFound],
  [`/v1/vals/${HELLO}/versions/1.5`, invalid('params/version must be integer')],
];

const taken = (name: string) => conflict(`Conflict: a val named "${name}" already exists`);

/** Other writes that fail. */
const WRITES: [error: object, user: string | undefined, request: string, body?: object][] = [
  [taken('HELLO'), 'ada', CREATE, { name: 'HELLO', code: '1' }],
  [taken('Other'), 'ada', UPDATE, { name: 'OTHER', readme: 'New' }],
  [taken('Other'), 'ada', ADD, { name: 'other', privacy: 'private', readme: 'x', code: '1' }],
  [invalid('body must be object'), 'ada', UPDATE, []],
  [unauthorized, undefined, CREATE, { name: 'fresh', code: '1' }],
  [valNotFound, 'bob', `POST /v1/vals/${OTHER}/versions`, { code: '1' }],
  [invalid('params/version must be integer'), 'ada', `${VERSION}/latest`],
  [invalid('params/version must be >= 0'), 'ada', `${VERSION}/-1`],
  [invalid('params/val_id must match format "uuid"'), 'ada', 'DELETE /v1/vals/hello'],
  [
    badRequest(expect.stringMatching(/^cannot delete the only version/i)),
    'bob',
    `DELETE /v1/vals/${SINGLE}/versions/0`,
  ],
  [notFound('Route DELETE:/v1/vals not found'), 'ada', 'DELETE /v1/vals'],
];

/** All requests, each with its error. */
const ALL: [request: string, user: string | undefined, body: object | undefined, error: object][] = [
  ...FIELDS.flatMap(([field, message, ...requests]) =>
    requests.map((request): (typeof ALL)[number] => {
      const body = request === UPDATE ? field : { name: 'fine', code: '1', ...field };
      return [request, 'ada', body, invalid(message)];
    }),
  ),
  ...[...QUERIES, ...PATHS].map(([path, error]): (typeof ALL)[number] => [`GET ${path}`, 'ada', undefined, error]),
  ...WRITES.map(([error, user, request, body]): (typeof ALL)[number] => [request, user, body, error]),
];

async function send(
  emulator: Emulator,
  [request, user, body]: readonly [string, string | undefined, object | undefined],
) {
  const [method = '', ...path] = request.split(' ');
  const headers = {
    ...(user !== undefined && { authorization: `Bearer ${user}-token` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await emulator.fetch(path.join(' ').replaceAll(' ', '%20'), init);
  return { status: response.status, text: await response.text() };
}

describe('a refused request', () => {
  let emulator: Emulator;
  let before: ReturnType<Emulator['state']>;

  beforeAll(async () => {
    emulator = await createEmulator({ fixtures, now: NOW, listen: false });
    before = emulator.state();
  });
  afterAll(() => emulator?.close());

  test.each(ALL.map((row) => [`${row[0]} ${JSON.stringify(row[2] ?? '')}`.slice(0, 90), row] as const))(
    'has the documented error: %s',
    async (_, row) => {
      const { text, status } = await send(emulator, [row[0], row[1], row[2]]);

      expect(JSON.parse(text)).toStrictEqual(row[3]);
      expect(row[3]).toMatchObject({ statusCode: status });
    },
  );

  test('changes no record, nor the id of the next val', async () => {
    expect(emulator.state()).toStrictEqual(before);
    expect(emulator.history()).toStrictEqual([]);

    const untouched = await emulate(fixtures, { listen: false });
    const create = (each: Emulator) => send(each, [CREATE, 'ada', { name: 'fresh', code: '1' }]);

    expect(await create(emulator)).toStrictEqual(await create(untouched));
    expect(emulator.history()).toHaveLength(1);
  });
});
