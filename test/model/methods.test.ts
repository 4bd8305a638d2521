import { expect, onTestFinished, test } from 'vitest';
import { Rng } from '#engine/lib/rng.js';
import { controlClient } from '#tools/client/control-client.js';
import { connect } from '#tools/client/index.js';
import { createEmulator, type Emulator } from '../../src/index.js';
import { NOW } from '../support/emulate.js';
import { SEED, sized } from '../support/soak.js';
import { controlView } from '../support/views.js';
import { wireFixtures } from '../support/wire-fixtures.js';
import { parse, sendByFetch, withoutWay } from './client.js';
import { type RandomRequest, RequestGenerator } from './generator.js';
import { findMethod, type Method } from './methods.js';
import { OF_A_SANDBOX } from './operations.js';

/*
 * One property over the table of operations: a route, the method of the client that has its id, and the methods of a sandbox that
 * do the same, in this process and of the client, have one result, one message for a refusal, and leave one state.
 */

const REQUESTS = sized(300, 4_000);

/** The body of a success, or the message of a refusal. */
type Result = { readonly body: unknown } | { readonly refused: string };
type Way = (emulator: Emulator, request: RandomRequest) => Promise<Result> | undefined;

const toComparable = (value: unknown, { url }: Emulator): unknown =>
  value === undefined ? undefined : parse(withoutWay(JSON.stringify(value), url));
/** A route names the part of the request where a value is, and a method its argument. */
const toResult = (message: unknown): Result => ({
  refused: String(parse(withoutWay(JSON.stringify(String(message)))))
    .replaceAll(/^(?:body|querystring|params|option|fault)[. ]?/gm, '')
    // A query has the text of a number.
    .replaceAll(/found "(-?[\d.]+)"/g, 'found $1'),
});
const attempt = async (emulator: Emulator, act: () => unknown): Promise<Result> => {
  try {
    return { body: toComparable(await act(), emulator) };
  } catch (error) {
    return toResult(Object(error).message);
  }
};
const toInput = ({ operation, params, query, body }: RandomRequest) => ({
  ...params,
  ...(operation.body ? Object(body) : query),
});

async function byRoute(emulator: Emulator, request: RandomRequest): Promise<Result> {
  const { status, text } = await sendByFetch(emulator.fetch, request);
  const body = parse(text) ?? (text === '' ? undefined : text);
  return status < 300 ? { body: toComparable(body, emulator) } : toResult(Object(body).message ?? text);
}

/** By a method of a sandbox, of this process or of the client. */
const byMethod =
  (find: (emulator: Emulator) => Parameters<Method['run']>[0]): Way =>
  (emulator, request) => {
    const method = findMethod(request.operation);
    const input = toInput(request);
    if (!method || method.without?.some((key) => key in input)) return undefined;
    return attempt(emulator, () => method.run(find(emulator), input));
  };

/** The same request in several ways, each to an emulator of its own; undefined where there is no such way. */
const WAYS: readonly (readonly [name: string, way: Way])[] = [
  ['the route', byRoute],
  [
    'the client',
    (emulator, request) => {
      const { operation, params, query, body } = request;
      const keys = Object.keys(Object(body));
      // Its input is one object: no key can be both.
      if (keys.some((key) => key in params)) return undefined;
      const client = controlClient(emulator.url);
      if (!Object.hasOwn(client, operation.id)) return undefined;
      return attempt(emulator, () =>
        Reflect.apply(Reflect.get(client, operation.id), client, [toInput(request), { query }]),
      );
    },
  ],
  ['a method of the client', byMethod(({ url }) => connect(url))],
  ['a method of the sandbox', byMethod((emulator) => emulator)],
];

test(`a route, the client and a method do the same (${REQUESTS} requests, seed ${SEED})`, async () => {
  const ways = await Promise.all(
    WAYS.map(async ([name, way]) => {
      const emulator = await createEmulator({ fixtures: wireFixtures, now: NOW, listen: name.endsWith('client') });
      onTestFinished(() => emulator.close());
      return { name, way, emulator };
    }),
  );
  const [{ emulator: first } = expect.fail()] = ways;
  // Mostly of the control API, with requests to the API in between.
  const operations = [
    ...OF_A_SANDBOX,
    ...Array(4)
      .fill(OF_A_SANDBOX.filter(({ isControl }) => isControl))
      .flat(),
  ];
  const rng = new Rng(`methods-${SEED}`);
  const generator = new RequestGenerator(rng, { operations, nasty: 0 }).learnState(first.state());
  const done = new Set<string>();
  for (let sent = 0; sent < REQUESTS; sent++) {
    const request = generator.next();
    const { operation } = request;
    const expected = await byRoute(first, request);
    for (const { name, way, emulator } of ways.slice(1)) {
      const own = operation.isControl ? await way(emulator, request) : undefined;
      const result = own ?? (await byRoute(emulator, request));
      const { select, returnsMore } = (own && name.startsWith('a method') && findMethod(operation)) || {};
      if (returnsMore && 'body' in expected && 'body' in result) continue;
      const wanted = select && 'body' in expected ? { body: select(expected.body) } : expected;
      const { method, path, query, body } = { ...operation, ...request };
      expect(result, `${name}, request ${sent}: ${method} ${path} ${JSON.stringify([query, body])}`).toEqual(wanted);
    }
    if (!('body' in expected)) continue;
    generator.learn(request, 200, expected.body);
    done.add(operation.id);
  }
  const views = await Promise.all(
    ways.map(async ({ emulator: { fetch, url } }) =>
      (await controlView(fetch)).map((line) => withoutWay(line, fetch === first.fetch ? 'http://localhost' : url)),
    ),
  );
  for (const view of views) expect(view).toEqual(views[0]);
  const withMethod = OF_A_SANDBOX.filter((operation) => operation.isControl && findMethod(operation));
  expect(withMethod.filter(({ id }) => done.has(id)).length).toBeGreaterThan(withMethod.length / 2);
});

/** Of those that take an empty object, the ones that change too much to be meant by a request without a body, and the write of a record. */
const BODY_REQUIRED: ReadonlySet<string> = new Set(['changeRecord', 'reseed', 'armFault']);
const SEND = {
  method: 'POST',
  headers: { authorization: 'Bearer ada token', 'content-type': 'application/json' },
};
/** Makes what they read. */
const SENT = [
  ['/v1/email', { text: 'The report' }],
  ['/v1/sqlite/execute', { statement: 'CREATE TABLE notes (id)' }],
] as const;
const WITH_BODY = OF_A_SANDBOX.filter(({ isControl, body }) => isControl && body !== undefined);

test('a control request without a body is one with an empty object', async () => {
  const refused: string[] = [];
  for (const { id, method, path } of WITH_BODY) {
    const send = async (body?: string) => {
      await using emulator = await createEmulator({ fixtures: wireFixtures, now: NOW, listen: false });
      for (const [target, sent] of SENT) await emulator.fetch(target, { ...SEND, body: JSON.stringify(sent) });
      const address = path.replace('{collection}', 'users').replace('{id}', 'ada');
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      return await emulator.fetch(address, { method, headers, ...(body !== undefined && { body }) });
    };
    if ((await send('{}')).ok && !(await send()).ok) refused.push(id);
  }
  expect(new Set(refused)).toEqual(BODY_REQUIRED);
});
