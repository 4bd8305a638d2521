import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Emulator, FaultError, type FaultOptions, type RouteReference, type Sandbox } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { malformed, unauthorized, valNotFound } from '../../support/errors.js';
import { hand } from '../../support/hands.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const SECRET = '5ec00000-0000-4000-8000-000000000002';
const NOBODY = '0b0d0000-0000-4000-8000-000000000003';

const fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }, { username: null, id: NOBODY, token: 'nobody-token' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1' },
    { author: 'ada', name: 'secret', id: SECRET, code: '1', privacy: 'private' as const },
  ],
};

/** A fault with defaults only, before any request. */
const armed = {
  ...{ id: 'f1', route: null, method: null, user: null, match: null, status: 500, times: null, after: 0 },
  ...{ headers: null, body: null, delay: null, rate: 1, seed: '0', reset: false, truncate: null },
  ...{ until: null, seen: 0, hits: 0, remaining: null },
};

const unavailable = { message: 'Service Unavailable', error: 'Service Unavailable', statusCode: 503 };

const create = (emulator: Emulator, name?: string) => as(emulator, 'ada').post('/v1/vals').send({ name, code: '1' });

/** Creates vals one after another, and returns the statuses. */
async function creations(emulator: Emulator, count: number): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < count; i++) statuses.push((await create(emulator)).status);
  return statuses;
}

describe('armed by the client', () => {
  test('the second and the third request fail, and no other', async () => {
    const emulator = await emulate(fixtures);

    const fault = await hand(emulator).fail('POST /v1/vals', { status: 503, times: 2, after: 1 });

    expect(fault).toStrictEqual({ ...armed, route: 'POST /v1/vals', status: 503, times: 2, after: 1, remaining: 2 });
    expect(await creations(emulator, 6)).toStrictEqual([200, 503, 503, 200, 200, 200]);
  });

  test('responds with an error body of the API', async () => {
    const emulator = await emulate(fixtures);
    await hand(emulator).fail('POST /v1/vals', { status: 503 });

    const response = await create(emulator);

    expect(response.status).toBe(503);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['content-length']).toBe('80');
    expect(response.body).toStrictEqual(unavailable);
  });

  test('responds with 500 by default, as often as times', async () => {
    const emulator = await emulate(fixtures);

    const fault = await hand(emulator).fail('*');

    expect(fault).toStrictEqual(armed);
    expect(await creations(emulator, 3)).toStrictEqual([500, 500, 500]);
    expect((await as(emulator).get('/nowhere')).body).toStrictEqual({
      message: 'Internal Server Error',
      error: 'Internal Server Error',
      statusCode: 500,
    });
  });

  test('returns every field of an armed fault', async () => {
    const control = hand(await emulate(fixtures));

    const options: FaultOptions = {
      ...{ status: 503, times: 2, after: 1, body: { why: ['test'] }, rate: 0.5, reset: true, truncate: 20 },
      delay: [0, 1],
    };

    const fault = await control.fail('POST /v1/vals', {
      ...{ ...options, method: 'post', user: 'ADA', headers: { 'Retry-After': 1, 'X-Why': 'test' }, seed: 7 },
    });

    const expected = {
      ...{ ...armed, ...options, route: 'POST /v1/vals', method: 'POST', user: 'ada', seed: '7', remaining: 2 },
      headers: { 'Retry-After': '1', 'X-Why': 'test' },
    };
    expect(fault).toStrictEqual(expected);
    expect(await control.faults()).toStrictEqual([expected]);
  });

  test('disarms one fault, and no other', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.fail('GET /v1/me', { status: 500 });
    const { id } = await control.fail('POST /v1/vals', { status: 503 });
    expect(id).toBe('f2');

    await control.disarm('f2');

    expect((await create(emulator)).status).toBe(200);
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(500);
    expect(await control.faults()).toStrictEqual([{ ...armed, route: 'GET /v1/me', seen: 1, hits: 1 }]);
    expect((await control.fail('*')).id).toBe('f3');
  });

  test('disarms all faults', async () => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);
    await control.fail('GET /v1/me');
    await control.fail('*');

    await control.disarm();

    expect(await control.faults()).toStrictEqual([]);
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
    await control.disarm();
  });

  test('an unknown id is refused with the armed faults', async () => {
    const control = hand(await emulate(fixtures));
    await expect(control.disarm('f1')).rejects.toHaveProperty('message', 'There is no fault "f1". Armed: none.');
    await control.fail('GET /v1/me');
    await control.fail('*');

    await expect(control.disarm('f3')).rejects.toHaveProperty('message', 'There is no fault "f3". Armed: f1, f2.');

    expect(await control.faults()).toHaveLength(2);
  });

  test.each<[string, FaultOptions, string]>([
    ['POST /v1/val', { status: 503 }, 'fault route: there is no route "POST /v1/val". Did you mean "POST /v1/vals"?'],
    [
      'POST /v1/vals/{id}/versions',
      {},
      'fault route: there is no route "POST /v1/vals/{id}/versions". Did you mean "POST /v1/vals/{val_id}/versions"?',
    ],
    ['GET /v1/me', { user: 'bop' }, 'fault user: there is no user "bop". Did you mean "bob"?'],
    ['GET /v1/me', { user: 'mallory' }, 'fault user: there is no user "mallory".'],
    ['*', { method: 'PSOT' }, 'fault method: there is no method "PSOT". Did you mean "POST"?'],
    ['GET /v1/me', { method: 'POST' }, 'fault method: found "POST"; the route GET /v1/me has another one.'],
    ['*', { delay: [20, 10] }, 'fault delay: found [20,10]; expected the minimum before the maximum.'],
    ['*', { headers: { 'Retry After': '1' } }, 'fault headers: Header name must be a valid HTTP token ["Retry After"]'],
    ['*', { headers: { 'X-Why': 'a\nb' } }, 'fault headers: Invalid character in header content ["X-Why"]'],
    [
      'get /v1/me',
      { user: 'adda' },
      'fault route: there is no route "get /v1/me". Did you mean "GET /v1/me"?\nfault user: there is no user "adda". Did you mean "ada"?',
    ],
  ])('refuses %s %j and arms nothing', async (route, options, message) => {
    const emulator = await emulate(fixtures);
    const control = hand(emulator);

    await expect(control.fail(route, options)).rejects.toHaveProperty('message', message);

    expect(await control.faults()).toStrictEqual([]);
    expect((await control.fail('GET /v1/me')).id).toBe('f1');
  });

  test('each sandbox has separate faults', async () => {
    const emulator = await emulate(fixtures);

    await hand(await emulator.sandbox('broken')).fail('*', { status: 503 });

    expect(await hand(emulator).faults()).toStrictEqual([]);
    expect((await as(emulator, 'ada').get('/v1/me')).status).toBe(200);
    expect((await as(emulator, 'ada').get('/_sandbox/broken/v1/me')).status).toBe(503);
    expect((await as(emulator, 'ada').get('/_sandbox/sound/v1/me')).status).toBe(200);
  });
});

