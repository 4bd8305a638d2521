import { describe, expect, test } from 'vitest';
import { DROPPED } from '#engine/journal/bodies.js';
import type { Emulator } from '../../../src/index.js';
import { RandomClient } from '../../model/client.js';
import { without } from '../../model/operations.js';
import { as, emulate, isShared, NOW } from '../../support/emulate.js';
import { notFound, unauthorized } from '../../support/errors.js';
import { hand } from '../../support/hands.js';
import { SAMPLE_VALS, sampleFixtures } from '../../support/sample-fixtures.js';
import { sized } from '../../support/soak.js';
import { sendAndFormat } from '../../support/views.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const NOBODY = '0b0d0000-0000-4000-8000-000000000003';

const fixtures = {
  users: [
    { username: 'ada', id: ADA },
    { username: 'bob' },
    { username: null, id: NOBODY, token: 'nobody-token', email: 'nobody@example.com' },
  ],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1', privacy: 'private' as const }],
};

const ofAda = { authorization: 'Bearer ada-token' };

describe('read by the client', () => {
  test('has every field of a request', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'nobody').get('/v1/me?a=1&b=%20');

    expect(await hand(emulator).requests()).toStrictEqual([
      {
        id: 'r1',
        time: NOW,
        // The nodes of a cluster know the outcome of their own requests.
        duration: isShared ? expect.toBeOneOf([null, expect.any(Number)]) : expect.any(Number),
        outcome: isShared ? expect.toBeOneOf([null, 'sent']) : 'sent',
        delay: 0,
        route: 'GET /v1/me',
        params: {},
        method: 'GET',
        path: '/v1/me?a=1&b=%20',
        query: { a: '1', b: ' ' },
        user: NOBODY,
        status: 200,
        request: { headers: expect.any(Object), body: null },
        response: {
          headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
          body: {
            id: NOBODY,
            bio: null,
            username: null,
            profileImageUrl: null,
            url: `https://val.town/u/${NOBODY}`,
            links: { self: `${emulator.url}/v1/users/${NOBODY}` },
            tier: 'free',
            email: 'nobody@example.com',
          },
        },
        program: null,
        fault: null,
        commit: null,
        rows: [],
        trace: null,
        message: null,
        suggestion: null,
        reason: null,
        error: null,
      },
    ]);
  });

  test('finds the requests of a trace', async () => {
    const emulator = await emulate(fixtures);
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    await as(emulator).get('/v1/me').set('traceparent', `00-${trace}-00f067aa0ba902b7-01`);
    await as(emulator)
      .get('/v1/me')
      .set('traceparent', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`);
    await as(emulator).get('/v1/me');

    const found = await hand(emulator).requests({ trace });

    expect(found.map((entry) => [entry.id, entry.trace])).toEqual([['r1', trace]]);
    emulator.expectRequest('GET /v1/me', { trace, times: 1 });
    await expect(async () => hand(emulator).requests({ trace: 'abc' })).rejects.toThrow(
      'trace: found "abc"; expected a trace id of 32 digits 0–9 a–f.',
    );
  });

  test('lists the newest request last, with time, caller and bodies', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada')
      .post('/v1/vals')
      .send({ name: 'fresh', code: '1', tags: ['x', 1, null, true] });
    await emulator.clock.advance('1s');
    await as(emulator, 'bob').get(`/v1/vals/${HELLO}/`);
    await emulator.clock.advance('1s');
    await as(emulator).delete(`/v1/vals/${HELLO}`);
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`);
    await as(emulator, 'mallory').put('/v1/vals').send({});

    const requests = await hand(emulator).requests();

    const headers = expect.any(Object);
    const body = { name: 'fresh', code: '1', tags: ['x', 1, null, true] };
    const defaults = {
      ...{
        params: { val_id: HELLO },
        query: {},
        path: `/v1/vals/${HELLO}`,
        user: null,
        program: null,
        fault: null,
        rows: [],
        trace: null,
        message: null,
        suggestion: null,
        reason: null,
        error: null,
      },
      request: { headers, body: null },
    };
    const deleting = { ...defaults, route: 'DELETE /v1/vals/{val_id}', method: 'DELETE' };
    expect(requests.map(({ duration: _, outcome: __, delay: ___, ...request }) => request)).toStrictEqual([
      {
        ...defaults,
        ...{ id: 'r1', time: NOW, route: 'POST /v1/vals', method: 'POST', path: '/v1/vals', params: {}, user: 'ada' },
        ...{ status: 200, commit: 'r1', request: { headers, body } },
        response: {
          headers: expect.objectContaining({ 'content-type': 'application/json; charset=utf-8' }),
          body: expect.objectContaining({ name: 'fresh', version: 0, author: { id: ADA, username: 'ada' } }),
        },
      },
      {
        ...defaults,
        ...{ id: 'r2', time: '2024-06-11T22:05:13.585Z', route: 'GET /v1/vals/{val_id}', method: 'GET', user: 'bob' },
        ...{ path: `/v1/vals/${HELLO}/`, status: 404, commit: 'r1' },
        message: 'The val was not found',
        suggestion: 'Send the token of a user who may read it',
        reason: 'ada/hello exists, but bob may not read it',
        response: { headers, body: notFound('The val was not found') },
      },
      {
        ...deleting,
        ...{ id: 'r3', time: '2024-06-11T22:05:14.585Z', status: 401, commit: null },
        message: 'Unauthorized',
        suggestion: 'GET /_emulator/users lists the tokens',
        reason: 'the request has no token',
        response: { headers, body: unauthorized },
      },
      {
        ...deleting,
        ...{ id: 'r4', time: '2024-06-11T22:05:14.585Z', user: 'ada', status: 204, commit: 'r4' },
        response: { headers, body: null },
      },
      {
        ...defaults,
        ...{ id: 'r5', time: '2024-06-11T22:05:14.585Z', route: 'PUT /v1/vals', method: 'PUT', path: '/v1/vals' },
        ...{ params: {}, status: 401, commit: null, request: { headers, body: {} } },
        message: 'Unauthorized',
        suggestion: 'GET /_emulator/users lists the tokens',
        reason: 'no user has the token that was sent',
        response: { headers, body: unauthorized },
      },
    ]);
  });

  test('finds a request by its id', async () => {
    const emulator = await emulate(fixtures);
    const { fetch } = emulator;
    const get = async (id: string) => (await fetch(`/_emulator/requests/${id}`)).json();
    for (let i = 0; i < 1_002; i++) await fetch(`/v1/nowhere/${i + 1}`);

    expect(await get('r3')).toMatchObject({ id: 'r3', path: '/v1/nowhere/3' });
    expect(await get('r1002')).toMatchObject({ id: 'r1002', path: '/v1/nowhere/1002' });
    for (const id of ['r2', 'r1003', 'w3', 'r03', 'x', 'unhandled2']) {
      expect(await get(id)).toMatchObject({
        statusCode: 404,
        message: `There is no request "${id}": the journal has the last 1000.`,
      });
    }
    await emulator.clearRequests();
    expect(await get('r1002')).toMatchObject({ statusCode: 404 });
  });

  test.skipIf(isShared)('the duration is in milliseconds', async () => {
    const emulator = await emulate(fixtures);
    const start = performance.now();
    await as(emulator, 'ada').get('/v1/me');
    const took = performance.now() - start;

    const [request] = await hand(emulator).requests();

    expect(request?.duration).toBeGreaterThan(0);
    expect(request?.duration).toBeLessThan(took);
  });

  test('can be cleared without restarting the ids', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await as(emulator, 'ada').get('/v1/me');

    await control.clearRequests();

    expect(await control.requests()).toStrictEqual([]);
    await as(emulator, 'ada').get('/v1/me');
    expect((await control.requests()).map(({ id }) => id)).toStrictEqual(['r2']);
  });

  test('is cleared by a reset, which restarts the ids', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await as(emulator, 'ada').get('/v1/me');
    await as(emulator, 'ada').get('/v1/me');

    await control.reset();

    expect(await control.requests()).toStrictEqual([]);
    await as(emulator, 'ada').get('/v1/me');
    expect((await control.requests()).map(({ id }) => id)).toStrictEqual(['r1']);
  });

  test('stays the same after a restore or a rewind', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.snapshot('start');
    await as(emulator, 'ada').post('/v1/vals').send({ code: '1' });
    await control.rewind(1);
    await as(emulator, 'ada').post('/v1/vals').send({ code: '1' });
    await control.restore('start');
    await as(emulator, 'ada').get('/v1/me');

    expect((await control.requests()).map(({ id, route }) => [id, route])).toStrictEqual([
      ['r1', 'POST /v1/vals'],
      ['r2', 'POST /v1/vals'],
      ['r3', 'GET /v1/me'],
    ]);
  });

  test('excludes control requests and preflights', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator).get('/_emulator/clock');
    await as(emulator).get('/_emulator/nowhere');
    await as(emulator).options('/v1/vals');

    expect(await hand(emulator).requests()).toStrictEqual([]);
  });
});

