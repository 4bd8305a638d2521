import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate, NOW, UUID } from '../support/emulate.js';
import { conflict, valNotFound, versionNotFound } from '../support/errors.js';

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

  test('an id in capital letters is the same id', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator).get(`/v1/vals/${COUNTER.toUpperCase()}`);

    expect(response.body).toStrictEqual(counter(emulator.url));
  });

  test.each(['interval', 'http', 'express', 'email', 'script', 'rpc', 'httpnext'] as const)(
    'a val of type %s has an endpoint only if it serves http',
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

  test.each([
    ['public', true],
    ['unlisted', false],
    ['private', false],
  ] as const)('a val that is %s', async (privacy, isPublic) => {
    const vals = [{ author: 'ada', name: 'shown', id: COUNTER, code: '1', privacy }];

    const response = await as(await emulate({ users: [{ username: 'ada' }], vals }), 'ada').get(`/v1/vals/${COUNTER}`);

    expect(response.body).toMatchObject({ privacy, public: isPublic });
  });
});

describe('POST /v1/vals', () => {
  test('creates a val: private, a script, version 0, without a readme', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').post('/v1/vals').send({ name: 'myVal', code: 'export default 1;' });

    expect(response.status).toBe(200);
    const { id } = response.body;
    expect(id).toMatch(UUID);
    expect(response.body).toStrictEqual({
      name: 'myVal',
      id,
      version: 0,
      code: 'export default 1;',
      public: false,
      createdAt: NOW,
      privacy: 'private',
      type: 'script',
      url: 'https://val.town/v/ada/myVal',
      links: {
        self: `${emulator.url}/v1/vals/${id}`,
        versions: `${emulator.url}/v1/vals/${id}/versions`,
        module: 'https://esm.town/v/ada/myVal?v=0',
      },
      author: { id: ADA, username: 'ada' },
      likeCount: 0,
      referenceCount: 0,
      readme: null,
      versionCreatedAt: NOW,
    });
    const read = await as(emulator, 'ada').get(`/v1/vals/${id}`);
    expect(read.body).toStrictEqual(response.body);
    const versions = await as(emulator, 'ada').get(`/v1/vals/${id}/versions`);
    expect(versions.body.data).toStrictEqual([{ val_id: id, version: 0, createdAt: NOW }]);
  });

  test.each([
    [{ privacy: 'public' }, { public: true }],
    [{ privacy: 'unlisted' }, { public: false }],
    [{ privacy: 'private' }, { public: false }],
    [{ type: 'httpnext' }, {}],
    [{ type: 'http' }, {}],
    [{ type: 'script' }, {}],
    [{ type: 'email' }, {}],
    [{ readme: '# My Val' }, {}],
    [{ readme: '' }, {}],
  ])('%j is kept', async (settings, further) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada')
      .post('/v1/vals')
      .send({ name: 'myVal', code: '1', ...settings });

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ ...settings, ...further });
    const read = await as(emulator, 'ada').get(`/v1/vals/${response.body.id}`);
    expect(read.body).toStrictEqual(response.body);
  });

  test('a val without a name is given one: camel case, and none twice', async () => {
    const emulator = await emulate(fixtures);
    const names = new Set<string>();
    const ids = new Set<string>();

    for (let i = 0; i < 100; i++) {
      const response = await as(emulator, 'ada').post('/v1/vals').send({ code: '1' });
      expect(response.status).toBe(200);
      expect(response.body.name).toMatch(/^[a-z]+[A-Z][a-z]+[A-Z][a-z]+$/);
      expect(response.body.name.length).toBeLessThanOrEqual(48);
      names.add(response.body.name.toLowerCase());
      ids.add(response.body.id);
    }

    expect(names.size).toBe(100);
    expect(ids.size).toBe(100);
  });

  test.each(['Counter', 'counter', 'COUNTER'])('the name %s is taken, whatever the case', async (name) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').post('/v1/vals').send({ name, code: '1' });

    expect(response.status).toBe(409);
    expect(response.body).toStrictEqual(
      conflict(expect.stringMatching(new RegExp(`^Conflict: .*"${name}" already exists$`))),
    );
  });

  test('another user can use the name', async () => {
    const response = await as(await emulate(fixtures), 'bob')
      .post('/v1/vals')
      .send({ name: 'Counter', code: '1' });

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ name: 'Counter', author: { username: 'bob' } });
  });
});