test.each([
  ['POST', 'Similar: POST /v1/vals, POST /v2/vals, POST /v1/email.'],
  ['email', 'Similar: POST /v1/email.'],
  ['step1', 'A route is a method and a path, such as GET /v1/me.'],
])('an unknown route %j is refused with similar ones, if there are any', async (route, hint) => {
  const emulator = await emulate(fixtures);

  // @ts-expect-error: an unknown route
  const attempt = () => emulator.fail(route);

  expect(attempt).toThrow(FaultError);
  expect(attempt).toThrow(
    `fault route: there is no route "${route}". ${hint} For any route use "*"; the method narrows it.`,
  );
});

const DELAY = 'a duration such as "5s" or milliseconds, at most 600000, or [minimum, maximum]';

test.each([
  ['status', { status: 199 }, 'fault status: found 199; expected at least 200.'],
  ['status', { status: 600 }, 'fault status: found 600; expected at most 599.'],
  ['times', { times: 0 }, 'fault times: found 0; expected at least 1.'],
  ['after', { after: -1 }, 'fault after: found -1; expected at least 0.'],
  ['rate', { rate: 20 }, 'fault rate: found 20; expected at most 1.'],
  ['delay', { delay: -1 }, `fault delay: found -1; expected ${DELAY}.`],
  ['delay', { delay: 'long' }, `fault delay: found "long"; expected ${DELAY}.`],
  ['delay', { delay: '11m' }, `fault delay: found "11m"; expected ${DELAY}.`],
  ['delay', { delay: ['1s', '11m'] }, `fault delay: found ["1s","11m"]; expected ${DELAY}.`],
  ['delay', { delay: ['2s', 100] }, 'fault delay: found ["2s",100]; expected the minimum before the maximum.'],
  ['truncate', { truncate: 1.5 }, 'fault truncate: found 1.5; expected a whole number.'],
  ['reset', { reset: false }, 'fault reset: found false; expected true.'],
  ['a key', { time: 2 }, 'fault time: unknown key. Did you mean "times"?'],
])('a wrong %s is refused', async (_, options, message) => {
  const emulator = await emulate(fixtures);

  expect(() => emulator.fail('*', JSON.parse(JSON.stringify(options)))).toThrow(message);
  expect(emulator.faults()).toStrictEqual([]);
});