const READS = [
  '/v1/me',
  '/v1/me/runs?limit=3&offset=2',
  '/v1/me/comments/',
  '/v1/me/likes?limit=2',
  '/v1/me/references',
  '/v1/search/vals?query=val',
  '/v1/vals/nowhere',
  ...SAMPLE_VALS.flatMap((id) => [`/v1/vals/${id}`, `/v1/vals/${id}/versions?offset=1`]),
];

/** A request by its answer, as a client saw it. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** A body that is not JSON, such as that of a blob, is a text. */
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

test.each(sized([1], [1, 2, 3]))('has responses as they are sent, whatever changes later (seed %i)', async (seed) => {
  const emulator = await emulate(sampleFixtures, { listen: false });
  const sandbox = await emulator.sandbox('one');
  const seen: Seen[] = [];
  const watching: typeof fetch = async (input, init) => {
    const response = await sandbox.fetch(input, init);
    const path = String(input);
    // The control API has responses that are not JSON.
    if (path.startsWith('/_emulator/')) return response;
    const text = await response.clone().text();
    // A response without content has no body; the content of a blob may be empty.
    const body = response.status === 204 ? null : parseOrText(text);
    seen.push({ method: init?.method ?? 'GET', path, status: response.status, body });
    return response;
  };
  const operations = without('faults', 'reset', 'seed', 'rewind', 'snapshots', 'requests');
  const requests = new RandomClient(watching, seed, { operations });

  // More reads at a stretch than after which an answer is had again from the state, and then writes.
  const rounds = isShared ? 1 : 4;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < 200; i++)
      await sendAndFormat(watching, ['ada token', undefined][i % 2], 'GET', READS[i % READS.length] ?? '');
    await requests.run(40);
  }

  const told = sandbox
    .requests()
    .map(({ method, path, status, response }): Seen => ({ method, path, status, body: response.body }));
  expect(told.length).toBeGreaterThan(rounds * 200);
  // A full journal has dropped the bodies of the oldest requests.
  const whole = told.map((each, i) => (each.body === DROPPED ? { ...each, body: seen[i]?.body } : each));
  expect(whole).toStrictEqual(seen);
  expect(told.filter(({ body }) => body === DROPPED).length).toBeLessThan(told.length / 2);
});

