import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type as TypeBox } from 'typebox';
import { expect, test } from 'vitest';
import { describeErrors } from '#engine/schema/schema-errors.js';
import { routes } from '#vals/service/all.routes.js';
import { definitions } from '#vals/service/service.collection.js';
import { controlRoutes } from '#vals/service/service.control.js';
import * as source from '../../src/index.js';
import { ROOT } from './pack.js';

// Sources compile their validators by Ajv when they are used, the bundles have them compiled by the build.
const bundle: typeof source = await import(join(ROOT, 'dist/lib/index.js'));

const { routeOf, defineCollection }: typeof import('../../src/engine.js') = await import(
  join(ROOT, 'dist/lib/engine.js')
);

/** An id that no record has, in the form of an id. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const NOW = '2024-06-11T22:05:12.585Z';

/** Runs an action and returns its error, with all problems. */
async function catchError(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    const { name, message, problems } = Object(error);
    return { name, message, problems };
  }
  throw new Error('expected an error');
}

/** Expects the same of the sources and of the bundle. */
async function expectSame(get: (library: typeof source) => Promise<unknown>): Promise<void> {
  const expected = await get(source);
  expect(expected).toBeDefined();
  expect(await get(bundle)).toEqual(expected);
}

test.each([
  { port: 70_000, host: '', auth: 'strikt', prot: 1 },
  { rateLimit: { limit: 0, window: 'soon' }, maxSandboxes: -1 },
  { now: 'yesterday', idSeed: {}, allowedHosts: [''] },
  { rateLimit: { limt: 1 } },
])('the bundle rejects options with the errors of the sources: %j', async (options) => {
  await expectSame(({ createEmulator }) =>
    catchError(() => Reflect.apply(createEmulator, undefined, [{ listen: false, ...options }])),
  );
});

test.each([
  { users: [{ usrname: 'ada' }, { username: 1 }, { username: 'bob', createdAt: 'never' }] },
  { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: '', privacy: 'publik' }, 1] },
  { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'a', code: 1 }], runs: [{ val: 'ada/a', start: 'x' }] },
  {
    runs: [{ val: 'nobody/nothing', startedAt: '-3 moons', error: 1 }],
    likes: [{}],
    comments: [{ text: 1 }],
    versions: {},
  },
])('the bundle rejects fixtures with the errors of the sources: %j', async (fixtures) => {
  await expectSame(({ createEmulator }) =>
    catchError(() => Reflect.apply(createEmulator, undefined, [{ listen: false, fixtures, now: NOW }])),
  );
});

test.each([
  { status: 99, times: 0 },
  { rate: 2, delay: [1], seed: {} },
  { headers: { a: {} }, trunkate: 1 },
  { reset: false, truncate: -1, after: 'x' },
])('the bundle rejects faults with the errors of the sources: %j', async (fault) => {
  await expectSame(async ({ createEmulator }) => {
    const emulator = await createEmulator({ listen: false, now: NOW });
    return catchError(() => Reflect.apply(emulator.fail, emulator, ['GET /v1/me', fault]));
  });
});

test.each([
  ['GET', '/v1/me/runs?limit=x', undefined],
  ['GET', '/v1/me/runs?limit=5&limit=7&since=yesterday', undefined],
  ['GET', '/v1/vals/not-an-id', undefined],
  ['POST', '/v1/vals', {}],
  ['POST', '/v1/vals', { name: 1, code: [true], privacy: 'publik', unknown: 1 }],
  ['PUT', '/_emulator/clock', { advance: 'soon', freze: 1 }],
  ['POST', '/_emulator/snapshots', { name: 1 }],
  ['POST', '/_emulator/faults', { status: 'x' }],
  ['GET', '/_emulator/requests?limit=x&rout=1', undefined],
])('the bundle responds as the sources to %s %s', async (method, path, body) => {
  await expectSame(async ({ createEmulator }) => {
    const emulator = await createEmulator({ listen: false, now: NOW, validateResponses: true });
    const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await emulator.fetch(path, { method, headers, ...json });
    return { status: response.status, text: await response.text() };
  });
});

/** Values of each type, some of which each schema rejects or coerces. */
const VALUES = [
  null,
  true,
  0,
  1.5,
  -1,
  '',
  '5',
  'true',
  'x',
  '2024-06-11T22:05:12Z',
  [],
  ['1'],
  [1, 'x'],
  {},
  { a: 1 },
];

/** Objects with each value in each property of a schema, and without all. */
function listInputs(schema: object): object[] {
  const names = 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
  const all = VALUES.map((value) => Object.fromEntries(names.map((name) => [name, value])));
  const single = names.flatMap((name) => VALUES.map((value) => ({ [name]: value, unknown: 1 })));
  return [{}, ...all, ...single];
}