describe('POST /_emulator/faults', () => {
  test.each([
    [{ status: '503' }, malformed('body.status', 'found "503"; expected a whole number.')],
    [{ times: 0 }, malformed('body.times', 'found 0; expected at least 1.')],
    [{ delay: [1] }, malformed('body.delay', `found [1]; expected ${DELAY}.`)],
    [{ headers: { a: null } }, malformed('body.headers.a', 'found null; expected a string or a number.')],
    [{ seed: 1.5 }, malformed('body.seed', 'found 1.5; expected a whole number or a string.')],
    [{ reset: 'yes' }, malformed('body.reset', 'found "yes"; expected true.')],
    [{ statuss: 503 }, malformed('body.statuss', 'unknown key. Did you mean "status"?')],
  ])('%j returns 400', async (body, answer) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).post('/_emulator/faults').send(body);

    expect(response.status).toBe(400);
    expect(response.body).toStrictEqual(answer);
    expect(emulator.faults()).toStrictEqual([]);
  });
});

describe('which requests a fault matches', () => {
  const REQUESTS: Readonly<Record<string, (emulator: Emulator) => PromiseLike<{ readonly status: number }>>> = {
    me: (emulator) => as(emulator, 'ada').get('/v1/me'),
    head: (emulator) => as(emulator, 'ada').head('/v1/me'),
    bob: (emulator) => as(emulator, 'bob').get('/v1/me'),
    anonymous: (emulator) => as(emulator).get('/v1/me'),
    unknown: (emulator) => as(emulator, 'mallory').get('/v1/me'),
    nameless: (emulator) => as(emulator, 'nobody').get(`/v1/vals/${HELLO}/`),
    invalid: (emulator) => as(emulator, 'ada').get('/v1/vals/hello'),
    patch: (emulator) => as(emulator, 'ada').patch('/v1/vals').send({}),
    nowhere: (emulator) => as(emulator, 'ada').get('/nowhere'),
    options: (emulator) => as(emulator).options('/v1/me'),
    control: (emulator) => as(emulator).get('/_emulator/faults'),
  };
  const OF_ME = ['me', 'head', 'bob', 'anonymous', 'unknown'];

  test.each<[string, RouteReference | '*', FaultOptions, string[]]>([
    ['any', '*', {}, [...OF_ME, 'nameless', 'invalid', 'patch', 'nowhere']],
    ['by route', 'GET /v1/me', {}, OF_ME],
    ['by route with parameters', 'GET /v1/vals/{val_id}', {}, ['nameless', 'invalid']],
    ['by method', '*', { method: 'HEAD' }, ['head']],
    ['by method, in small letters', '*', { method: 'patch' }, ['patch']],
    ['by user', '*', { user: 'ada' }, ['me', 'head', 'invalid', 'patch', 'nowhere']],
    ['by user id', '*', { user: NOBODY }, ['nameless']],
    ['by route and user', 'GET /v1/me', { user: 'bob' }, ['bob']],
    ['by route and method', 'GET /v1/me', { method: 'HEAD' }, ['head']],
  ])('%s', async (_, route, options, expected) => {
    const emulator = await emulate(fixtures);
    await emulator.fail(route, { status: 418, ...options });

    const injected = [];
    for (const [name, send] of Object.entries(REQUESTS)) {
      if ((await send(emulator)).status === 418) injected.push(name);
    }

    expect(injected).toStrictEqual(expected);
  });

  test('the fault armed first is injected, and later ones do not count the request', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('POST /v1/vals', { status: 500, times: 1 });
    await emulator.fail('*', { status: 503, times: 1 });
    await emulator.fail('POST /v1/vals', { status: 502, after: 1, times: 1 });

    expect(await creations(emulator, 5)).toStrictEqual([500, 503, 200, 502, 200]);
    expect(emulator.faults().map(({ seen, hits }) => [seen, hits])).toStrictEqual([
      [1, 1],
      [1, 1],
      [2, 1],
    ]);
  });

  test('a rate of 0.2 selects the same requests on every run', async () => {
    const emulator = await emulate(fixtures, { listen: false });
    const statuses = async (options: FaultOptions) => {
      await emulator.reset();
      await emulator.fail('GET /v1/me', { status: 503, ...options });
      const injected = [];
      for (let call = 1; call <= 100; call++) {
        const { status } = await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
        if (status === 503) injected.push(call);
      }
      return injected;
    };

    const golden = [2, 3, 4, 8, 11, 12, 13, 23, 26, 38, 39, 47, 53, 57, 62, 65, 77, 86, 92];
    expect(await statuses({ rate: 0.2 })).toStrictEqual(golden);
    expect(await statuses({ rate: 0.2, seed: 0 })).toStrictEqual(golden);
    expect(await statuses({ rate: 0.2, seed: '0' })).toStrictEqual(golden);
    expect(await statuses({ rate: 0.2, seed: 7 })).toStrictEqual([
      1, 9, 14, 15, 17, 18, 21, 29, 31, 33, 34, 35, 44, 57, 59, 64, 65, 75, 82, 85, 91, 92, 94, 95,
    ]);
    expect(await statuses({ rate: 0.2, after: 50, times: 5 })).toStrictEqual([53, 57, 62, 65, 77]);
    expect(await statuses({ rate: 0 })).toStrictEqual([]);
    expect(await statuses({ rate: 1 })).toHaveLength(100);
  });

  test('a rate selects the same requests among other writes, and with any seed of ids', async () => {
    const emulator = await emulate(fixtures, { idSeed: 'another' });
    await emulator.fail('GET /v1/me', { status: 503, rate: 0.2 });

    const injected = [];
    for (let call = 1; call <= 13; call++) {
      await create(emulator);
      if ((await as(emulator, 'bob').get('/v1/me')).status === 503) injected.push(call);
    }

    expect(injected).toStrictEqual([2, 3, 4, 8, 11, 12, 13]);
  });
});

