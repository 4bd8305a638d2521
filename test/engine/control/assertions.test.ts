import { describe, expect, test } from 'vitest';
import type { Emulator, RequestFilter } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';
import { hand } from '../../support/hands.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const OTHER = '4e110000-0000-4000-8000-000000000002';
const fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1' },
    { author: 'ada', name: 'other', id: OTHER, code: '2' },
  ],
};

const idsOf = (requests: readonly { readonly id: string }[]) => requests.map(({ id }) => id);

async function emulateRequests(): Promise<Emulator> {
  const emulator = await emulate(fixtures);
  const ada = () => as(emulator, 'ada');
  await ada().get(`/v1/vals/${HELLO}`).set('X-Trace', 'one').set('User-Agent', 'sdk/1.0');
  await ada().get(`/v1/vals/${OTHER}`).set('x-trace', 'two');
  await ada().get('/v1/search/vals?limit=2&query=hello&tag=a&tag=b');
  await ada().post('/v1/vals').set('Idempotency-Key', 'k1').send({ name: 'report', code: '1' });
  await as(emulator).get('/nowhere?a=1');
  return emulator;
}

describe('requests are filtered by the client', () => {
  test.each<[RequestFilter, string[]]>([
    [{}, ['r1', 'r2', 'r3', 'r4', 'r5']],
    [{ route: 'POST /v1/vals' }, ['r4']],
    [{ route: 'GET /v1/vals/{val_id}' }, ['r1', 'r2']],
    [{ route: 'GET /v1/vals/{val_id}', limit: 1 }, ['r2']],
    [{ status: 404 }, ['r5']],
    [{ status: '4xx' }, ['r5']],
    [{ status: '500, 4XX' }, ['r5']],
    [{ status: '2xx,404' }, ['r1', 'r2', 'r3', 'r4', 'r5']],
    [{ status: '5xx' }, []],
    [{ method: 'GET' }, ['r1', 'r2', 'r3', 'r5']],
    [{ path: '/nowhere?a=1' }, ['r5']],
    [{ user: 'ADA', status: 200, route: 'POST /v1/vals' }, ['r4']],
    [{ user: ADA.toUpperCase(), method: 'POST' }, ['r4']],
    [{ user: 'bob' }, []],
    [{ limit: 2 }, ['r4', 'r5']],
    [{ limit: 7 }, ['r1', 'r2', 'r3', 'r4', 'r5']],
    [{ headers: { 'x-trace': 'one' } }, ['r1']],
    [{ headers: { 'X-TRACE': 'two' } }, ['r2']],
    [{ headers: { 'User-Agent': 'sdk/1.0', 'X-Trace': 'one' } }, ['r1']],
    [{ headers: { 'x-trace': null, authorization: 'Bearer ada-token' } }, ['r3', 'r4']],
    [{ query: { limit: 2 } }, ['r3']],
    [{ query: { limit: '2', query: 'hello' } }, ['r3']],
    [{ query: { tag: ['a', 'b'] } }, ['r3']],
    [{ query: { tag: 'a' } }, []],
    [{ query: { limit: null, a: 1 } }, ['r5']],
    [{ params: { val_id: OTHER } }, ['r2']],
    [{ route: `GET /v1/vals/${HELLO}` }, ['r1']],
    [{ route: `GET /v1/vals/${HELLO}/` }, ['r1']],
    [{ route: 'GET /v1/search/vals?limit=2' }, ['r3']],
    [{ route: 'GET /v1/search/vals?limit=3' }, []],
    [{ route: 'GET /v1/vals/{val_id}', params: { val_id: HELLO } }, ['r1']],
    [{ body: { name: 'report' } }, ['r4']],
    [{ after: 'r3' }, ['r4', 'r5']],
    [{ after: 'r1', limit: 1 }, ['r5']],
    [{ after: 'r5' }, []],
    [{ after: 'r99' }, ['r1', 'r2', 'r3', 'r4', 'r5']],
  ])('%j', async (filter, ids) => {
    expect(idsOf(await hand(await emulateRequests()).requests(filter))).toStrictEqual(ids);
  });
});

