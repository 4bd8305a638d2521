import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import supertest from 'supertest';
import { createEmulator } from 'val-emulator';
import { createApp } from '../src/app.js';
import { Vals } from '../src/vals.js';

// The emulator needs no port of its own: it is part of the application that calls it.
const emulator = await createEmulator({
  listen: false,
  now: '2024-06-11T22:05:00Z',
  fixtures: { users: [{ username: 'ada' }, { username: 'grace' }] },
});
const server = createServer();
let url;

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
  const vals = new Vals({
    baseUrl: `${url}/fake`,
    token: 'ada-token',
    // Waits by the emulator's clock, which takes no time.
    wait: async (milliseconds) => emulator.clock.advance(milliseconds),
  });
  server.on('request', createApp(vals).use('/fake', emulator.app));
});
beforeEach(() => emulator.reset());
after(() => server.close());

test('keeps a note as a val', async () => {
  const note = { text: 'Buy flour' };

  const { body } = await supertest(server).put('/notes/shopping').send(note).expect(200);

  await supertest(server).get(`/notes/${body.id}`).expect(200, note);
  emulator.expectRequest('PUT /v1/vals', { times: 1, body: { name: 'shopping', code: '{"text":"Buy flour"}' } });
});

test('collects failures from several pages, whose links lead through the application', async () => {
  emulator.add.val({ author: 'ada', name: 'report', code: 'send();' });
  for (let minutes = 1; minutes <= 45; minutes++) {
    emulator.add.run({ val: 'ada/report', runStartAt: `-${minutes}m`, error: `failure ${minutes}` });
  }

  const failures = Array.from({ length: 45 }, (_, index) => `failure ${index + 1}`);
  await supertest(server).get('/failures').expect(200, failures);

  emulator.expectRequest('GET /v1/me/runs', { times: 3 });
  const page = await supertest(server).get('/fake/v1/me/runs').set('authorization', 'Bearer ada-token');
  assert.equal(page.body.links.next, `${url}/fake/v1/me/runs?limit=20&offset=20`);
});

test('tries again while the API is unavailable for a moment', async () => {
  emulator.fail('PUT /v1/vals', { status: 503, times: 2 });

  await supertest(server).put('/notes/shopping').send({}).expect(200);

  assert.deepEqual(statuses(), [503, 503, 200]);
});

test('returns 502 while the API is unavailable', async () => {
  emulator.fail('PUT /v1/vals', { status: 503 });

  const answer = { message: 'The vals API said: Service Unavailable' };
  await supertest(server).put('/notes/shopping').send({}).expect(502, answer);

  assert.deepEqual(statuses(), [503, 503, 503]);
});

test('waits for the time of Retry-After', async () => {
  emulator.fail('PUT /v1/vals', { status: 429, headers: { 'Retry-After': '20' }, times: 1 });

  await supertest(server).put('/notes/shopping').send({}).expect(200);

  assert.deepEqual(statuses(), [429, 200]);
  assert.equal(emulator.clock.now.toISOString(), '2024-06-11T22:05:20.000Z');
});

test("does not show another user's private val", async () => {
  const { id } = emulator.add.val({ author: 'grace', name: 'diary', code: '{}', privacy: 'private' });

  await supertest(server).get(`/notes/${id}`).expect(404, { message: 'There is no such note' });
});

test('supertest reaches the emulator and its sandboxes without the application', async () => {
  const sandbox = emulator.sandbox();

  await supertest(emulator.app)
    .get('/v1/me')
    .set({ ...sandbox.headers, authorization: 'Bearer grace-token' })
    .expect(200);

  sandbox.expectRequest('GET /v1/me', { times: 1 });
  assert.deepEqual(emulator.requests(), []);
});

const statuses = () => emulator.requests().map(({ status }) => status);