test.each(['in process', 'over a socket'])('has no body for an empty one %s', async (way) => {
  const emulator = await emulate(fixtures);
  const init = { method: 'POST', headers: { authorization: 'Bearer ada-token' }, body: '' };

  await (way === 'in process' ? emulator.fetch('/v1/blob/a', init) : fetch(`${emulator.url}/v1/blob/a`, init));

  expect(emulator.requests().map(({ status, request }) => [status, request.body])).toEqual([[201, null]]);
});

test('has HEAD with the route of GET, without a body', async () => {
  const emulator = await emulate(fixtures);

  await as(emulator, 'ada').head('/v1/me');

  expect(emulator.requests()).toMatchObject([
    { method: 'HEAD', route: 'GET /v1/me', status: 200, response: { body: null } },
  ]);
  expect(emulator.unhandled()).toStrictEqual([]);
});

test('unhandled requests are those to unknown routes', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'ada').get('/v1/me');
  await as(emulator, 'ada').get('/v2/projects?x=1');
  await as(emulator, 'ada').patch('/v1/vals').send({ name: 'x' });
  await as(emulator, 'ada').get(`/v1/vals/${NOBODY}`);
  await as(emulator).get('/docs');
  await as(emulator).head('/v1/nowhere');

  expect(
    emulator.unhandled().map(({ id, method, path, route, user, status }) => [id, method, path, route, user, status]),
  ).toStrictEqual([
    ['r2', 'GET', '/v2/projects?x=1', null, 'ada', 501],
    ['r3', 'PATCH', '/v1/vals', null, 'ada', 404],
    ['r5', 'GET', '/docs', null, null, 404],
    ['r6', 'HEAD', '/v1/nowhere', null, null, 404],
  ]);
});

