import express from 'express';
import supertest from 'supertest';
import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { bySocket, emulate } from '../../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures: Fixtures = {
  users: [{ username: 'ada', id: 'ada00000-0000-4000-8000-000000000001' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: 'two' }],
  versions: ['zero', 'one'].map((code) => ({ val: 'ada/hello', code })),
};

/** The links of a page in the middle of a list, of a val and of a user, all of which begin with `base`. */
const linksFrom = (base: string) => ({
  page: {
    self: `${base}/v1/vals/${HELLO}/versions?limit=1&offset=1`,
    next: `${base}/v1/vals/${HELLO}/versions?limit=1&offset=2`,
    prev: `${base}/v1/vals/${HELLO}/versions?limit=1&offset=0`,
  },
  val: {
    self: `${base}/v1/vals/${HELLO}`,
    versions: `${base}/v1/vals/${HELLO}/versions`,
    module: 'https://esm.town/v/ada/hello?v=2',
  },
  user: { self: `${base}/v1/users/ada00000-0000-4000-8000-000000000001` },
});

async function readLinks(
  client: ReturnType<typeof supertest.agent>,
  prefix = '',
  headers: Record<string, string> = {},
) {
  const get = (path: string) => client.get(`${prefix}${path}`).set('Authorization', 'Bearer ada-token').set(headers);
  const page = await get(`/v1/vals/${HELLO}/versions?limit=1&offset=1`);
  const val = await get(`/v1/vals/${HELLO}`);
  const user = await get('/v1/me');
  return { page: page.body.links, val: val.body.links, user: user.body.links };
}

test('links begin with the address of the emulator', async () => {
  const emulator = await emulate(fixtures);

  expect(await readLinks(bySocket(emulator))).toStrictEqual(linksFrom(emulator.url));
});

test.each([
  [{ Host: 'api.example.test' }, 'http://api.example.test'],
  [{ Host: 'localhost:4010' }, 'http://localhost:4010'],
  [{ Host: '[::1]:4010' }, 'http://[::1]:4010'],
  [{ 'X-Forwarded-Proto': 'https', Host: 'api.example.test' }, 'https://api.example.test'],
  [{ 'X-Forwarded-Host': 'vals.example.test:8443', 'X-Forwarded-Proto': 'https' }, 'https://vals.example.test:8443'],
  [{ 'X-Forwarded-Host': 'outer.test, inner.test', 'X-Forwarded-Proto': 'https, http' }, 'https://outer.test'],
])('links begin with the address that the client uses: %j', async (headers, base) => {
  const emulator = await emulate(fixtures);

  expect(await readLinks(bySocket(emulator), '', { ...headers })).toStrictEqual(linksFrom(base));
});

test('links begin with publicUrl, whatever the address and the sandbox', async () => {
  const emulator = await emulate(fixtures, { publicUrl: 'https://api.example.test/fake/' });
  const links = linksFrom('https://api.example.test/fake');

  expect(await readLinks(bySocket(emulator))).toStrictEqual(links);
  expect(await readLinks(bySocket(emulator), '/_sandbox/one', { 'X-Forwarded-Host': 'outer.test' })).toStrictEqual(
    links,
  );
  const response = await emulator.sandbox('two').fetch(`/v1/vals/${HELLO}`);
  expect(await response.json()).toMatchObject({ links: links.val });
});

const BAD_HOSTS = [{ Host: 'a b' }, { Host: 'evil.test/path?' }, { Host: '"><script>' }];

test.each([...BAD_HOSTS, { 'X-Forwarded-Host': 'evil.test/path' }, { 'X-Forwarded-Proto': 'javascript' }])(
  'ignores an invalid address: %j',
  async (headers) => {
    const emulator = await emulate(fixtures);

    expect(await readLinks(bySocket(emulator), '', { ...headers })).toStrictEqual(linksFrom(emulator.url));
  },
);

describe('in another Express application', () => {
  test('links keep the prefix and can be followed', async () => {
    const emulator = await emulate(fixtures);
    const client = supertest.agent(express().use('/emulated/api', emulator.app));

    const links = await readLinks(client, '/emulated/api', { Host: 'app.test' });

    expect(links).toStrictEqual(linksFrom('http://app.test/emulated/api'));
    const next = await client.get(new URL(links.page.next).pathname);
    expect(next.status).toBe(200);
  });

  test('the application may read the body first', async () => {
    const emulator = await emulate(fixtures);
    const client = supertest.agent(express().use(express.json()).use('/emulated', emulator.app));

    const response = await client
      .post('/emulated/v1/vals')
      .set('Authorization', 'Bearer ada-token')
      .send({ name: 'fresh', code: 'é' });

    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ name: 'fresh', code: 'é' });
    const read = await bySocket(emulator, 'ada').get(`/v1/vals/${response.body.id}`);
    expect(read.status).toBe(200);
  });

  test('other paths are passed on to the application', async () => {
    const emulator = await emulate(fixtures);
    const app = express()
      .use('/emulated', emulator.app)
      .get('/v1/me', (_, response) => {
        response.json('mine');
      });

    const response = await supertest(app).get('/v1/me');

    expect(response.body).toBe('mine');
  });
});