test.each<[unknown, message: string]>([
  [{ rout: 'GET /v1/me' }, 'option rout: unknown key. Did you mean "route"?'],
  ['POST /v1/vals', 'options: found "POST /v1/vals"; expected an object.'],
  [{ route: 'GET /v1/vals/123' }, 'there is no route "GET /v1/vals/123". Did you mean "GET /v1/vals/{val_id}"?'],
  [{ after: '17' }, 'option after: found "17"; expected an id such as "r17".'],
  [{ user: 'mallory' }, 'option user: there is no user "mallory".'],
  [{ limit: 0 }, 'option limit: found 0; expected at least 1.'],
])('the filter %j is refused', async (filter, message) => {
  const emulator = await emulate(fixtures);

  expect(() => Reflect.apply(emulator.requests, emulator, [filter])).toThrow(message);
});

test.each([
  ['rout=GET%20/v1/me', 400, 'querystring.rout: unknown key. Did you mean "route"?'],
  [
    'status=ok',
    400,
    'querystring.status: found "ok"; expected an HTTP status such as 404, a class such as 4xx, or several: 404,5xx.',
  ],
  [
    'status=4',
    400,
    'querystring.status: found "4"; expected an HTTP status such as 404, a class such as 4xx, or several: 404,5xx.',
  ],
  ['limit=0', 400, 'querystring.limit: found 0; expected at least 1.'],
  ['limit=ten', 400, 'querystring.limit: found "ten"; expected a whole number.'],
  ['route=/v1/me', 422, 'option route: there is no route "/v1/me". Did you mean "GET /v1/me"?'],
  ['user=mallory', 422, 'option user: there is no user "mallory".'],
  ['body=report', 422, 'option body: found "report"; expected JSON such as {"name":"report"}.'],
])('the filter %s of a request returns %i', async (query, statusCode, message) => {
  const response = await as(await emulate(fixtures)).get(`/_emulator/requests?${query}`);

  expect(response.status).toBe(statusCode);
  expect(response.body).toMatchObject({ statusCode, message });
});

test('entries have headers, params and query over both transports', async () => {
  const emulator = await emulate(fixtures);

  await as(emulator, 'ada').get(`/v1/vals/${HELLO}?a=1&a=2&__proto__=x`).set('X-Trace', 'one');
  await emulator.fetch(`/v1/vals/${HELLO}`, {
    headers: [
      ['X-Trace', 'one'],
      ['X-Trace', 'two'],
    ],
  });

  const [socket, inProcess] = emulator.requests();
  expect(socket).toMatchObject({ params: { val_id: HELLO }, query: { a: ['1', '2'] } });
  expect(socket?.request.headers).toMatchObject({ 'x-trace': 'one', authorization: 'Bearer ada-token' });
  expect(Object.keys(socket?.query ?? {})).toStrictEqual(['a', '__proto__']);
  expect(inProcess?.request.headers).toStrictEqual({ 'x-trace': 'one, two' });
});

describe('matchers of a test runner', () => {
  test('match headers, query, params and body', async () => {
    const emulator = await emulateRequests();

    emulator.expectRequest('POST /v1/vals', {
      body: { name: expect.stringMatching(/^rep/), code: expect.any(String) },
    });
    emulator.expectRequest('POST /v1/vals', { body: expect.objectContaining({ name: 'report' }) });
    emulator.expectRequest('POST /v1/vals', { headers: { 'idempotency-KEY': expect.any(String) }, times: 1 });
    emulator.expectRequest('POST /v1/vals', { headers: expect.objectContaining({ 'idempotency-key': 'k1' }) });
    emulator.expectRequest('GET /v1/search/vals', { query: { tag: expect.arrayContaining(['b']) } });
    emulator.expectRequest('GET /v1/vals/{val_id}', { params: { val_id: expect.stringContaining('4e11') }, times: 2 });
    emulator.expectRequest('POST /v1/vals', { body: { name: expect.stringMatching(/^rap/) }, times: 0 });
  });

  test('are shown by name in near misses', async () => {
    const emulator = await emulateRequests();
    const body = { name: expect.stringMatching(/^rap/), code: expect.any(Number) };

    expect(() => emulator.expectRequest('POST /v1/vals', { body, headers: { 'idempotency-key': 'k2' } })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`  r4 POST /v1/vals 200 by ada
      headers.idempotency-key: expected "k2", found "k1"
      body.name: expected StringMatching /^rap/, found "report"
      body.code: expected Any<Number>, found "1"`),
      }),
    );
    expect(() => emulator.expectRequest('POST /v1/vals', { body })).toThrow(
      'with body {"name":"StringMatching /^rap/","code":"Any<Number>"}',
    );
  });
});

