import { describe, expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import { type Emulator, ExpectationError, type RequestStep } from '../../../src/index.js';
import { as, emulate, isShared } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }, { username: 'bob' }] };

async function emulateRequests(): Promise<Emulator> {
  const emulator = await emulate(fixtures);
  const ada = () => as(emulator, 'ada');
  await ada().put('/v1/vals').send({ name: 'one', code: '1' });
  await ada().get('/v1/me');
  await ada().put('/v1/vals').send({ name: 'two', code: '2' });
  await as(emulator).get('/v1/mee');
  return emulator;
}

/** The message of the failure; undefined for none. In the same process, and by a remote client. */
async function findFailure(
  emulator: Emulator,
  method: 'expectSequence' | 'expectNoOther',
  steps: readonly RequestStep[],
) {
  const failures = [];
  for (const sandbox of [emulator, connect(emulator.url)]) {
    try {
      await sandbox[method](steps);
      failures.push(undefined);
    } catch (error) {
      expect(error).toBeInstanceOf(ExpectationError);
      failures.push(error instanceof Error ? error.message : error);
    }
  }
  expect(failures[0]).toBe(failures[1]);
  return failures[0];
}

describe('a sequence', () => {
  test.each<[RequestStep[]]>([
    [['PUT /v1/vals', 'GET /v1/me', 'PUT /v1/vals']],
    [['PUT /v1/vals', 'PUT /v1/vals']],
    [['PUT /v1/vals', { method: 'GET' }, { status: 404 }]],
    [
      [
        { route: 'PUT /v1/vals', body: { name: 'two' } },
        { status: 404, user: undefined },
      ],
    ],
    [['GET /v1/me']],
    [[]],
  ])('%j holds', async (steps) => {
    expect(await findFailure(await emulateRequests(), 'expectSequence', steps)).toBeUndefined();
  });

  test.each<[RequestStep[], message: string]>([
    [
      ['PUT /v1/vals', 'GET /v1/me', { route: 'PUT /v1/vals', body: { name: 'one' } }, 'GET /v1/me'],
      `expected 4 requests in this order, but number 3 was not received after r2: PUT /v1/vals with body {"name":"one"}
Received in order:
  r1 PUT /v1/vals 200 by ada
  r2 GET /v1/me 200 by ada
Near misses:
  r3 PUT /v1/vals 200 by ada
      body.name: expected "one", found "two"
  r4 GET /v1/mee 404 (Route GET:/v1/mee not found - Did you mean "GET /v1/me"?)
      route: expected "PUT /v1/vals", found null
      body: expected {"name":"one"}, found null`,
    ],
    [
      [{ status: 404 }, 'GET /v1/me'],
      `expected 2 requests in this order, but number 2 was not received after r4: GET /v1/me
Received in order:
  r4 GET /v1/mee 404 (Route GET:/v1/mee not found - Did you mean "GET /v1/me"?)
Received too early:
  r2 GET /v1/me 200 by ada
No request was received after r4.`,
    ],
    [
      ['GET /v1/me/likes'],
      `expected 1 request in this order, but number 1 was not received: GET /v1/me/likes
Near misses:
  r1 PUT /v1/vals 200 by ada
      route: expected "GET /v1/me/likes", found "PUT /v1/vals"
  r2 GET /v1/me 200 by ada
      route: expected "GET /v1/me/likes", found "GET /v1/me"
  r3 PUT /v1/vals 200 by ada
      route: expected "GET /v1/me/likes", found "PUT /v1/vals"`,
    ],
  ])('%j fails at the first step that is missing', async (steps, message) => {
    expect(await findFailure(await emulateRequests(), 'expectSequence', steps)).toBe(message);
  });

  test.each<[unknown, message: string]>([
    [[{ route: 'GET /v1/me', stauts: 200 }], 'option steps[0].stauts: unknown key. Did you mean "status"?'],
    [
      ['GET /v1/me', 'GET /v1/mee'],
      'option steps[1].route: there is no route "GET /v1/mee". Did you mean "GET /v1/me"?',
    ],
    ['GET /v1/me', 'option steps: found "GET /v1/me"; expected a list of at most 100 requests, such as'],
    [Array(101).fill('GET /v1/me'), 'option steps: found ["GET /v1/me","GET /v1/me"'],
  ])('%j is refused', async (steps, message) => {
    const emulator = await emulateRequests();

    expect(() => Reflect.apply(emulator.expectSequence, emulator, [steps])).toThrow(message);
  });
});

