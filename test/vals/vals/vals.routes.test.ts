import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { valNotFound } from '../../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const COUNTER = 'c0110000-c54b-11ef-b3a1-e6cdfca9ef9f';
const FAN = 'fa000000-0000-4000-8000-000000000002';

const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
  vals: [
    {
      author: 'ada',
      name: 'Counter',
      id: COUNTER,
      code: 'export const count = 1;',
      readme: '# Counter',
      privacy: 'unlisted',
      type: 'httpnext',
      createdAt: '2024-01-02T03:04:05.678Z',
    },
    { author: 'bob', name: 'fan', id: FAN, code: "import 'https://esm.town/v/ada/Counter';" },
  ],
  runs: [{ val: 'ada/Counter' }],
  likes: [
    { user: 'ada', val: 'ada/Counter' },
    { user: 'bob', val: 'ada/Counter' },
  ],
  comments: [{ author: 'bob', val: 'ada/Counter', comment: 'Nice' }],
};

const counter = (url: string) => ({
  name: 'Counter',
  id: COUNTER,
  version: 0,
  code: 'export const count = 1;',
  public: false,
  createdAt: '2024-01-02T03:04:05.678Z',
  privacy: 'unlisted',
  type: 'httpnext',
  url: 'https://val.town/v/ada/Counter',
  links: {
    self: `${url}/v1/vals/${COUNTER}`,
    versions: `${url}/v1/vals/${COUNTER}/versions`,
    module: 'https://esm.town/v/ada/Counter?v=0',
    endpoint: 'https://ada-counter.web.val.run',
  },
  author: { id: ADA, username: 'ada' },
  likeCount: 2,
  referenceCount: 1,
  readme: '# Counter',
  versionCreatedAt: '2024-01-02T03:04:05.678Z',
});

describe('GET /v1/vals/{val_id}', () => {
  test('reads a val with its latest version', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(`/v1/vals/${COUNTER}`);

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual(counter(emulator.url));
  });

  test.each(['interval', 'http', 'express', 'email', 'script', 'rpc', 'httpnext'] as const)(
    'a val of type %s has an endpoint only if it serves HTTP',
    async (type) => {
      const vals = [{ author: 'ada', name: 'typed', id: COUNTER, code: '1', type }];
      const emulator = await emulate({ users: [{ username: 'ada', id: ADA }], vals });

      const response = await as(emulator).get(`/v1/vals/${COUNTER}`);

      expect(response.body.type).toBe(type);
      expect(Object.keys(response.body.links).sort()).toStrictEqual(
        ['http', 'httpnext', 'express'].includes(type)
          ? ['endpoint', 'module', 'self', 'versions']
          : ['module', 'self', 'versions'],
      );
    },
  );
});

describe('PUT /v1/vals', () => {
  test('ignores other fields of the body', async () => {
    const emulator = await emulate(fixtures);
    const extra = { privacy: 'public', readme: 'Other', type: 'email' };

    const updated = await as(emulator, 'ada')
      .put('/v1/vals')
      .send({ name: 'Counter', code: '2', ...extra });
    expect(updated.body).toMatchObject({ privacy: 'unlisted', readme: '# Counter', type: 'httpnext' });
    const created = await as(emulator, 'ada')
      .put('/v1/vals')
      .send({ name: 'fresh', code: '2', ...extra });
    expect(created.body).toMatchObject({ privacy: 'private', readme: null, type: 'script' });
  });
});

describe('DELETE /v1/vals/{val_id}', () => {
  test('deletes the val with its versions, runs, likes, comments and references', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').delete(`/v1/vals/${COUNTER}`);

    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    for (const path of ['', '/versions', '/versions/0', '/runs']) {
      const gone = await as(emulator, 'ada').get(`/v1/vals/${COUNTER}${path}`);
      expect(gone.status).toBe(404);
      expect(gone.body).toStrictEqual(valNotFound);
    }
    for (const list of ['runs', 'likes', 'comments', 'references']) {
      const ofAuthor = await as(emulator, 'ada').get(`/v1/me/${list}`);
      expect(ofAuthor.body.data).toStrictEqual([]);
      const ofFan = await as(emulator, 'bob').get(`/v1/me/${list}`);
      expect(ofFan.body.data).toStrictEqual([]);
    }
  });

  test('lowers the referenceCount of an imported val', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'bob').delete(`/v1/vals/${FAN}`).expect(204);

    const response = await as(emulator, 'ada').get(`/v1/vals/${COUNTER}`);

    expect(response.body).toMatchObject({ likeCount: 2, referenceCount: 0 });
  });
});

describe('PUT /v1/vals/{val_id}', () => {
  const before = { name: 'Counter', version: 0, readme: '# Counter', privacy: 'unlisted', type: 'httpnext' };

  test.each([
    [{ name: 'welcome' }, { name: 'welcome', url: 'https://val.town/v/ada/welcome' }],
    [{ name: 'COUNTER' }, { name: 'COUNTER', links: { endpoint: 'https://ada-counter.web.val.run' } }],
    [{ version: 7, token: 'x' }, {}],
  ])('%j changes the val alone, without a new version', async (body, change) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').put(`/v1/vals/${COUNTER}`).send(body);

    expect([response.status, response.text]).toStrictEqual([204, '']);
    expect(response.headers).not.toHaveProperty('content-type');
    const val = await as(emulator, 'ada').get(`/v1/vals/${COUNTER}`);
    expect(val.body).toMatchObject({ ...before, ...change });
    const versions = await as(emulator, 'ada').get(`/v1/vals/${COUNTER}/versions`);
    expect(versions.body.data).toHaveLength(1);
  });

  test.each(['put', 'post'] as const)('frees the old name, also after a rename by %s', async (method) => {
    const emulator = await emulate(fixtures);
    const path = method === 'put' ? `/v1/vals/${COUNTER}` : `/v1/vals/${COUNTER}/versions`;
    const { ok } = await as(emulator, 'ada')[method](path).send({ name: 'welcome', code: '1' });
    expect(ok).toBe(true);

    const again = await as(emulator, 'ada').post('/v1/vals').send({ name: 'counter', code: '2' });
    const taken = await as(emulator, 'ada').post('/v1/vals').send({ name: 'Welcome', code: '2' });
    const byName = await as(emulator, 'ada').put('/v1/vals').send({ name: 'WELCOME', code: '2' });

    expect([again.status, taken.status]).toStrictEqual([200, 409]);
    expect(again.body.id).not.toBe(COUNTER);
    expect(byName.body).toMatchObject({ id: COUNTER, name: 'welcome' });
  });
});
