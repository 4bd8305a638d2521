import { request } from 'node:http';
import express from 'express';
import supertest from 'supertest';
import { describe, expect, test } from 'vitest';
import { packageVersion } from '#engine/platform/package.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { bySocket, emulate } from '../../support/emulate.js';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace', token: `<b>&"'` }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
};
const identity = { name: 'val-emulator', version: packageVersion(), service: 'vals' };
const linksOf = (url: string) => ({
  url,
  health: `${url}/_emulator/health`,
  docs: `${url}/_emulator/openapi-control.json`,
  openapi: `${url}/_emulator/openapi.json`,
});
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const openPage = (emulator: Emulator, path = '/', headers: Record<string, string> = {}) =>
  bySocket(emulator)
    .get(path)
    .set({ accept: BROWSER, ...headers });

/** The status of a request as node:http sends it. */
const askStatus = (url: string, method: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end();
  });

describe('the bare address responds to tools that wait for a server', () => {
  // What each of them sends, by its source.
  test.each([
    ['Playwright', 'GET', { accept: '*/*' }],
    ['wait-on and start-server-and-test, at first', 'HEAD', { accept: 'text/html, application/json, text/plain, */*' }],
    ['wait-on with http-get', 'GET', { accept: 'text/html, application/json, text/plain, */*' }],
    ['curl, in a health check of Docker', 'GET', { 'user-agent': 'curl/8.5.0', accept: '*/*' }],
    ['wget --spider', 'HEAD', { 'user-agent': 'Wget', accept: '*/*' }],
    ['a load balancer', 'GET', { host: '10.0.0.7', connection: 'close' }],
  ])('%s', async (_, method, headers) => {
    const emulator = await emulate(fixtures, { rateLimit: { limit: 1, window: '1m' } });
    emulator.fail('*', { status: 503 });

    expect(await askStatus(emulator.url, method, headers)).toBe(200);
    expect(await askStatus(`${emulator.url}/?ready`, method, headers)).toBe(200);
    expect(emulator.requests()).toEqual([]);
  });
});

describe('as JSON', () => {
  test('the root names the emulator and its documents, all of which respond', async () => {
    const emulator = await emulate(fixtures);

    const { body, headers } = await bySocket(emulator).get('/');

    expect(body).toStrictEqual({ ...identity, ...linksOf(emulator.url) });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    for (const url of Object.values(linksOf(emulator.url))) expect((await fetch(url)).status).toBe(200);
  });

  test.each(['', '/', '?x=1'])('the root of a sandbox has the links of the sandbox: /_sandbox/one%s', async (end) => {
    const emulator = await emulate(fixtures);
    const expected = { ...identity, ...linksOf(`${emulator.url}/_sandbox/one`) };

    expect((await bySocket(emulator).get(`/_sandbox/one${end}`)).body).toStrictEqual(expected);
    expect(
      (
        await bySocket(emulator)
          .get(`/${end.replace('/', '')}`)
          .set('X-Emulator-Sandbox', 'one')
      ).body,
    ).toStrictEqual(expected);
    expect((await bySocket(emulator).get('/_emulator/sandboxes')).body).toEqual([]);
    expect(await (await emulator.sandbox('one').fetch('/')).json()).toStrictEqual(expected);
  });

  test('the root of a closed sandbox returns 404', async () => {
    const emulator = await emulate(fixtures);
    await emulator.sandbox('one').close();

    expect((await bySocket(emulator).get('/_sandbox/one/')).status).toBe(404);
  });

  test.each(['/fake', '/fake/'])('a mounted emulator has its root at %s', async (path) => {
    const { app } = await emulate(fixtures, { listen: false });
    const client = supertest(express().use('/fake', app));

    const { body } = await client.get(path).set({ Host: 'localhost:3000', 'X-Forwarded-Prefix': '/proxy' });

    expect(body).toStrictEqual({ ...identity, ...linksOf('http://localhost:3000/proxy/fake') });
  });

  test.each(['post', 'put', 'delete', 'patch'] as const)('%s / returns 404', async (method) => {
    const emulator = await emulate(fixtures);

    expect((await bySocket(emulator)[method]('/')).status).toBe(404);
    expect(emulator.unhandled()).toHaveLength(1);
  });

  test.each(['/_emulator', '/_emulator/', '/_sandbox/one/_emulator'])('%s redirects to the root', async (path) => {
    const emulator = await emulate(fixtures);

    const { status, headers } = await bySocket(emulator).get(path);

    expect(status).toBe(302);
    expect(headers.location).toBe(emulator.url + path.replace(/_emulator\/?/, ''));
    expect(headers['content-length']).toBe('0');
    expect((await bySocket(emulator).post(path)).status).toBe(404);
  });
});