describe('expectNoOther', () => {
  // Each node remembers its own.
  test.skipIf(isShared)('passes for requests that expectations match, until the journal is cleared', async () => {
    const emulator = await emulateRequests();
    expect(await findFailure(emulator, 'expectNoOther', [])).toBe(
      `expected no other requests, but there were 4 of 4 in all:
  r1 PUT /v1/vals 200 by ada
  r2 GET /v1/me 200 by ada
  r3 PUT /v1/vals 200 by ada
  r4 GET /v1/mee 404 (Route GET:/v1/mee not found - Did you mean "GET /v1/me"?)`,
    );

    emulator.expectRequest('PUT /v1/vals', { times: 2 });
    expect(() => emulator.expectRequest('GET /v1/me', { times: 2 })).toThrow(ExpectationError);
    emulator.expectRequest('GET /v1/me/likes', { times: 0 });
    expect(await findFailure(emulator, 'expectNoOther', [])).toBe(
      `expected no other requests, but there were 2 of 4 in all:
  r2 GET /v1/me 200 by ada
  r4 GET /v1/mee 404 (Route GET:/v1/mee not found - Did you mean "GET /v1/me"?)`,
    );

    emulator.expectSequence(['GET /v1/me', { status: 404 }]);
    expect(await findFailure(emulator, 'expectNoOther', [])).toBeUndefined();
    await as(emulator, 'ada').get('/v1/me');
    expect(await findFailure(emulator, 'expectNoOther', [])).toBe(
      'expected no other requests, but there was 1 of 5 in all:\n  r5 GET /v1/me 200 by ada',
    );
    await emulator.clearRequests();
    expect(await findFailure(emulator, 'expectNoOther', [])).toBeUndefined();
  });

  test('allows single routes', async () => {
    const emulator = await emulateRequests();

    expect(
      await findFailure(emulator, 'expectNoOther', ['PUT /v1/vals', { status: 404 }, 'GET /v1/me']),
    ).toBeUndefined();
    expect(await findFailure(emulator, 'expectNoOther', ['PUT /v1/vals', { status: 404 }])).toBe(
      'expected no other requests, but there was 1 of 4 in all:\n  r2 GET /v1/me 200 by ada',
    );
  });
});

test('expect-sequence takes routes over HTTP', async () => {
  await as(await emulateRequests())
    .post('/_emulator/requests/expect-sequence')
    .send({ steps: ['GET /v1/me', { status: 404 }] })
    .expect(204);
});

test.each([
  [
    'expect-sequence',
    { steps: ['GET /v1/mee'] },
    422,
    'steps[0].route: there is no route "GET /v1/mee". Did you mean "GET /v1/me"?',
  ],
  ['expect-sequence', { steps: ['GET /v1/me', 5] }, 400, 'body.steps[1]: found 5; expected a string or an object.'],
  ['expect-sequence', { steps: [{ statuss: 404 }] }, 400, 'body.steps[0].statuss: unknown key. Did you mean "status"?'],
  [
    'expect-sequence',
    { steps: [{ status: '40' }] },
    400,
    'body.steps[0].status: found "40"; expected an HTTP status such as 404, a class such as 4xx, or several: 404,5xx.',
  ],
  [
    'expect-sequence',
    {},
    400,
    'body.steps: missing; expected a list of at most 100 requests, such as ["GET /v1/me", { method: "POST", status: 201 }].',
  ],
  [
    'expect-sequence',
    { steps: [{ status: 404 }, { status: 404 }] },
    422,
    'expected 2 requests in this order, but number 2',
  ],
  ['expect-no-other', { allowed: ['PUT /v1/vals'] }, 422, 'expected no other requests, but there were 2 of 4 in all'],
  ['expect-no-other', undefined, 422, 'expected no other requests, but there were 4 of 4 in all'],
])('%s over HTTP with %j is refused', async (path, body, status, message) => {
  const response = await as(await emulateRequests())
    .post(`/_emulator/requests/${path}`)
    .send(body);

  expect(response.body.message).toContain(message);
  expect(response.status).toBe(status);
});
