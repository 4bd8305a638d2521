import * as z from 'zod';
import { noBody } from '../../contract/route.js';
import { exportState } from '../../fixtures/export.js';
import { FixtureError, show, suggest } from '../../fixtures/problems.js';
import { shippedFixtures } from '../../fixtures/read.js';
import { controlRoute } from '../route.js';
import { withoutToken } from '../tokens.js';

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
    summary: 'Load other seed data, a fixture object or { "fixtures": "name" }, and reset to it',
    request: { body: z.looseObject({ fixtures: z.string().optional() }) },
    status: 204,
    answer: noBody,
    errors: [400, 403, 422],
    example: { body: { fixtures: 'empty' } },
    handle({ sandbox, body: { fixtures, ...collections } }) {
      if (fixtures === undefined) return sandbox.reseed(collections);
      return sandbox.reseed(shippedByName(fixtures, Object.keys(collections)));
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
function shippedByName(name: string, others: readonly string[]): string {
  const names = shippedFixtures();
  const problem = !names.includes(name)
    ? { place: 'fixtures', message: `found ${show(name)}; expected ${names.join(', ')}.${suggest(name, names)}` }
    : others.length > 0
      ? { place: others.join(', '), message: 'expected either fixtures or collections, not both.' }
      : undefined;
  if (problem) throw new FixtureError([problem]);
  return name;
}