describe('over HTTP', () => {
  test('an expectation that holds returns 204, one that fails 422 with the near misses', async () => {
    const emulator = await emulateRequests();
    const post = (body: object) => as(emulator).post('/_emulator/requests/expect').send(body);

    const good = await post({ route: 'POST /v1/vals', times: 1, body: { name: 'report' } });
    const bad = await post({ route: 'POST /v1/vals', body: { name: 'raport' } });

    expect([good.status, good.text]).toStrictEqual([204, '']);
    expect(bad.status).toBe(422);
    expect(bad.body.message).toContain('expected at least one request POST /v1/vals with body {"name":"raport"}');
    expect(bad.body.message).toContain('body.name: expected "raport", found "report"');
  });

  test.each([
    [{ times: 1 }, 400, 'body.route: missing; expected a string.'],
    [{ route: 'POST /v1/val' }, 422, 'option route: there is no route "POST /v1/val". Did you mean "POST /v1/vals"?'],
  ])('the expectation %j is refused', async (body, status, message) => {
    const response = await as(await emulateRequests())
      .post('/_emulator/requests/expect')
      .send(body);

    expect(response.status).toBe(status);
    expect(response.body.message).toBe(message);
  });

  test('requests to unknown routes are listed', async () => {
    const emulator = await emulateRequests();

    const { body } = await as(emulator).get('/_emulator/requests/unhandled');

    expect(idsOf(body)).toStrictEqual(['r5']);
    if (!isShared) expect(body).toStrictEqual(emulator.unhandled());
  });
});

describe('faults match by content', () => {
  const create = async (emulator: Emulator, name: string) =>
    (await as(emulator, 'ada').post('/v1/vals').set('X-Try', name).send({ name, code: '1' })).status;

  test.each([
    { body: { name: 'one' } },
    { headers: { 'X-Try': 'one' } },
    { body: { name: 'one', code: '1' }, headers: { 'x-try': 'one' } },
  ])('over HTTP: %j', async (match) => {
    const emulator = await emulate(fixtures);
    const armed = await as(emulator).post('/_emulator/faults').send({ route: 'POST /v1/vals', status: 503, match });

    expect([await create(emulator, 'two'), await create(emulator, 'one')]).toStrictEqual([200, 503]);
    expect(armed.status).toBe(201);
    expect(emulator.faults()).toMatchObject([{ seen: 1, hits: 1 }]);
  });

  test('by params, by query and by a route with real ids', async () => {
    const emulator = await emulate(fixtures);
    const get = async (path: string) => (await as(emulator, 'ada').get(path)).status;
    await emulator.fail('GET /v1/vals/{val_id}', {
      status: 500,
      match: { params: { val_id: HELLO } },
      times: 1,
    });
    await emulator.fail(`GET /v1/vals/${HELLO}`, { status: 501 });
    await emulator.fail('GET /v1/me', { status: 502, match: { query: { a: 1 } } });

    const statuses = [];
    for (const path of [`/v1/vals/${OTHER}`, `/v1/vals/${HELLO}`, `/v1/vals/${HELLO}`, '/v1/me', '/v1/me?a=1']) {
      statuses.push(await get(path));
    }

    expect(statuses).toStrictEqual([200, 500, 501, 200, 502]);
    expect(emulator.faults()[1]).toMatchObject({
      route: 'GET /v1/vals/{val_id}',
      match: { params: { val_id: HELLO } },
    });
  });

  // They cannot be sent.
  test.skipIf(isShared)('by matchers of a test runner', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('POST /v1/vals', { match: { body: { name: expect.stringMatching(/^o/) } } });

    expect([await create(emulator, 'two'), await create(emulator, 'one')]).toStrictEqual([200, 500]);
  });

  test('an unknown part is refused', async () => {
    const response = await as(await emulate(fixtures))
      .post('/_emulator/faults')
      .send({ match: { bodi: 1 } });

    expect(response.status).toBe(400);
    expect(response.body.message).toBe('body.match.bodi: unknown key. Did you mean "body"?');
  });
});