describe('GET /_emulator/requests', () => {
  test('a route in a query may have a plus for its space', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').get('/v1/me');
    await as(emulator, 'ada').get('/v1/me/likes');

    const response = await as(emulator).get('/_emulator/requests?route=GET+/v1/me/likes');

    expect(response.body).toMatchObject([{ id: 'r2' }]);
  });
});

describe('bodies', () => {
  /** The body of the last request as it is noted. */
  const noted = (emulator: Emulator) => emulator.requests().at(-1)?.request.body;
  const send = (emulator: Emulator, body: string, type = 'application/json') =>
    emulator.fetch('/v1/vals', { method: 'POST', headers: { ...ofAda, 'content-type': type }, body });

  test.each([
    ['an object', '{"a":{"b":[1,2]}}', { a: { b: [1, 2] } }],
    ['an array', '[]', []],
    ['a text', '"text"', 'text'],
    ['null', 'null', null],
    ['nothing', '', null],
    ['half of it', '{"a":', '{"a":'],
    ['a name that objects have anyway', '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])('JSON is parsed: %s', async (_, body, expected) => {
    const emulator = await emulate(fixtures, { listen: false });

    await send(emulator, body);

    expect(noted(emulator)).toStrictEqual(expected);
  });

  test('a body that is not JSON is a text', async () => {
    const emulator = await emulate(fixtures, { listen: false });

    await send(emulator, 'name=x&code=1', 'application/x-www-form-urlencoded');

    expect(emulator.requests()).toMatchObject([
      { status: 415, request: { headers: expect.any(Object), body: 'name=x&code=1' } },
    ]);
  });

  test('a body too large to be read is null', async () => {
    const emulator = await emulate(fixtures);

    await as(emulator, 'ada')
      .post('/v1/vals')
      .send({ code: 'x'.repeat(1_048_576) });

    expect(emulator.requests()).toMatchObject([{ status: 413, request: { headers: expect.any(Object), body: null } }]);
  });

  test('a body of 64 KB is complete', async () => {
    const emulator = await emulate(fixtures, { listen: false });
    const body = `{"code":"${'x'.repeat(65_536 - 11)}"}`;
    expect(body).toHaveLength(65_536);

    await send(emulator, body);

    expect(noted(emulator)).toStrictEqual({ code: 'x'.repeat(65_525) });
  });

  test('a longer body is cut to 64 KB of text', async () => {
    const emulator = await emulate(fixtures, { listen: false });
    const body = `{"code":"${'x'.repeat(65_536 - 10)}"}`;

    await send(emulator, body);

    const [request] = emulator.requests();
    expect(request).toMatchObject({ status: 200 });
    expect(request?.request.body).toBe(body.slice(0, 65_536));
    expect(request?.response.body).toMatch(/^\{"name":"\w+","id":"[-\w]+","version":0,"code":"x+$/);
    expect(request?.response.body).toHaveLength(65_536);
  });

  test('a deeply nested body is recorded', async () => {
    const emulator = await emulate(fixtures);
    const body = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;

    await send(emulator, body);

    expect(emulator.requests()).toMatchObject([{ status: 400 }]);
    expect((await as(emulator).get('/_emulator/requests')).status).toBe(200);
  });
});
