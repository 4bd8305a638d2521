import { Type } from 'typebox';
import type { Definitions } from '../definition/definitions.js';
import type { Generator } from '../fixtures/generator.js';
import type { FixtureSource } from '../fixtures/source.js';
import { ApiError, FixtureError } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import type { Steps } from '../lib/steps.js';
import { formatCount } from '../lib/text.js';
import type { Storage } from '../persistence/storage.js';
import { Replacement, summarizeReplacement } from '../sandbox/replacement.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { SeedLoader } from '../sandbox/seed-loader.js';
import { strictObject } from '../schema/schema.js';
import { controlRoute } from './route.js';

const Confirm = Type.Optional(Type.Boolean({ description: 'For the default sandbox of a shared store' }));

export const makeSeedRoutes = (generator?: Generator) => [
  controlRoute('POST', '/_emulator/reset', 'Go back to the seed data, with its ids, clock and empty journal', {
    id: 'reset',
    tool: 'reset',
    hints: ['destructive', 'idempotent'],
    body: strictObject({ confirm: Confirm }, { title: 'Reset', default: {} }),
    response: Replacement,
    errors: [400, 403, 409],
    handle({ emulator: { storage }, sandbox, body: { confirm } }) {
      if (!confirm) assertUnshared(sandbox, storage, 'A reset drops', '{ "confirm": true } (val-emulator reset --yes)');
      return summarizeReplacement(sandbox.resetTo());
    },
  }),
  controlRoute('PUT', '/_emulator/seed', 'Reset to other seed data: collections, `fixtures` or `generate`', {
    id: 'reseed',
    tool: 'seed',
    hints: ['destructive', 'idempotent'],
    query: strictObject({ confirm: Confirm }),
    body: Type.Object(
      {
        fixtures: Type.Optional(
          Type.Unsafe<string | object>({
            type: ['string', 'object'],
            description: 'A name such as `empty`, or an object',
            expected: 'the name of a dataset, or an object',
          }),
        ),
        generate: Type.Optional(Type.Unsafe<object>(generator?.schema ?? Type.Object({}))),
      },
      { title: 'Seed', additionalProperties: true },
    ),
    response: Replacement,
    errors: [400, 403, 409, 422],
    example: { body: { generate: { users: 50 } } },
    handle({ emulator: { sandboxes, generated, storage }, sandbox, query: { confirm }, body }) {
      if (!confirm) {
        const what = 'Other seed data replace';
        assertUnshared(sandbox, storage, what, 'the query confirm=true (val-emulator seed --yes)');
      }
      const { fixtures, generate, ...collections } = body;
      if (generate !== undefined) {
        assertAlone('generate', body);
        return generated.reseed(sandbox, generate, sandboxes).then(summarizeReplacement);
      }
      const reseed = (source: FixtureSource) => reseedInSteps(sandbox, sandboxes.host.loader, source);
      if (fixtures === undefined) return reseed(collections);
      if (typeof fixtures === 'string') assertDataset(fixtures, sandbox.store.state.definitions);
      assertAlone('fixtures', body);
      return reseed(fixtures);
    },
  }),
];

/** Loads the seed data of a request, and resets a sandbox to it. @throws FixtureError */
function* reseedInSteps(sandbox: Sandbox, loader: SeedLoader, source: FixtureSource): Steps<Replacement> {
  const seed = yield* loader.loadInSteps(source, { isRequest: true });
  return yield* summarizeReplacement(sandbox.resetTo(seed));
}

/** @throws ApiError 409 for the default sandbox of a shared store, which says what would be lost */
function assertUnshared(sandbox: Sandbox, storage: Storage | undefined, loss: string, confirmation: string): void {
  if (!storage?.nodes || sandbox.name !== '') return;
  const { store, journal } = sandbox;
  const counts = [
    formatCount(store.history.length, 'commit'),
    formatCount(journal.length, 'request'),
    formatCount(store.state.faults.length, 'fault'),
  ];
  throw new ApiError(
    409,
    `${loss} what everyone has in the default sandbox of ${storage.path}: all changes of records, ${counts.join(', ')}. To confirm, send ${confirmation}. Or use a sandbox of your own.`,
  );
}

/** Accepts names over HTTP, but no paths: a client must not read files of the machine. */
function assertDataset(name: string, { datasets: { names } }: Definitions): void {
  if (names.includes(name)) return;
  const message = `found ${formatValue(name)}; expected ${names.join(', ')}.${didYouMean(name, names)}`;
  throw new FixtureError([{ path: 'fixtures', message }]);
}

function assertAlone(key: string, body: object): void {
  const others = Object.keys(body).filter((other) => other !== key);
  if (others.length === 0) return;
  throw new FixtureError([{ path: others.join(', '), message: `expected either ${key} or collections, not both.` }]);
}