describe('PUT /v1/vals', () => {
  test('with a new name it creates a val as POST does', async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').put('/v1/vals').send({ name: 'fresh', code: '1' });

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      name: 'fresh',
      version: 0,
      code: '1',
      privacy: 'private',
      type: 'script',
      readme: null,
      createdAt: NOW,
    });
    const read = await as(emulator, 'ada').get(`/v1/vals/${response.body.id}`);
    expect(read.body).toStrictEqual(response.body);
  });

  test.each(['Counter', 'counter', 'COUNTER'])(
    'with the name %s it adds a version and keeps the rest',
    async (name) => {
      const emulator = await emulate(fixtures);

      const response = await as(emulator, 'ada').put('/v1/vals').send({ name, code: 'export const count = 2;' });

      expect(response.status).toBe(200);
      const { links, ...rest } = counter(emulator.url);
      expect(response.body).toStrictEqual({
        ...rest,
        links: { ...links, module: 'https://esm.town/v/ada/Counter?v=1' },
        version: 1,
        code: 'export const count = 2;',
        versionCreatedAt: NOW,
      });
      const versions = await as(emulator, 'ada').get(`/v1/vals/${COUNTER}/versions`);
      expect(versions.body.data).toStrictEqual([
        { val_id: COUNTER, version: 1, createdAt: NOW },
        { val_id: COUNTER, version: 0, createdAt: '2024-01-02T03:04:05.678Z' },
      ]);
    },
  );

  test('what else the body says is not applied', async () => {
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

  test("somebody else's val of that name is left alone", async () => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'bob').put('/v1/vals').send({ name: 'Counter', code: 'mine' });

    expect(response.body.author.username).toBe('bob');
    expect(response.body.id).not.toBe(COUNTER);
    const untouched = await as(emulator, 'ada').get(`/v1/vals/${COUNTER}`);
    expect(untouched.body).toMatchObject({ version: 0, code: 'export const count = 1;' });
  });
});

describe('DELETE /v1/vals/{val_id}', () => {
  test('takes the val away with all that belongs to it', async () => {
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

  test('a second time there is nothing to delete', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').delete(`/v1/vals/${COUNTER}`).expect(204);

    const response = await as(emulator, 'ada').delete(`/v1/vals/${COUNTER}`);

    expect(response.status).toBe(404);
    expect(response.body).toStrictEqual(valNotFound);
  });

  test.each(['post', 'put'] as const)('%s can use the name again, for a val that starts afresh', async (method) => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'ada').delete(`/v1/vals/${COUNTER}`).expect(204);

    const response = await as(emulator, 'ada')[method]('/v1/vals').send({ name: 'counter', code: 'new' });

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ name: 'counter', version: 0, likeCount: 0, readme: null });
    expect(response.body.id).not.toBe(COUNTER);
    const missing = await as(emulator, 'ada').get(`/v1/vals/${response.body.id}/versions/1`);
    expect(missing.body).toStrictEqual(versionNotFound);
  });

  test('a val that imported another is counted there no more', async () => {
    const emulator = await emulate(fixtures);
    await as(emulator, 'bob').delete(`/v1/vals/${FAN}`).expect(204);

    const response = await as(emulator, 'ada').get(`/v1/vals/${COUNTER}`);

    expect(response.body).toMatchObject({ likeCount: 2, referenceCount: 0 });
  });
});
