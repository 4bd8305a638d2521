import * as z from 'zod';
import { noBody } from '../../contract/route.js';
import { exportState } from '../../fixtures/export.js';
import { generateOptionsUpTo } from '../../fixtures/generate-options.js';
import { FixtureError, show, suggest } from '../../fixtures/problems.js';
import { shippedFixtures } from '../../fixtures/read.js';
import { controlRoute } from '../route.js';
import { withoutToken } from '../tokens.js';

/** A world over HTTP is no larger than what is made and loaded in seconds: nothing else is answered meanwhile. */
const Generate = generateOptionsUpTo({ users: 1_000, vals: 10_000, runs: 200_000 });
const Records = z.array(z.record(z.string(), z.unknown()));

export const stateRoutes = [
  controlRoute({
    method: 'POST',
    path: '/_emulator/reset',
    summary: 'Go back to the seed data: records, ids, clock, faults, rate limits, journal and history',
    request: {},
    status: 204,
    answer: noBody,
    errors: [403],
    handle: ({ sandbox }) => sandbox.reset(),
  }),
  controlRoute({
    method: 'PUT',
    path: '/_emulator/seed',
    summary:
      'Load other seed data, a fixture object, { "fixtures": "name" } or { "generate": { "users": 50 } }, and reset to it',
    request: { body: z.looseObject({ fixtures: z.string().optional(), generate: Generate.optional() }) },
    status: 204,
    answer: noBody,
    errors: [400, 403, 422],
    example: { body: { fixtures: 'empty' } },
    handle({ sandbox, body }) {
      const { fixtures, generate, ...collections } = body;
      if (generate !== undefined) {
        expectAlone('generate', body);
        return sandbox.reseed({ generate });
      }
      if (fixtures === undefined) return sandbox.reseed(collections);
      expectShipped(fixtures);
      expectAlone('fixtures', body);
      return sandbox.reseed(fixtures);
    },
  }),
  controlRoute({
    method: 'GET',
    path: '/_emulator/state',
    summary: 'All records in the fixture format, without tokens',
    request: {},
    status: 200,
    answer: z.strictObject({
      users: Records,
      vals: Records,
      versions: Records,
      runs: Records,
      likes: Records,
      comments: Records,
    }),
    errors: [403],
    handle({ state }) {
      const { users, ...collections } = exportState(state);
      return { users: users.map(withoutToken), ...collections };
    },
  }),
];

/** Over HTTP fixtures are named, never paths: who reaches the port need not read the machine's files. */
function expectShipped(name: string): void {
  const names = shippedFixtures();
  if (names.includes(name)) return;
  const message = `found ${show(name)}; expected ${names.join(', ')}.${suggest(name, names)}`;
  throw new FixtureError([{ place: 'fixtures', message }]);
}

function expectAlone(key: string, body: object): void {
  const others = Object.keys(body).filter((other) => other !== key);
  if (others.length === 0) return;
  throw new FixtureError([{ place: others.join(', '), message: `expected either ${key} or collections, not both.` }]);
}