/** The build has not seen a schema with a comment. It is otherwise the same. */
const unseen = (schema: object) => TypeBox.Unsafe({ ...schema, $comment: 'changed' });

test.each(
  routes.flatMap(({ name, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) => (schema ? [{ name, part, schema }] : [])),
  ),
)('Ajv validates as the build does: $part of $name', ({ schema }) => {
  const make = (body: typeof schema) =>
    routeOf([])('POST', '/a', '', { id: 'a', auth: 'optional', errors: [], body, handle: () => undefined }).validators
      .body;
  const [compiled, late] = [make(schema), make(unseen(schema))];
  const run = (validate: typeof compiled, input: object) => {
    const value = structuredClone(input);
    const isValid = validate?.(value);
    return {
      isValid,
      value,
      errors: validate?.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`),
    };
  };
  for (const input of listInputs(schema)) expect(run(late, input), JSON.stringify(input)).toEqual(run(compiled, input));
});

test.each(definitions.all)(
  'Ajv validates as the build does: a fixture of $name',
  ({ name, title, identity, schema }) => {
    const make = (own: object) =>
      Reflect.apply(defineCollection, undefined, [{ name, title, identity, indexes: {}, schema: own }, {}]).validate;
    const [compiled, late] = [make(schema), make(unseen(schema))];
    const run = (validate: typeof compiled, input: object) => {
      const value = structuredClone(input);
      const isValid = validate(value);
      return { isValid, value, problems: describeErrors(validate.errors, name) };
    };
    for (const input of listInputs(schema))
      expect(run(late, input), JSON.stringify(input)).toEqual(run(compiled, input));
  },
);

test('Ajv is loaded for a schema that the build has not seen, and for no other', () => {
  const { body } = routes.find(({ id }) => id === 'createVal') ?? {};
  const isLoaded = (schema: object | undefined) =>
    execFileSync(
      process.execPath,
      [
        '--eval',
        `
      const { routeOf } = require('./dist/cjs/engine.cjs');
      const spec = { id: 'a', auth: 'optional', errors: [], body: ${JSON.stringify(schema)}, handle() {} };
      const isValid = routeOf([])('POST', '/a', '', spec).validators.body({ code: '1' });
      console.log(isValid, Object.keys(require.cache).some((path) => path.endsWith('ajv.cjs')));
    `,
      ],
      { cwd: ROOT, encoding: 'utf8' },
    ).trim();
  expect(isLoaded(body)).toBe('true false');
  expect(isLoaded({ ...body, $comment: 'changed' })).toBe('true true');
});

test('no operation compiles a validator by Ajv', () => {
  const names = [...routes, ...controlRoutes].map(({ name }) => name);
  const output = execFileSync(
    process.execPath,
    [
      '--eval',
      `
      const Module = require('node:module');
      const load = Module._load;
      let operation = 'the start';
      const compiling = new Set();
      Module._load = (request, ...others) => {
        if (request.endsWith('/ajv.cjs')) compiling.add(operation);
        return load(request, ...others);
      };
      const { createEmulator } = require('./dist/cjs/index.cjs');
      createEmulator({ listen: false }).then(async (emulator) => {
        const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
        const unauthorized = [];
        for (operation of ${JSON.stringify(names)}) {
          emulator.reset();
          const [method, path] = operation.split(' ');
          const target = path.replace(/\\{\\w*id\\}/g, '${UNKNOWN_ID}').replace(/\\{\\w+\\}/g, 'users');
          const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: '{}' } : {};
          const response = await emulator.fetch(target, { method, headers, ...body });
          await response.body?.cancel();
          if (response.status === 401) unauthorized.push(operation);
        }
        await emulator.close();
        console.log(JSON.stringify({ compiling: [...compiling], unauthorized }));
      });
    `,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(JSON.parse(output)).toEqual({ compiling: [], unauthorized: [] });
  expect(names.length).toBeGreaterThan(130);
});

test.each([
  // Texts of the part of each package that a program would need at run time.
  ['ajv', 'ajv/dist/core.js', 'schema must be object or boolean'],
  ['zod', 'zod/v4/core/parse.cjs', '_zod.run'],
  ['typebox', 'typebox/build/type/engine/call/instantiate.mjs', 'Type instantiation is excessively deep'],
])('only files that are loaded late contain %s', (_, file, text) => {
  expect(readFileSync(join(ROOT, 'node_modules', file), 'utf8')).toContain(text);
  const bundles = ['cjs', 'lib', 'packages', 'validators'].flatMap((name) =>
    readdirSync(join(ROOT, 'dist', name)).map((each) => join('dist', name, each)),
  );
  // Loaded for schemas that the build has not compiled: of responses, of conformance and of agents.
  const others = bundles.filter((path) => !/\/(?:packages\/ajv\.|cjs\/protocol-)/.test(path));
  expect(others.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes(text))).toEqual([]);
});
