import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { as } from '../../support/emulate.js';
import { buildPlanted, DIFFERENCES, plant } from '../../support/planted.js';
import { ADA, HELLO, PLANTED_FIXTURES, RUN_AT, SECRET } from '../../support/planted-fixtures.js';

/** What a client sees of a difference. */
interface Sight {
  readonly look: (client: (user?: string) => ReturnType<typeof as>) => Promise<unknown>;
  readonly usual: unknown;
  readonly planted: unknown;
}

const SIGHTS: Readonly<Record<string, Sight>> = {
  'tier-missing': {
    look: async (client) => (await client('ada').get('/v1/me')).body.tier,
    usual: 'pro',
    planted: undefined,
  },
  'email-public': {
    look: async (client) => (await client('grace').get(`/v1/users/${ADA}`)).body.email,
    usual: undefined,
    planted: 'ada@example.com',
  },
  'reference-time-null': {
    look: async (client) => (await client('ada').get('/v1/me/references')).body.data[0].referencedAt,
    usual: RUN_AT,
    planted: null,
  },
  'comment-version-text': {
    look: async (client) => (await client('ada').get('/v1/me/comments')).body.data[0].val.version,
    usual: 1,
    planted: '1',
  },
  'self-import-counted': {
    look: async (client) => (await client().get(`/v1/vals/${HELLO}`)).body.referenceCount,
    usual: 1,
    planted: 2,
  },
  'versions-oldest-first': {
    look: async (client) => {
      const { body } = await client().get(`/v1/vals/${HELLO}/versions`);
      return body.data.map(({ version }: { version: number }) => version);
    },
    usual: [1, 0],
    planted: [0, 1],
  },
  'since-inclusive': {
    look: async (client) => (await client('ada').get(`/v1/vals/${HELLO}/runs?since=${RUN_AT}`)).body.data.length,
    usual: 0,
    planted: 1,
  },
  'until-exclusive': {
    look: async (client) => (await client('ada').get(`/v1/me/runs?until=${RUN_AT}`)).body.data.length,
    usual: 1,
    planted: 0,
  },
  'limit-unbounded': {
    look: async (client) => (await client().get(`/v1/users/${ADA}/vals?limit=101`)).status,
    usual: 400,
    planted: 200,
  },
  'links-without-parameters': {
    look: async (client) => {
      const { body } = await client('ada').get('/v1/me/comments?relationship=received');
      return new URL(body.links.self).search;
    },
    usual: '?relationship=received&limit=20&offset=0',
    planted: '?limit=20&offset=0',
  },
  'private-val-readable': {
    look: async (client) => (await client('grace').get(`/v1/vals/${SECRET}`)).status,
    usual: 404,
    planted: 200,
  },
  'private-val-in-search': {
    look: async (client) => (await client('ada').get('/v1/search/vals?query=secret')).body.data.length,
    usual: 0,
    planted: 1,
  },
  'foreign-val-403': {
    look: async (client) => (await client('grace').get(`/v1/vals/${HELLO}/runs`)).status,
    usual: 404,
    planted: 403,
  },
  'lower-case-scheme-401': {
    look: async (client) => (await client().get('/v1/me').set('authorization', 'bearer ada-token')).status,
    usual: 200,
    planted: 401,
  },
  'origin-header-missing': {
    look: async (client) => {
      const { headers } = await client('ada').delete(`/v1/vals/${HELLO}`);
      return headers['access-control-allow-origin'];
    },
    usual: '*',
    planted: undefined,
  },
  'alias-case-sensitive': {
    look: async (client) => (await client().get('/v1/alias/ada/HELLO')).status,
    usual: 200,
    planted: 404,
  },
  'conflict-as-text': {
    look: async (client) => (await client('ada').post('/v1/vals').send({ name: 'hello', code: '1' })).body,
    usual: { message: 'Conflict: a val named "hello" already exists', error: 'Conflict', statusCode: 409 },
    planted: 'Conflict: a val named "hello" already exists',
  },
  'settings-200': {
    look: async (client) => (await client('ada').put(`/v1/vals/${HELLO}`).send({ readme: 'New' })).status,
    usual: 204,
    planted: 200,
  },
  'version-number-reused': {
    look: async (client) => {
      await client('ada').delete(`/v1/vals/${HELLO}/versions/1`);
      return (await client('ada').post(`/v1/vals/${HELLO}/versions`).send({ code: '2' })).body.version;
    },
    usual: 2,
    planted: 1,
  },
  'only-version-deleted': {
    look: async (client) => (await client('ada').delete(`/v1/vals/${SECRET}/versions/0`)).status,
    usual: 400,
    planted: 204,
  },
};

describe('the planted differences', () => {
  let usual: Emulator;
  let planted: Emulator;

  beforeAll(async () => {
    usual = await createEmulator({ fixtures: PLANTED_FIXTURES });
    planted = await (await buildPlanted()).createEmulator({ fixtures: PLANTED_FIXTURES });
  });
  afterAll(async () => {
    await usual?.close();
    await planted?.close();
  });

  test('are twenty, each with its own id and something to see', () => {
    const ids = DIFFERENCES.map(({ id }) => id);

    expect(new Set(ids).size).toBe(20);
    expect(ids.toSorted()).toEqual(Object.keys(SIGHTS).sort());
  });

  test.each(Object.entries(SIGHTS))('%s is there, and only in the planted build', async (_id, sight) => {
    usual.reset();
    planted.reset();

    const usually = await sight.look((user) => as(usual, user));
    const changed = await sight.look((user) => as(planted, user));

    expect({ usual: usually, planted: changed }).toEqual({ usual: sight.usual, planted: sight.planted });
  });
});

test('one difference is planted without the others', async () => {
  const { createEmulator } = await buildPlanted(['settings-200']);
  await using emulator = await createEmulator({ fixtures: PLANTED_FIXTURES });

  const { status } = await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({});
  const { body } = await as(emulator, 'ada').get('/v1/me');

  expect({ status, tier: body.tier }).toEqual({ status: 200, tier: 'pro' });
});

test('an unknown difference is an error that names it', async () => {
  await expect(buildPlanted(['settings-201'])).rejects.toThrow('There is no planted difference settings-201.');
});

test.each([0, 2])('a text that occurs %d times is an error that names the difference', (times) => {
  const [difference] = DIFFERENCES;
  if (!difference) throw new Error('no difference');

  expect(() => plant(difference.find.repeat(times), difference)).toThrow(
    `The text of the planted difference tier-missing occurs ${times} times in src/api/schemas/users.ts: `,
  );
});