describe('the response of a fault', () => {
  test('adds its headers, which replace those of the same name', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', {
      status: 429,
      headers: { 'Retry-After': 2, 'Content-Type': 'application/problem+json', 'X-Why': 'test' },
    });

    const response = await as(emulator, 'ada').get('/v1/me');

    expect(response.headers).toMatchObject({
      'retry-after': '2',
      'content-type': 'application/problem+json',
      'x-why': 'test',
    });
    expect(JSON.parse(response.text)).toStrictEqual({
      message: 'Too Many Requests',
      error: 'Too Many Requests',
      statusCode: 429,
    });
  });

  test.each([
    [{ why: 'test' }, '{"why":"test"}', 'application/json; charset=utf-8'],
    [['a', 1, null], '["a",1,null]', 'application/json; charset=utf-8'],
    [0, '0', 'application/json; charset=utf-8'],
    [false, 'false', 'application/json; charset=utf-8'],
    [null, 'null', 'application/json; charset=utf-8'],
    ['<h1>Bad Gateway</h1>', '<h1>Bad Gateway</h1>', 'text/plain; charset=utf-8'],
    ['', '', 'text/plain; charset=utf-8'],
    ['{"half":', '{"half":', 'text/plain; charset=utf-8'],
  ])('sends a body of %j', async (body, text, type) => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { status: 502, body });

    const response = await fetch(`${emulator.url}/v1/me`);

    expect(response.status).toBe(502);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await response.text()).toBe(text);
  });

  test('sends a text with its media type', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', {
      status: 502,
      body: '<h1>é</h1>',
      headers: { 'content-type': 'text/html' },
    });

    const response = await fetch(`${emulator.url}/v1/me`);

    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toBe('<h1>é</h1>');
  });

  test.each([
    [200, { message: 'OK', error: 'OK', statusCode: 200 }],
    [401, unauthorized],
    [599, { message: 'Injected fault', error: 'Error', statusCode: 599 }],
  ])('status %i has the error body of the API', async (status, body) => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { status });

    const response = await as(emulator, 'ada').get('/v1/me');

    expect(response.status).toBe(status);
    expect(response.body).toStrictEqual(body);
  });

  test.each([204, 304])('status %i has no body', async (status) => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { status, body: 'text' });

    const response = await as(emulator, 'ada').get('/v1/me');

    expect(response.status).toBe(status);
    expect(response.text).toBe('');
    expect(response.headers).not.toHaveProperty('content-length');
  });

  test('is injected before a 401 or a 404', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/vals/{val_id}', { status: 503, times: 1 });

    expect((await as(emulator).get(`/v1/vals/${SECRET}`)).body).toStrictEqual(unavailable);
    expect((await as(emulator).get(`/v1/vals/${SECRET}`)).body).toStrictEqual(valNotFound);
  });

  test('an injected response changes no record', async () => {
    const emulator = await emulate(fixtures);
    const untroubled = await emulate(fixtures);
    const before = emulator.state();
    await emulator.fail('*', { status: 503, times: 4 });

    await create(emulator, 'fresh');
    await as(emulator, 'ada').put('/v1/vals').send({ name: 'hello', code: '2' });
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}/versions/0`);
    await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`);

    expect(emulator.state()).toStrictEqual(before);
    expect(emulator.history()).toStrictEqual([]);
    const ids = [(await create(emulator)).body, (await create(untroubled)).body].map(({ id, name }) => [id, name]);
    expect(ids[0]).toStrictEqual(ids[1]);
  });

  test('the journal has the id of the fault', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('POST /v1/vals', { status: 503, after: 1, times: 1, body: 'broken' });
    await emulator.fail('GET /v1/me', { delay: 1 });
    await creations(emulator, 2);
    await as(emulator, 'ada').get('/v1/me');

    expect(
      emulator.requests().map(({ route, status, fault, response }) => ({ route, status, fault, body: response.body })),
    ).toStrictEqual([
      { route: 'POST /v1/vals', status: 200, fault: null, body: expect.objectContaining({ version: 0 }) },
      { route: 'POST /v1/vals', status: 503, fault: 'f1', body: 'broken' },
      { route: 'GET /v1/me', status: 200, fault: 'f2', body: expect.objectContaining({ username: 'ada' }) },
    ]);
  });
});