describe('in a browser', () => {
  test.each([
    ['/', '/_emulator/ui/'],
    ['/?x=1', '/_emulator/ui/'],
    ['/_emulator', '/_emulator/ui/'],
    ['/_emulator/', '/_emulator/ui/'],
    ['/_sandbox/one', '/_sandbox/one/_emulator/ui/'],
    ['/_sandbox/one/_emulator', '/_sandbox/one/_emulator/ui/'],
  ])('%s redirects to the dashboard', async (path, dashboard) => {
    const emulator = await emulate(fixtures);

    const { status, headers, text } = await openPage(emulator, path);

    expect([status, headers.location, text]).toStrictEqual([302, emulator.url + dashboard, '']);
    expect(headers['content-length']).toBe('0');
    expect((await bySocket(emulator).head(path).set('accept', BROWSER)).headers.location).toBe(
      emulator.url + dashboard,
    );
  });

  test.each([
    ['/_emulator/db', '/_emulator/ui/#/data'],
    ['/_emulator/db/', '/_emulator/ui/#/data'],
    ['/_sandbox/one/_emulator/db', '/_sandbox/one/_emulator/ui/#/data'],
  ])('%s redirects to the records in the dashboard, and is JSON for programs', async (path, page) => {
    const emulator = await emulate(fixtures);

    const { status, headers } = await openPage(emulator, path);

    expect([status, headers.location]).toStrictEqual([302, emulator.url + page]);
    expect((await bySocket(emulator).get(path)).body).toHaveProperty('vals');
  });

  test('an unknown path of the data browser returns an error that names the dashboard, and JSON for programs', async () => {
    const emulator = await emulate(fixtures);

    const { status, headers, text } = await openPage(emulator, '/_emulator/db/<b>');
    const json = await bySocket(emulator).get('/_emulator/db/valz');

    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('There is no collection');
    expect(text).not.toContain('<b>');
    expect(text).toContain(`<a href="${emulator.url}/_emulator/ui/#/data">`);
    expect(json.body).toMatchObject({ statusCode: 404 });
  });

  test('the header of a sandbox and the prefix of a proxy are in the address', async () => {
    const { app } = await emulate(fixtures, { listen: false });
    const client = supertest(express().use('/fake', app));

    const { headers } = await client
      .get('/fake/')
      .set({ accept: BROWSER, host: 'localhost:3000', 'x-forwarded-prefix': '/proxy', 'x-emulator-sandbox': 'one' });

    expect(headers.location).toBe('http://localhost:3000/proxy/fake/_sandbox/one/_emulator/ui/');
  });

  test.each(['/_emulator/db/users', '/_emulator/openapi.json', '/_emulator/requests'])(
    '%s is indented, and one line elsewhere',
    async (path) => {
      const emulator = await emulate(fixtures);
      const { text, headers } = await openPage(emulator, path);

      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
      expect((await bySocket(emulator).get(path)).text).toBe(JSON.stringify(JSON.parse(text)));
    },
  );

  test('the bare page forbids scripts, resources and frames', async () => {
    const { headers, text } = await openPage(await emulate(fixtures, { control: false }));

    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(text).not.toMatch(/<script|<link|<img|\bsrc=|\bon\w+=|style/);
  });
});

describe('a client that may not use the control API gets name and version only', () => {
  test.each<[what: string, headers: Record<string, string>, options: object]>([
    ['another host', { Host: 'evil.test' }, {}],
    ['another origin', { Origin: 'https://evil.test' }, {}],
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, {}],
    ['an emulator without control API', {}, { control: false }],
    ['the routes of the specification alone', {}, { specOnly: true }],
  ])('%s', async (_, headers, options) => {
    const emulator = await emulate(fixtures, options);

    const json = await bySocket(emulator).get('/').set(headers);
    const page = await openPage(emulator, '/', headers);

    expect(json.status).toBe(200);
    expect(json.body).toStrictEqual(identity);
    expect(json.headers).not.toHaveProperty('access-control-allow-origin');
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<h1>val-emulator [\d.]+<\/h1>\n<\/html>\n$/);
    expect(page.text).not.toContain('ada');
  });

  test('with the control token the root names everything', async () => {
    const emulator = await emulate(fixtures, { controlToken: 'secret-123' });

    const trusted = { Host: 'evil.test', 'X-Emulator-Control-Token': 'secret-123' };
    const { headers } = await openPage(emulator, '/', trusted);

    expect(headers.location).toBe('http://evil.test/_emulator/ui/');
  });

  test('only a page of a trusted origin may read the root', async () => {
    const emulator = await emulate(fixtures);

    const { headers } = await bySocket(emulator).get('/').set('Origin', 'http://localhost:5173');

    expect(headers).toMatchObject({ 'access-control-allow-origin': 'http://localhost:5173', vary: 'Origin' });
  });

  test('without a control API, /_emulator returns 404', async () => {
    expect((await bySocket(await emulate(fixtures, { control: false })).get('/_emulator')).status).toBe(404);
  });
});

test('the icon that browsers ask for is not recorded in the journal', async () => {
  const emulator = await emulate(fixtures);
  const sandbox = await emulator.sandbox('checkout');
  for (const path of ['/favicon.ico', '/favicon.ico?v=1', '/_sandbox/checkout/favicon.ico']) {
    expect([path, (await openPage(emulator, path)).status]).toEqual([path, 204]);
  }
  expect((await bySocket(emulator).head('/favicon.ico')).status).toBe(204);
  expect((await bySocket(emulator).post('/favicon.ico')).status).toBe(404);
  expect((await emulator.requests()).map(({ method }) => method)).toEqual(['POST']);
  expect(await sandbox.requests()).toEqual([]);
});

test('an unknown page links a browser to the dashboard', async () => {
  const emulator = await emulate(fixtures);
  const page = await openPage(emulator, '/_emulator/ui/a/b');
  expect([page.status, page.type]).toEqual([404, 'text/html']);
  expect(page.text).toContain('<p>There is no page /_emulator/ui/a/b.');
  expect(page.text).toContain('<a href="../">Open the dashboard</a>');
  expect((await openPage(emulator, '/_emulator/ui/a')).text).toContain('<a href="./">');
  expect((await bySocket(emulator).get('/_emulator/ui/a').set({ accept: '*/*' })).type).toBe('text/plain');
});