describe('the header X-Emulator-Fault', () => {
  test('injects a status into its request only, which does not run', async () => {
    const emulator = await emulate(fixtures);
    const create = () => as(emulator, 'ada').post('/v1/vals');

    const failed = await create().set('X-Emulator-Fault', '503').send({ name: 'one', code: '1' });
    const created = await create().send({ name: 'one', code: '1' });

    expect([failed.status, created.status]).toStrictEqual([503, 200]);
    expect(failed.body).toStrictEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'Service Unavailable',
    });
    expect(emulator.requests().map(({ fault }) => fault)).toStrictEqual(['x-emulator-fault', null]);
  });

  test('resets the connection', async () => {
    const emulator = await emulate(fixtures);

    const attempt = fetch(`${emulator.url}/v1/me`, { headers: { 'X-Emulator-Fault': 'reset' } });

    await expect(attempt).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'ECONNRESET' }) }),
    );
  });

  test.each([
    ['delay=60', 200],
    ['delay=60ms', 200],
    ['503, delay=60', 503],
    ['delay=60,503', 503],
  ])('delays the response: %s', async (fault, status) => {
    const emulator = await emulate(fixtures);
    const start = performance.now();

    const response = await as(emulator, 'ada').get('/v1/me').set('X-Emulator-Fault', fault);

    expect(response.status).toBe(status);
    expect(performance.now() - start).toBeGreaterThanOrEqual(59);
  });

  test.each(['200', '600', 'resett', 'delay=soon', 'delay=11m', '503,504', 'reset,503', 'delay=1,delay=2', '503;'])(
    'an invalid value returns 400: %s',
    async (fault) => {
      const emulator = await emulate(fixtures);

      const response = await as(emulator, 'ada').get('/v1/me').set('X-Emulator-Fault', fault);

      expect(response.status).toBe(400);
      expect(response.body.message).toBe(
        `Invalid x-emulator-fault "${fault}": expected a status from 400 to 599, or reset; also delay=2s, alone or after a comma`,
      );
      expect(emulator.requests()).toHaveLength(1);
    },
  );

  test('takes precedence over armed faults, which do not count the request', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('*', { status: 500 });

    const response = await as(emulator, 'ada').get('/v1/me').set('X-Emulator-Fault', '503');

    expect(response.status).toBe(503);
    expect(emulator.faults()).toMatchObject([{ seen: 0 }]);
  });

  test('has no effect without the control API', async () => {
    const emulator = await emulate(fixtures, { control: false });

    const statuses = [];
    for (const fault of ['503', 'nonsense']) {
      statuses.push((await as(emulator, 'ada').get('/v1/me').set('X-Emulator-Fault', fault)).status);
    }

    expect(statuses).toStrictEqual([200, 200]);
  });

  test('is allowed by preflights', async () => {
    const response = await as(await emulate(fixtures))
      .options('/v1/me')
      .set('Access-Control-Request-Headers', 'x-emulator-fault');

    expect(response.headers['access-control-allow-headers']).toBe('x-emulator-fault');
  });
});

describe('lists of records', () => {
  const users = [{ username: 'eve' }, { username: 'mal' }];

  test('are added at once, by a method and over HTTP', async () => {
    const emulator = await emulate(fixtures);

    const added = await emulator.add.user(users);
    const response = await as(emulator)
      .post('/_emulator/records/runs')
      .send([{ val: 'ada/hello' }, { val: 'ada/other', error: 'boom' }]);
    const none = await as(emulator).post('/_emulator/records/likes').send([]);

    expect(added.map(({ username }) => username)).toStrictEqual(['eve', 'mal']);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject([{ val: 'ada/hello' }, { val: 'ada/other', error: 'boom' }]);
    expect([none.status, none.body]).toStrictEqual([201, []]);
    expect(emulator.history()).toHaveLength(2);
  });

  test('later records may refer to earlier ones', async () => {
    const emulator = await emulate(fixtures);

    await emulator.add.comment([
      { id: '00000000-0000-4000-8000-000000000001', author: 'ada', val: 'ada/hello', comment: 'one' },
      { author: 'bob', val: 'ada/hello', comment: 'two' },
    ]);

    expect(emulator.state().comments).toHaveLength(2);
  });

  test('with errors are not added, and all errors have their index', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator)
      .post('/_emulator/records/users')
      .send([{ username: 'eve' }, { username: 'ada' }, { username: 'mal', tierr: 'pro' }]);

    expect(response.status).toBe(422);
    expect(response.body.problems).toMatchObject([
      { path: 'users[1].username' },
      { path: 'users[1].token' },
      { path: 'users[2].tierr' },
    ]);
    expect(emulator.users.map(({ username }) => username)).toStrictEqual(['ada', 'bob']);
  });
});
