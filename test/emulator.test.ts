import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import supertest from 'supertest';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RequestLog } from '../src/index.js';
import { as, createEmulator, emulate, NOW, UUID } from './support/emulate.js';
import { express4 } from './support/express4.js';
import { busyPort } from './support/ports.js';

const HELLO = '00000000-0000-4000-8000-000000000001';
const world = {
  users: [
    { username: 'ada' },
    { username: null, id: '3fa85f64-5717-4562-b3fc-2c963f66afa6' },
    { username: 'grace', token: 'g r a c e' },
  ],
  vals: [{ author: 'ada', name: 'hello', code: '1', id: HELLO }],
};

/** The port of an address. */
const portOf = (url: string) => Number(new URL(url).port);

describe('listening and closing', () => {
  test('without options it serves the default fixtures on a free port of the loopback address', async () => {
    await using emulator = await createEmulator();
    expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(emulator.users[0]).toEqual({ username: 'ada', id: expect.stringMatching(UUID), token: 'ada-token' });
  });

  test('listens on the requested port', async () => {
    const first = await createEmulator({ fixtures: 'empty' });
    const port = portOf(first.url);
    await first.close();
    await using second = await createEmulator({ fixtures: 'empty', port });
    expect(second.url).toBe(first.url);
  });

  test.each([
    ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/],
  ])('on host %s its url can be requested', async (host, url) => {
    await using emulator = await createEmulator({ fixtures: 'empty', host });
    expect(emulator.url).toMatch(url);
    expect((await fetch(`${emulator.url}/v1/me`)).status).toBe(401);
  });

  test('a taken port causes an error with a code and a sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const error = await createEmulator({ fixtures: 'empty', port }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringMatching(busyPort(port)),
    });
  });

  test('an address of another machine causes an error with a code and a sentence', async () => {
    await expect(createEmulator({ fixtures: 'empty', host: '192.0.2.1' })).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
      message: 'option host: 192.0.2.1 is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.',
    });
  });

  test('a closed emulator does not respond, and its port is free', async () => {
    const emulator = await createEmulator({ fixtures: 'empty' });
    await emulator.close();
    await expect(fetch(emulator.url)).rejects.toThrow();
    const other = createServer().listen(portOf(emulator.url), '127.0.0.1');
    await once(other, 'listening');
    other.close();
  });

  test('can be closed twice, at once and later', async () => {
    const emulator = await createEmulator({ fixtures: 'empty' });
    await Promise.all([emulator.close(), emulator.close()]);
    await emulator.close();
    await emulator[Symbol.asyncDispose]();
    await expect(fetch(emulator.url)).rejects.toThrow();
  });

  test('closes at the end of its `await using` block', async () => {
    let url = '';
    {
      await using emulator = await createEmulator({ fixtures: 'empty' });
      ({ url } = emulator);
      expect((await fetch(`${url}/v1/me`)).status).toBe(401);
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  test('a sandbox closes at the end of its `await using` block', async () => {
    await using emulator = await createEmulator({ fixtures: 'empty' });
    {
      await using sandbox = emulator.sandbox('one');
      sandbox.add.user({ username: 'eve' });
    }
    expect(emulator.sandbox('one').users).toHaveLength(emulator.users.length);
  });

  test('closing ends every connection, in any state', async () => {
    const emulator = await createEmulator({ fixtures: 'empty' });
    const dial = async (sent: string) => {
      // It never closes its own half: a server that waits for that waits for ever.
      const socket = connect({ port: portOf(emulator.url), host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {}).resume();
      const ended = once(socket, 'end');
      await once(socket, 'connect');
      socket.write(sent);
      return { socket, ended };
    };
    const connections = [
      await dial(''),
      await dial('GET /v1/'),
      await dial('GET /v1/me HTTP/1.1\r\nHost: localhost\r\n'),
      await dial('POST /v1/vals HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"co'),
      await dial('GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    ];
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const [pooled] = await once(request(`${emulator.url}/v1/me`, { agent }).end(), 'response');
    await once(pooled.resume(), 'end');
    // What was sent before has arrived once a later request is answered.
    await fetch(`${emulator.url}/v1/me`);
    expect(connections.map(({ socket }) => socket.readableEnded)).toEqual([false, false, false, false, false]);

    const start = performance.now();
    await emulator.close();
    const duration = performance.now() - start;

    await Promise.all(connections.map(({ ended }) => ended));
    // Node alone waits a minute for the rest of a request.
    expect(duration).toBeLessThan(20_000);
  });
});

describe('the seed and the application', () => {
  /** What the same few calls answer, and the users. */
  async function play(idSeed?: string | number) {
    const emulator = await emulate({ ...world, runs: [{ val: 'ada/hello', runStartAt: '-5m' }] }, { idSeed });
    const answers = [
      await as(emulator, 'ada').post('/v1/vals').send({ code: '1' }),
      await as(emulator, 'ada').post('/v1/vals').send({ code: '2' }),
      await as(emulator, 'ada').get('/v1/me/runs'),
    ];
    return { users: emulator.users, texts: answers.map(({ text }) => text.replaceAll(emulator.url, '')) };
  }

  test('the same seed gives the same bytes, another one other ids and names', async () => {
    const [one, again, other, numbered] = [await play('one'), await play('one'), await play('two'), await play(1)];
    expect(again).toEqual(one);
    expect(await play()).toEqual(await play('val-emulator'));
    expect(await play('1')).toEqual(numbered);
    expect(other.users[0]?.id).not.toBe(one.users[0]?.id);
    for (const [i, text] of one.texts.entries()) expect(other.texts[i]).not.toBe(text);
  });

  test('a reseed takes a name or a path, and keeps the options', async () => {
    const emulator = await emulate(world, { auth: 'lenient', defaultPrivacy: 'unlisted' });
    emulator.reseed('empty');
    expect(emulator.users).toHaveLength(1);
    const { body } = await as(emulator, 'anybody').post('/v1/vals').send({ code: '1' }).expect(200);
    expect(body).toMatchObject({ privacy: 'unlisted', createdAt: NOW, author: { username: 'ada' } });
  });

  test('its app responds after the server is closed', async () => {
    const emulator = await emulate(world);
    await emulator.close();
    await supertest(emulator.app).get('/v1/me').set('Authorization', 'Bearer ada-token').expect(200);
  });

  test('a request without a body has none in Express 4 either, whose parser makes an object', async () => {
    const emulator = await emulate(world);
    const client = supertest.agent(express4().use(express4.json()).use(emulator.app));
    client.set('Authorization', 'Bearer ada-token');

    await client.get(`/v1/vals/${HELLO}`).expect(200);
    await client.delete(`/v1/vals/${HELLO}`).expect(204);
    await client.post('/v1/vals').send({ code: '1', name: 'x' }).expect(200);

    expect(emulator.requests().map(({ request }) => request.body)).toEqual([null, null, { code: '1', name: 'x' }]);
  });
});

describe('onRequest', () => {
  test('onRequest gets method, target, status and duration of each request', async () => {
    const seen: RequestLog[] = [];
    const emulator = await emulate(world, { onRequest: (log) => seen.push(log) });
    await as(emulator, 'ada').get('/v1/me?x=%20y').expect(200);
    await as(emulator).get('/v1/me').expect(401);
    await as(emulator, 'ada').post('/v1/vals').send({}).expect(400);
    await as(emulator).get('/nowhere').expect(404);

    expect(seen.map(({ method, target, status }) => [method, target, status])).toEqual([
      ['GET', '/v1/me?x=%20y', 200],
      ['GET', '/v1/me', 401],
      ['POST', '/v1/vals', 400],
      ['GET', '/nowhere', 404],
    ]);
    for (const { duration } of seen) expect(duration).toBeGreaterThanOrEqual(0);
    expect(seen.map(({ id, user }) => [id, user]).slice(0, 2)).toEqual([
      ['r1', 'ada'],
      ['r2', null],
    ]);
  });

  test('onRequest gets the message of an error, and the probable meaning of the request', async () => {
    const seen: RequestLog[] = [];
    const emulator = await emulate(world, { onRequest: (log) => seen.push(log) });
    await as(emulator).post('/v1/me').expect(404);
    await as(emulator, 'ada').post('/v1/vals').send({ cod: '1' }).expect(400);
    await as(emulator).get('/v1/me').expect(401);
    await as(emulator).get('/_emulator/faultz').expect(404);
    await as(emulator).put('/_emulator/clock').send({}).expect(400);
    emulator.fail('*', { status: 503, body: { message: 'Down' } });
    await as(emulator, 'ada').get('/v1/nothing').expect(503);

    expect(seen.map(({ message, suggestion, fault }) => [message, suggestion, fault])).toEqual([
      ['Route POST:/v1/me not found', 'Did you mean "GET /v1/me"?', null],
      ["body must have required property 'code'", 'Found "cod" in the body. Did you mean "code"?', null],
      ['Unauthorized', 'GET /_emulator/users lists the tokens', null],
      ['Route GET:/_emulator/faultz not found. Did you mean "GET /_emulator/faults"?', null, null],
      ['body: found {}; expected exactly one of freeze, set, advance and resume.', null, null],
      ['Down', null, 'f1'],
    ]);
  });

  test('onRequest gets probes and preflights only if they fail, and the trace id of a request', async () => {
    const seen: RequestLog[] = [];
    const emulator = await emulate(world, { onRequest: (log) => seen.push(log) });
    await as(emulator).get('/_emulator/health').expect(200);
    await as(emulator).get('/_emulator/ready?x=1').expect(200);
    await as(emulator).options('/v1/me').expect(204);
    await as(emulator).post('/_emulator/health').expect(404);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await as(emulator).get('/v1/vals').set({ traceparent });
    await emulator.fetch('/v1/vals', { headers: { traceparent: traceparent.replace('4bf9', 'xxxx') } });

    expect(seen.map(({ method, target, trace }) => [method, target, trace])).toEqual([
      ['POST', '/_emulator/health', null],
      ['GET', '/v1/vals', '4bf92f3577b34da6a3ce929d0e0e4736'],
      ['GET', '/v1/vals', null],
    ]);
  });

  test('an error of onRequest is an unhandled rejection, and the request succeeds', async () => {
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    onTestFinished(() => {
      for (const listener of listeners) process.on('unhandledRejection', listener);
    });
    const rejected = once(process, 'unhandledRejection');
    const emulator = await emulate(world, {
      onRequest() {
        throw new Error('no disk');
      },
    });

    await as(emulator, 'ada').get('/v1/me').expect(200);

    expect(await rejected).toEqual([new Error('no disk'), expect.any(Promise)]);
  });

  test('onRequest gets the sandbox and the fault of a request, also by the fetch of a sandbox', async () => {
    const seen: RequestLog[] = [];
    const emulator = await emulate(world, { onRequest: (log) => seen.push(log) });
    const sandbox = emulator.sandbox('one');
    sandbox.fail('*', { status: 503 });
    await sandbox.fetch('/v1/me');
    await fetch(`${sandbox.url}/v1/me`);
    await fetch(`${sandbox.url}/_emulator/faults`);

    expect(seen).toMatchObject([
      { sandbox: 'one', fault: 'f1', id: 'r1', status: 503 },
      { sandbox: 'one', fault: 'f1', id: 'r2', status: 503 },
      { sandbox: 'one', fault: null, id: null, user: null, status: 200 },
    ]);
  });
});

test('reset and clearRequests work without their object', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  await as(emulator, 'ada').post('/v1/vals').send({ code: '1' });
  const { reset, clearRequests } = emulator;
  clearRequests();
  expect(emulator.requests()).toEqual([]);
  reset();
  expect(emulator.state().vals).toEqual([]);
});

test('a refused write to the control API uses no number of the history', async () => {
  const emulator = await emulate(world);

  expect(() => emulator.add.user({ username: 'ada' })).toThrow('taken');
  emulator.add.user({ username: 'cleo' });

  expect(emulator.history().map(({ id }) => id)).toEqual(['w1']);
});
