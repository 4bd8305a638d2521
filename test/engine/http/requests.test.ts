import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: 'one' }],
  versions: [{ val: 'ada/hello', code: 'zero' }],
};

test('a slash before the query is ignored, also on a route that writes', async () => {
  const emulator = await emulate(fixtures);

  const list = await as(emulator, 'ada').get('/v1/me/likes/?limit=5');
  expect(list.body.links.self).toBe(`${emulator.url}/v1/me/likes?limit=5&offset=0`);
  const created = await as(emulator, 'ada').post('/v1/vals/').send({ code: '1' });
  expect(created.status).toBe(200);
});

test('a query begins at the first semicolon or question mark, and keeps malformed encoding', async () => {
  const emulator = await emulate(fixtures);

  const first = await as(emulator, 'ada').get('/v1/me/likes;limit=5');
  const second = await as(emulator, 'ada').get('/v1/me/likes?a=%zz&b=%ff&limit=5');

  expect(first.body.links.self).toBe(`${emulator.url}/v1/me/likes?limit=5&offset=0`);
  expect(second.body.links.self).toBe(`${emulator.url}/v1/me/likes?a=%25zz&b=%25ff&limit=5&offset=0`);
});

test.each(['*/*', 'application/json', 'text/html', 'image/png'])('Accept: %s gets JSON', async (accept) => {
  const response = await as(await emulate(fixtures), 'ada')
    .get('/v1/me')
    .set('Accept', accept);

  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('a DELETE with an incomplete body deletes nothing', async () => {
  const emulator = await emulate(fixtures);
  const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
  const head = `DELETE /v1/vals/${HELLO} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ada-token\r\n`;
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n1 7\r\n{}\r\n0\r\n\r\n`);

  const [response] = await once(socket, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 400 /);
  await once(socket, 'close');
  await expect.poll(() => emulator.requests()).toHaveLength(1);
  expect(emulator.requests()).toMatchObject([{ method: 'DELETE', status: 400 }]);
  expect((await as(emulator, 'ada').get(`/v1/vals/${HELLO}`)).status).toBe(200);
});
