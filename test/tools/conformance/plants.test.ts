import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '#engine/lib/objects.js';
import { Rng } from '#engine/lib/rng.js';
import { CASES } from '#tools/conformance/cases/index.js';
import { checkConformance } from '#tools/conformance/index.js';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { PATIENCE } from '../../support/patience.js';
import { SEED } from '../../support/soak.js';
import { CLASS_PLANTS } from './plant-classes.js';
import { casesOf, checkPlanted, names } from './planting.js';
import { PLANTS, type Plant, type Reply, UNNOTICED } from './plants.js';
import { addRecords, SCOPED_TOKENS, TOKENS } from './target.js';

let emulator: Emulator;

beforeAll(async () => {
  emulator = await createEmulator({ listen: false });
});
afterAll(() => emulator?.close());

/** Returns the cases that report a plant, and fails if it never changes anything. */
async function reportsOf(plant: Plant): Promise<readonly string[]> {
  const { fired, failed } = await checkPlanted(emulator, plant, casesOf(plant));
  expect(fired, `${plant.id} changes something`).toBeGreaterThan(0);
  return failed;
}

const mapBody =
  (change: (body: Readonly<Record<string, unknown>>) => object) =>
  (reply: Reply): Reply =>
    isObject(reply.body) && reply.status < 300 ? { ...reply, body: change(reply.body) } : reply;

/** Differences of a service that no case noticed once. */
const ONCE_UNNOTICED: readonly (Plant & { readonly caught: string })[] = [
  {
    id: 'PUT by name responds with another privacy than the val has',
    ...{ route: 'PUT /v1/vals', caught: 'upsertVal/written' },
    toReply: mapBody((body) => ({ ...body, privacy: 'private', public: false })),
  },
  {
    id: 'errors have no Access-Control-Allow-Origin',
    ...{ route: 'GET /v1/vals/{val_id}', caught: 'getVal/headers-404', isEverywhere: true },
    toReply: ({ headers: { 'access-control-allow-origin': origin = '', ...headers }, ...reply }) => ({
      ...reply,
      headers: reply.status < 400 ? { ...headers, 'access-control-allow-origin': origin } : headers,
    }),
  },
  {
    id: 'versionCreatedAt is the creation time of the val',
    ...{ route: 'GET /v1/vals/{val_id}/versions/{version}', caught: 'getVersion/time', isEverywhere: true },
    toReply: mapBody((body) => ('versionCreatedAt' in body ? { ...body, versionCreatedAt: body.createdAt } : body)),
  },
  {
    id: 'createdAt of a val moves with each version',
    ...{ route: 'GET /v1/vals/{val_id}/versions/{version}', caught: 'getVersion/same-val', isEverywhere: true },
    toReply: mapBody((body) => ('versionCreatedAt' in body ? { ...body, createdAt: body.versionCreatedAt } : body)),
  },
  {
    id: 'an empty readme becomes null',
    ...{ route: 'POST /v1/vals', caught: 'createVal/empty-readme', isEverywhere: true },
    toReply: mapBody((body) => (body.readme === '' ? { ...body, readme: null } : body)),
  },
  {
    id: 'code loses CRLF and the line break at its end',
    ...{ route: 'POST /v1/vals', caught: 'createVal/keeps-line-breaks', isEverywhere: true },
    toRequest: (body) => ({ ...body, code: String(body.code).replaceAll('\r\n', '\n').trimEnd() }),
  },
  {
    id: 'an unknown route is a 404 with another text',
    ...{ route: '*', caught: 'general/unknown-route', isEverywhere: true },
    toReply: (reply) =>
      reply.status === 404 && isObject(reply.body) && /^Route /.test(String(reply.body.message))
        ? { ...reply, body: { ...reply.body, message: 'Not found' } }
        : reply,
  },
  {
    id: 'an unlisted val is a 404 for another user',
    ...{ route: 'GET /v1/vals/{val_id}', caught: 'getVal/unlisted-second' },
    toReply: (reply, { sender }) =>
      isObject(reply.body) && reply.body.privacy === 'unlisted' && sender === 'other'
        ? { ...reply, status: 404, body: { message: 'The val was not found', error: 'Not Found', statusCode: 404 } }
        : reply,
  },
];

test.each(ONCE_UNNOTICED)('reports that $id', async ({ caught, ...plant }) => {
  expect(await reportsOf(plant)).toContain(caught);
});

describe('differences of each class, on one of its operations', () => {
  const rng = new Rng(SEED);

  test.each(CLASS_PLANTS.map((plants) => rng.pick(plants)))('names the operation of $id', async (plant) => {
    const failed = await reportsOf(plant);
    expect(failed.filter((id) => names(id, plant.route))).not.toEqual([]);
  });
});

describe('differences drawn from all fields of all responses', () => {
  const noticeable = PLANTS.filter(({ id }) => UNNOTICED[id] === undefined);
  const drawn = new Rng(SEED).shuffle(noticeable).slice(0, 24);

  test.each(drawn)('names the operation of $id', async (plant) => {
    const failed = await reportsOf(plant);
    expect(failed.filter((id) => names(id, plant.route))).not.toEqual([]);
  });
});

test('differences have unique ids', () => {
  const ids = PLANTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(UNNOTICED).filter((id) => !ids.includes(id))).toEqual([]);
});

test('no case passes with another response', async () => {
  emulator.reset();
  await addRecords(emulator);
  let current = -1;
  let sent = 0;
  const { entries } = await checkConformance({
    ...{ ...TOKENS, ...SCOPED_TOKENS, url: emulator.url, level: 'email', timeout: PATIENCE },
    onProgress(done) {
      current = done;
      sent = 0;
    },
    async fetch(input, init) {
      const response = await emulator.fetch(input instanceof Request ? input : String(input), init);
      const isArranged = sent++ < (CASES[current]?.arrange?.length ?? 0);
      return current < 0 || isArranged ? response : new Response('{}', { status: 418 });
    },
  });
  expect(entries.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)).toEqual([]);
});