describe('delay', () => {
  test('is a duration, or milliseconds', async () => {
    const emulator = await emulate(fixtures);
    const delays = ['5s', 250, '1m30s', ['100ms', '300ms'], [50, '0.5s']] as const;
    for (const delay of delays) await as(emulator).post('/_emulator/faults').send({ delay }).expect(201);

    expect((await emulator.faults()).map(({ delay }) => delay)).toEqual([5_000, 250, 90_000, [100, 300], [50, 500]]);
  });

  /** Milliseconds until the answer to GET /v1/me, and its status. */
  async function clocked(sandbox: Sandbox): Promise<{ took: number; status: number }> {
    const start = performance.now();
    const { status } = await fetch(`${sandbox.url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });
    return { took: performance.now() - start, status };
  }

  test('delays the true response', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { delay: 150, times: 1 });

    const { took, status } = await clocked(emulator);

    expect(status).toBe(200);
    expect(took).toBeGreaterThanOrEqual(149);
    await clocked(emulator);
    expect((await emulator.requests()).map(({ fault }) => fault)).toEqual(['f1', null]);
  });

  test('delays neither other requests nor the commit', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('POST /v1/vals', { delay: '9m' });

    const abort = new AbortController();
    const slow = fetch(`${emulator.url}/v1/vals`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
      body: '{"name":"slow","code":"1"}',
      signal: abort.signal,
    });
    while (emulator.history().length === 0) {
      await emulator.saved();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { status } = await clocked(emulator);

    expect(status).toBe(200);
    expect(emulator.state().vals).toContainEqual(expect.objectContaining({ name: 'slow' }));
    abort.abort();
    await expect(slow).rejects.toThrow('aborted');
  });

  test('comes before a reset', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { delay: 100, reset: true });
    const start = performance.now();

    await expect(clocked(emulator)).rejects.toThrow('fetch failed');

    expect(performance.now() - start).toBeGreaterThanOrEqual(99);
  });
});

/** What a client without any comfort gets: an answer as far as it came, or the code of an error. */
function exchange(emulator: Emulator, method: string, path: string) {
  return new Promise<{ code?: unknown; status?: number | undefined; length?: unknown; text?: string; whole?: boolean }>(
    (resolve) => {
      const options = { method, headers: { authorization: 'Bearer ada-token' }, agent: false };
      const request = httpRequest(emulator.url + path, options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          text += part;
        });
        response.on('error', () => {});
        response.on('close', () => {
          const { statusCode: status, headers, complete: whole } = response;
          resolve({ status, length: headers['content-length'], text, whole });
        });
      });
      request.on('error', (error) => resolve({ code: 'code' in error ? error.code : undefined }));
      request.end();
    },
  );
}

describe('reset', () => {
  test('resets the connection without a response', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { reset: true, times: 2 });

    expect(await exchange(emulator, 'GET', '/v1/me')).toStrictEqual({ code: 'ECONNRESET' });
    await expect(fetch(`${emulator.url}/v1/me`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await exchange(emulator, 'GET', '/v1/me')).toMatchObject({ status: 200, whole: true });
  });

  test('the request is in the journal, and changed nothing', async () => {
    const emulator = await emulate(fixtures);
    const before = emulator.state();
    await emulator.fail('DELETE /v1/vals/{val_id}', { reset: true });

    await exchange(emulator, 'DELETE', `/v1/vals/${HELLO}`);

    expect(emulator.state()).toStrictEqual(before);
    expect(emulator.requests()).toMatchObject([
      { route: 'DELETE /v1/vals/{val_id}', user: 'ada', status: 0, response: { body: null }, fault: 'f1' },
    ]);
  });
});

describe('truncate', () => {
  test('closes the connection after some bytes of the true body', async () => {
    const emulator = await emulate(fixtures);
    const { text: whole, length } = await exchange(emulator, 'GET', '/v1/me');
    await emulator.fail('GET /v1/me', { truncate: 20, times: 1 });

    const broken = await exchange(emulator, 'GET', '/v1/me');

    expect(whole?.length).toBeGreaterThan(100);
    expect(broken).toStrictEqual({ status: 200, length, text: whole?.slice(0, 20), whole: false });
    expect(await exchange(emulator, 'GET', '/v1/me')).toMatchObject({ text: whole, whole: true });
  });

  test.each([
    [0, '', false],
    [3, 'abc', false],
    [6, 'abcdef', true],
    [99, 'abcdef', true],
  ])('cuts an injected body after %i bytes: %j', async (truncate, text, whole) => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { truncate, status: 502, body: 'abcdef' });

    expect(await exchange(emulator, 'GET', '/v1/me')).toStrictEqual({ status: 502, length: '6', text, whole });
  });

  test('counts bytes, not characters', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('GET /v1/me', { truncate: 4, status: 502, body: 'éèà' });

    expect(await exchange(emulator, 'GET', '/v1/me')).toMatchObject({ text: 'éè', length: '6' });
  });

  test('a write with a truncated response is committed', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('POST /v1/vals', { truncate: 10 });

    await expect(create(emulator, 'fresh')).rejects.toThrow();

    expect(emulator.state().vals.map(({ name }) => name)).toStrictEqual(['hello', 'secret', 'fresh']);
    expect(emulator.history()).toMatchObject([{ id: 'r1', request: 'POST /v1/vals' }]);
    expect(emulator.requests()).toMatchObject([{ status: 200, response: { body: { name: 'fresh' } }, fault: 'f1' }]);
  });

  test('does not cut a response without a body', async () => {
    const emulator = await emulate(fixtures);
    await emulator.fail('DELETE /v1/vals/{val_id}', { truncate: 0 });

    expect(await exchange(emulator, 'DELETE', `/v1/vals/${HELLO}`)).toMatchObject({ status: 204, whole: true });
  });
});
