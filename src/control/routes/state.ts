import { Type } from 'typebox';
import { builtInFixtures } from '../../fixtures/read.js';
import { makeGenerateSchema } from '../../generator/options.js';
import { FixtureError } from '../../lib/errors.js';
import { didYouMean, formatValue } from '../../lib/messages.js';
import { strictObject } from '../../lib/schema.js';
import { controlRoute } from '../route.js';

/** Over HTTP, a dataset is limited to what loads in seconds: no other request is handled meanwhile. */
const Generate = makeGenerateSchema({ users: 1_000, vals: 10_000, runs: 200_000 });
const Records = Type.Array(Type.Record(Type.String(), Type.Unknown()));

export const stateRoutes = [
  controlRoute(
    'POST',
    '/_emulator/reset',
    'Go back to the seed data: records, ids, clock, faults, rate limits, journal and history',
    { handle: ({ sandbox }) => sandbox.reset() },
  ),
  controlRoute(
    'PUT',
    '/_emulator/seed',
    'Load other seed data (a fixture object, { "fixtures": "name" } or { "generate": { "users": 50 } }) and reset to it',
    {
      body: Type.Object(
        { fixtures: Type.Optional(Type.String()), generate: Type.Optional(Generate) },
        { additionalProperties: true },
      ),
      errors: [400, 403, 422],
      example: { body: { fixtures: 'empty' } },
      handle({ sandbox, body }) {
        const { fixtures, generate, ...collections } = body;
        if (generate !== undefined) {
          assertAlone('generate', body);
          return sandbox.reseed({ generate });
        }
        if (fixtures === undefined) return sandbox.reseed(collections);
        assertBuiltIn(fixtures);
        assertAlone('fixtures', body);
        return sandbox.reseed(fixtures);
      },
    },
  ),
  controlRoute('GET', '/_emulator/state', 'Export all records in fixture format, without tokens', {
    response: strictObject({
      users: Records,
      vals: Records,
      versions: Records,
      runs: Records,
      likes: Records,
      comments: Records,
    }),
    handle({ sandbox }) {
      const { users, ...collections } = sandbox.exportState();
      return { users: users.map(({ token: _, ...user }) => user), ...collections };
    },
  }),
];

/** Accepts names over HTTP, but no paths: a client must not read files of the machine. */
function assertBuiltIn(name: string): void {
  const names = builtInFixtures();
  if (names.includes(name)) return;
  const message = `found ${formatValue(name)}; expected ${names.join(', ')}.${didYouMean(name, names)}`;
  throw new FixtureError([{ path: 'fixtures', message }]);
}

function assertAlone(key: string, body: object): void {
  const others = Object.keys(body).filter((other) => other !== key);
  if (others.length === 0) return;
  throw new FixtureError([{ path: others.join(', '), message: `expected either ${key} or collections, not both.` }]);
}
