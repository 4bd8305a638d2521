import { expect, test } from 'vitest';
import { type Emulator, ExpectationError, type RequestExpectation, type RouteReference } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }, { username: 'bob' }] };

async function emulateRequests(): Promise<Emulator> {
  const emulator = await emulate(fixtures, { listen: false });
  const post = (body: object, token = 'ada-token') =>
    emulator.fetch('/v1/vals', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post({ name: 'one', code: '1', tags: ['a', { b: 1, c: 2 }] });
  await post({ name: 'two', code: '2' }, 'bob-token');
  await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
  await post({ code: '' });
  return emulator;
}

test.each<[RouteReference, RequestExpectation | undefined]>([
  ['POST /v1/vals', {}],
  ['POST /v1/vals', undefined],
  ['POST /v1/vals', { times: 3 }],
  ['POST /v1/vals', { times: 2, status: 200 }],
  ['POST /v1/vals', { times: 1, user: 'bob' }],
  ['POST /v1/vals', { times: 1, body: { name: 'one' } }],
  ['POST /v1/vals', { times: 1, body: { name: 'one', code: '1', tags: ['a', { b: 1, c: 2 }] } }],
  ['POST /v1/vals', { times: 1, body: { tags: ['a', { c: 2 }] } }],
  ['POST /v1/vals', { times: 3, body: {} }],
  ['GET /v1/me', { times: 1, path: '/v1/me', method: 'GET' }],
  ['GET /v1/me/likes', { times: 0 }],
  ['POST /v1/vals', { times: 0, body: { tags: ['a'] } }],
  ['POST /v1/vals', { times: 0, body: { tags: { 0: 'a' } } }],
  ['POST /v1/vals', { times: 0, body: { name: null } }],
  ['POST /v1/vals', { times: 0, body: [] }],
  ['GET /v1/me', { times: 0, body: {} }],
  ['GET /v1/me', { times: 1, body: null }],
])('%s %j holds', async (route, expectation) => {
  const emulator = await emulateRequests();

  expect(() => emulator.expectRequest(route, expectation)).not.toThrow();
});

test.each<[RouteReference, RequestExpectation, message: string]>([
  [
    'GET /v1/me/likes',
    {},
    `expected at least one request GET /v1/me/likes, but there were 0 of 4 in all.
Near misses:
  r1 POST /v1/vals 200 by ada
      route: expected "GET /v1/me/likes", found "POST /v1/vals"
  r2 POST /v1/vals 200 by bob
      route: expected "GET /v1/me/likes", found "POST /v1/vals"
  r3 GET /v1/me 200 by ada
      route: expected "GET /v1/me/likes", found "GET /v1/me"`,
  ],
  [
    'POST /v1/vals',
    { times: 1, body: { name: 'three', code: '2' } },
    `expected 1 request POST /v1/vals with body {"name":"three","code":"2"}, but there were 0 of 4 in all.
Near misses:
  r2 POST /v1/vals 200 by bob
      body.name: expected "three", found "two"
  r1 POST /v1/vals 200 by ada
      body.name: expected "three", found "one"
      body.code: expected "2", found "1"
  r4 POST /v1/vals 400 by ada (body/code must NOT have fewer than 1 characters - body/code was "")
      body.name: expected "three", found undefined
      body.code: expected "2", found ""`,
  ],
  [
    'POST /v1/vals',
    { times: 2 },
    `expected 2 requests POST /v1/vals, but there were 3 of 4 in all.
Matches:
  r1 POST /v1/vals 200 by ada
  r2 POST /v1/vals 200 by bob
  r4 POST /v1/vals 400 by ada (body/code must NOT have fewer than 1 characters - body/code was "")`,
  ],
  [
    'GET /v1/me',
    { times: 0, status: 200, user: 'ada' },
    `expected 0 requests GET /v1/me with status 200 with user "ada", but there was 1 of 4 in all.
Matches:
  r3 GET /v1/me 200 by ada`,
  ],
  [
    'POST /v1/vals',
    { times: 2, user: 'bob' },
    `expected 2 requests POST /v1/vals with user "bob", but there was 1 of 4 in all.
Matches:
  r2 POST /v1/vals 200 by bob
Near misses:
  r1 POST /v1/vals 200 by ada
      user: expected "bob", found "ada"
  r4 POST /v1/vals 400 by ada (body/code must NOT have fewer than 1 characters - body/code was "")
      user: expected "bob", found "ada"
  r3 GET /v1/me 200 by ada
      route: expected "POST /v1/vals", found "GET /v1/me"
      user: expected "bob", found "ada"`,
  ],
  [
    'POST /v1/vals',
    { status: 409, body: { tags: ['a', { b: 2 }] } },
    `expected at least one request POST /v1/vals with status 409 with body {"tags":["a",{"b":2}]}, but there were 0 of 4 in all.
Near misses:
  r1 POST /v1/vals 200 by ada
      status: expected 409, found 200
      body.tags[1].b: expected 2, found 1
  r2 POST /v1/vals 200 by bob
      status: expected 409, found 200
      body.tags: expected ["a",{"b":2}], found undefined
  r4 POST /v1/vals 400 by ada (body/code must NOT have fewer than 1 characters - body/code was "")
      status: expected 409, found 400
      body.tags: expected ["a",{"b":2}], found undefined`,
  ],
])('%s %j fails with the near misses', async (route, expectation, message) => {
  const emulator = await emulateRequests();

  const attempt = () => emulator.expectRequest(route, expectation);

  expect(attempt).toThrow(ExpectationError);
  expect(attempt).toThrow(expect.objectContaining({ message }));
});

test('a failure without any request has its own message', async () => {
  const emulator = await emulate(fixtures);

  expect(() => emulator.expectRequest('GET /v1/me')).toThrow(
    expect.objectContaining({
      message: 'expected at least one request GET /v1/me, but there were 0 of 0 in all.\nNo request was received.',
    }),
  );
});

test('an unknown route is refused, also with times 0', async () => {
  const emulator = await emulateRequests();

  for (const times of [undefined, 0, 1]) {
    // @ts-expect-error: a misspelt route
    expect(() => emulator.expectRequest('POST /v1/val', { times })).toThrow(
      'option route: there is no route "POST /v1/val". Did you mean "POST /v1/vals"?',
    );
  }
});

const known = 'Did you mean';
test.each<[unknown, message: string]>([
  [{ time: 5 }, `option time: unknown key. ${known} "times"?`],
  [{ bodi: 3 }, `option bodi: unknown key. ${known} "body"?`],
  [{ times: -1 }, 'option times: found -1; expected at least 0.'],
  [
    { status: '2x' },
    'option status: found "2x"; expected an HTTP status such as 404, a class such as 4xx, or several: 404,5xx.',
  ],
  [
    { user: 'adda', method: 'GTE' },
    `option method: there is no method "GTE". ${known} "GET"?\noption user: there is no user "adda". ${known} "ada"?`,
  ],
])('the expectation %j is refused', async (expectation, message) => {
  const emulator = await emulateRequests();

  const check = () => Reflect.apply(emulator.expectRequest, emulator, ['GET /v1/me', expectation]);

  expect(check).toThrow(expect.objectContaining({ name: 'OptionsError', message }));
});

test.each(['expectRequest', 'fail', 'chaos'] as const)('%s takes no path as its second argument', async (name) => {
  const emulator = await emulate(fixtures);

  expect(() => Reflect.apply(emulator[name], emulator, ['POST', '/v1/vals'])).toThrow(
    'options: found "/v1/vals" after "POST"; expected an object. Did you mean "POST /v1/vals"?',
  );
});

test.each([
  ['GET /v1/vals/123', 'GET /v1/vals/{val_id}'],
  ['get /v1/vals/:id/runs?limit=3', 'GET /v1/vals/{val_id}/runs'],
  ['/v1/me', 'GET /v1/me'],
  ['/v1/search/vals', 'GET /v1/search/vals'],
  ['DELETE /v1/vals/hello/', 'DELETE /v1/vals/{val_id}'],
])('for the unknown route %s, the error suggests %s', async (route, name) => {
  const emulator = await emulateRequests();

  const check = () => Reflect.apply(emulator.expectRequest, emulator, [route]);

  expect(check).toThrow(`there is no route "${route}". ${known} "${name}"?`);
});

test.each([[[]], [[undefined, { status: 200 }]]])('an expectation without a route is refused: %j', async (args) => {
  const emulator = await emulateRequests();

  const check = () => Reflect.apply(emulator.expectRequest, emulator, args);

  expect(check).toThrow('option route: missing; expected a string.');
});

test('an expectation reads the requests of its sandbox only', async () => {
  const emulator = await emulateRequests();

  const sandbox = await emulator.sandbox('one');

  expect(() => sandbox.expectRequest('GET /v1/me')).toThrow(ExpectationError);
  sandbox.expectRequest('GET /v1/me', { times: 0 });
});

test('an expectation returns the last request that matches', async () => {
  const emulator = await emulateRequests();
  const [first, ...others] = emulator.requests({ route: 'POST /v1/vals' });
  expect(others.length).toBeGreaterThan(0);

  expect(emulator.expectRequest('POST /v1/vals')).toEqual(others.at(-1));
  expect(emulator.expectRequest('POST /v1/vals', { times: 1 + others.length })).toEqual(others.at(-1));
  // The responses of another node have no duration.
  expect((await emulator.expectRequest('POST /v1/vals', { duration: { min: 0 } })).route).toBe('POST /v1/vals');
  expect(emulator.expectRequest('GET /v1/me/likes', { times: 0 })).toBeUndefined();
  expect(first?.id).not.toBe(others.at(-1)?.id);
});

test('the matches of a failed expectation that are not listed are counted', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  for (let i = 0; i < 12; i++) await as(emulator, 'ada').get('/v1/me');
  expect(() => emulator.expectRequest('GET /v1/me', { times: 1 })).toThrow(
    [
      'expected 1 request GET /v1/me, but there were 12 of 12 in all.',
      'Matches:',
      '  r1 GET /v1/me 200 by ada',
      '  r2 GET /v1/me 200 by ada',
      '  r3 GET /v1/me 200 by ada',
      '  and 9 more',
    ].join('\n'),
  );
});
