import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { routes } from '#vals/service/all.routes.js';
import { controlRoutes } from '#vals/service/service.control.js';
import type { EmulatorOptions } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { run, serve } from '../../tools/cli/cli.js';

/** Without the check against the OpenAPI documents, which have no 500. */
const start = (options: EmulatorOptions = {}) =>
  emulate({ users: [{ username: 'ada' }] }, { onExchange: undefined, ...options });

/** Makes the handler of a route fail until the end of the test. */
function breakRoute(name: string, error: unknown = new TypeError('boom')) {
  const route = [...routes, ...controlRoutes].find((each) => each.name === name);
  if (!route) throw new Error(`no route ${name}`);
  const spy = vi.spyOn(route, 'handle').mockImplementation(() => {
    throw error;
  });
  return { [Symbol.dispose]: () => spy.mockRestore() };
}

const broken = { message: 'Internal error: TypeError: boom', error: 'Internal Server Error', statusCode: 500 };
const STACK = /^TypeError: boom\n {4}at .*internal-errors\.test\.ts:\d+:\d+/;

describe('an exception in a handler', () => {
  test.each([
    ['GET /v1/me', '/v1/me?x=1'],
    ['GET /_emulator/users', '/_emulator/users?x=1'],
  ])('of %s reaches onError once, with the request', async (route, target) => {
    using _ = breakRoute(route);
    const onError = vi.fn();
    const emulator = await start({ onError });

    const { status, body } = await as(emulator, 'ada').get(`/_sandbox/one${target}`);

    expect(status).toBe(500);
    expect(body).toStrictEqual(broken);
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError), { method: 'GET', target });
  });

  test('reaches onError while fake timers replace queueMicrotask', async () => {
    using _ = breakRoute('GET /v1/me');
    const onError = vi.fn();
    const emulator = await start({ onError });
    vi.useFakeTimers({ toFake: ['queueMicrotask'] });
    onTestFinished(() => void vi.useRealTimers());

    await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });

    expect(onError).toHaveBeenCalledOnce();
  });

  test('is in the journal with its stack, unlike other requests', async () => {
    using _ = breakRoute('GET /v1/me');
    const emulator = await start({ onError: () => {} });

    await as(emulator, 'ada').get('/v1/me');
    await as(emulator, 'ada').get('/v1/me/runs');

    expect(emulator.requests()).toMatchObject([
      { status: 500, error: expect.stringMatching(STACK) },
      { status: 200, error: null },
    ]);
    expect((await as(emulator).get('/_emulator/requests?status=500')).body).toMatchObject([
      { error: expect.stringMatching(STACK) },
    ]);
  });

  test('is printed once by default, with method, target and stack', async () => {
    using _ = breakRoute('GET /v1/me');
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const emulator = await start();

    await as(emulator, 'ada').get('/v1/me?x=1');

    const printed = print.mock.calls;
    print.mockRestore();
    expect(printed).toEqual([
      [expect.stringContaining('val-emulator: Internal error in GET /v1/me?x=1\nTypeError: boom')],
    ]);
    expect(printed[0]?.[0]).toMatch(
      /internal-errors\.test\.ts:\d+:\d+[\s\S]*\nThis is an error of val-emulator\. Please report it with these lines\.$/,
    );
  });

  test('has its cause, and can be any value', async () => {
    const emulator = await start({ onError: () => {} });
    for (const error of [new Error('outer', { cause: new Error('inner') }), 'text']) {
      using _ = breakRoute('GET /v1/me', error);
      await as(emulator, 'ada').get('/v1/me');
    }

    const [first, second] = emulator.requests();
    expect(first?.error).toMatch(/outer[\s\S]*\[cause\]: Error: inner/);
    expect(second?.error).toBe("'text'");
  });
});

test('a response that does not match its schema reaches onError with validateResponses', async () => {
  const route = routes.find(({ name }) => name === 'GET /v1/me');
  const spy = vi.spyOn(route ?? expect.fail(), 'handle').mockReturnValue({ id: 5 });
  const onError = vi.fn();
  const emulator = await start({ onError });

  const { status } = await as(emulator, 'ada').get('/v1/me');

  spy.mockRestore();
  expect(status).toBe(500);
  expect(onError).toHaveBeenCalledOnce();
  expect(emulator.requests()[0]?.error).toMatch(/^ApiError: response.*must/);
});

test('a write whose response does not match its schema is not committed', async () => {
  const route = routes.find(({ name }) => name === 'POST /v1/vals') ?? expect.fail();
  const { handle } = route;
  const spy = vi.spyOn(route, 'handle').mockImplementation((context) => {
    handle(context);
    return { id: 5 };
  });
  const emulator = await start({ onError: () => {} });
  const before = emulator.state();

  const { status } = await as(emulator, 'ada').post('/v1/vals').send({ code: '1' });

  spy.mockRestore();
  expect(status).toBe(500);
  expect(emulator.state()).toEqual(before);
  expect(emulator.history()).toEqual([]);
  expect(emulator.requests()[0]?.commit).toBeNull();
});

test('errors of the API, injected faults and refused control requests do not reach onError', async () => {
  const onError = vi.fn();
  const emulator = await start({ onError });
  const client = as(emulator, 'ada');

  await client.get('/v1/nowhere');
  await client.get('/v1/me/runs?limit=0');
  await client.post('/_emulator/records/users').send({ username: 'ada' });
  await client.put('/_emulator/clock').send({ freeze: 'today' });
  await client.delete('/_emulator/sandboxes/none');
  emulator.fail('GET /v1/me', { status: 500 });
  expect((await client.get('/v1/me')).status).toBe(500);

  expect(onError).not.toHaveBeenCalled();
  expect(emulator.requests().map(({ error }) => error)).toEqual([null, null, null]);
});

describe('the command', () => {
  test('start prints an internal error on stderr, also with --quiet', async () => {
    using _ = breakRoute('GET /v1/me');
    const { command, url } = await serve(['--quiet', '--fixtures', 'empty']);

    await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });

    await command.printsError(/with these lines\.\n/);
    expect(command.stderr).toMatch(/^val-emulator: Internal error in GET \/v1\/me\nTypeError: boom\n {4}at /);
  });

  test('exec prints an internal error on stderr', async () => {
    using _ = breakRoute('GET /_emulator/users');
    const script = "fetch(process.env.VAL_EMULATOR_URL + '/_emulator/users')";

    const { stderr, code } = await run(['exec', '--fixtures', 'empty', '--', process.execPath, '-e', script]);

    expect(stderr).toContain('val-emulator: Internal error in GET /_emulator/users\nTypeError: boom');
    expect(code).toBe(0);
  });
});
