import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import harSchemas from 'har-schema';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../../src/index.js';
import { launch, ready, run, spawnCli } from '../../cli/cli.js';
import { folderOf } from '../../fixtures/loading.js';
import { send, serve } from './support.js';

const open = (to: string, ...flags: string[]) => ready(launch(['proxy', '--url', to, '--port', '0', ...flags]));

const SECRETS = /sk-planted|planted\.example|planted-cookie|planted-parameter|planted-in-body/;

const SUMMARY = `different All operations: another header (access-control-allow-origin) general/header/access-control-allow-origin, 2x
  The service has nothing; the emulator has *.
  GET /v1/me -> Service: 401, Emulator: 401
different Errors 401: another set of keys ($.error) error-401/key/$.error, 2x
  The service has no such key; the document: must have it.
  GET /v1/me -> Service: 401, Emulator: 401
different Errors 401: another message ($.message) error-401/message/$.message, 2x
  The service has No; the emulator has Unauthorized.
  GET /v1/me -> Service: 401, Emulator: 401
URL: 3 different (2 requests, 2 compared, 0.0 s)
`;

/** Lists how a document departs from HAR 1.2. */
function listHarErrors(document: unknown): unknown[] {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  for (const { $schema: _, ...schema } of Object.values(harSchemas)) ajv.addSchema(schema);
  ajv.validate('har.json', document);
  return ajv.errors ?? [];
}

/** A service with a secret in each part of its messages. */
const serveSecrets = () =>
  serve((request, response) => {
    const token = request.headers.authorization ?? 'Bearer sk-planted-of-ada';
    response.writeHead(200, {
      'content-type': 'application/json',
      'set-cookie': 'id=planted-cookie',
      'x-token': token,
    });
    response.end(JSON.stringify({ id: 1, token, email: 'ada@planted.example', apiKey: 'planted-in-body' }));
  });

describe('val-emulator proxy', () => {
  test('records the traffic as HAR, without secrets', async () => {
    const folder = folderOf({});
    const paths = ['a.har', 'a.json', 'a.xml'].map((name) => join(folder, name));
    const [har = '', ...reports] = paths;
    const flags = reports.flatMap((path) => ['--report', path]);
    const { command, url } = await open(await serveSecrets(), '--record', har, '--compare', ...flags);
    // The first response has the token that the second request teaches.
    await send(`${url}/v1/me`);
    const headers = { authorization: 'Bearer sk-planted-of-ada', cookie: 'id=planted-cookie' };
    await send(`${url}/v1/me?access_token=planted-parameter&limit=2`, 'GET', headers);
    const body = '{"code":"sk-planted-of-ada <li key={a}>","readme":"ask ada@planted.example"}';
    await send(`${url}/v1/vals`, 'POST', { ...headers, 'content-type': 'application/json' }, body);
    const { stdout, stderr, code } = await command.kill('SIGTERM');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(readdirSync(folder).sort()).toEqual(['a.har', 'a.json', 'a.xml']);
    for (const path of paths) expect(readFileSync(path, 'utf8')).not.toMatch(SECRETS);
    expect(stdout).not.toMatch(SECRETS);
    expect(stdout).toContain('Wrote 3 requests to ');
    const { log } = JSON.parse(readFileSync(har, 'utf8'));
    expect(listHarErrors({ log })).toEqual([]);
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'val-emulator' } });
    expect(log.entries).toMatchObject([
      { request: { method: 'GET' }, response: { status: 200, content: { mimeType: 'application/json' } } },
      { request: { queryString: [{ name: 'access_token' }, { name: 'limit', value: '2' }] } },
      {
        request: {
          method: 'POST',
          postData: {
            mimeType: 'application/json',
            text: '{"code":"(removed) <li key={a}>","readme":"ask user@example.com"}',
          },
        },
      },
    ]);
  });

  test('lists differences', async () => {
    const url = await serve((_request, response) => {
      const body = JSON.stringify({ message: 'No', statusCode: 401 });
      response.writeHead(401, { 'content-type': 'application/json' }).end(body);
    });
    const { command, url: own } = await open(url, '--compare');
    await send(`${own}/v1/me`);
    await send(`${own}/v1/me`);
    const { stdout, code } = await command.kill('SIGINT');
    expect(code).toBe(0);
    const summary = stdout.slice(stdout.indexOf('different')).replace(/[\d.]+ s\)/, '0.0 s)');
    expect(summary).toBe(SUMMARY.replace('URL', url));
  });

  test('fails if the emulator sends another media type', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/json' }).end('{"data":[],"links":{"self":"http://a.test/"}}');
    });
    const { command, url: own } = await open(url, '--compare');
    await send(`${own}/v1/search/vals?query=a`);
    const { stdout, code } = await command.kill('SIGINT');
    expect(stdout).toContain('failed All operations: another header (content-type) general/header/content-type');
    expect(code).toBe(1);
  });

  test('ends with 0 without differences, as text and as JSON', async () => {
    await using upstream = await createEmulator();
    const headers = { authorization: 'Bearer ada-token' };
    const file = join(folderOf({}), 'read.json');
    writeFileSync(file, JSON.stringify(upstream.exportState()));
    const paths = ['/v1/me', '/v1/me/runs?limit=3', '/v1/me/likes', '/v1/me/comments', '/v1/me/references'];
    for (const flag of ['--no-json', '--json']) {
      const { command, url } = await open(upstream.url, '--compare', '--fixtures', file, flag);
      for (const path of paths) await send(url + path, 'GET', headers);
      const { stdout, code } = await command.kill('SIGINT');
      expect(code).toBe(0);
      if (flag === '--json') {
        const [first = '', second = ''] = stdout.split('\n');
        expect(JSON.parse(first)).toMatchObject({ url, to: upstream.url });
        expect(JSON.parse(second)).toMatchObject({ title: 'Proxy', totals: { failed: 0, different: 0 }, entries: [] });
      } else {
        expect(stdout).toContain(`${upstream.url}: no differences (5 requests, 5 compared, `);
      }
    }
  });

  test('compares statuses and shapes without fixtures', async () => {
    await using upstream = await createEmulator();
    const [user] = upstream.users;
    const headers = { authorization: 'Bearer ada-token' };
    const { command, url } = await open(upstream.url, '--compare');
    const paths = [
      '/v1/me',
      '/v1/me/runs?limit=3',
      '/v1/me/runs?limit=0',
      '/v1/me/references',
      `/v1/users/${user?.id}/vals`,
    ];
    for (const path of [...paths, '/v1/search/vals?query=a', '/v1/runs/1', '/v1/projects/x'])
      await send(url + path, 'GET', headers);
    await send(`${url}/v1/vals`, 'POST', { ...headers, 'content-type': 'application/json' }, '{"code":"1"}');
    const { stdout, code } = await command.kill('SIGINT');
    expect(stdout).toContain(
      [
        '1 not compared: the emulator does not have its route',
        '1 not compared: it may change something',
        `${upstream.url}: no differences (9 requests, 7 compared, `,
      ].join('\n'),
    );
    expect(code).toBe(0);
  });

  test.each([
    [['--url', 'nowhere'], '--url: found "nowhere"; expected a URL such as "https://api.example.com".'],
    [
      ['--url', 'ftp://example.com'],
      '--url: found "ftp://example.com"; expected a URL such as "https://api.example.com".',
    ],
    [['--url', 'http://a.test', '--port', '70000'], '--port: found "70000"; expected a port from 0 to 65535.'],
    [['--url', 'http://a.test', '--fixtures', './x'], '--fixtures: use it with --compare.'],
    [['--url', 'http://a.test', '--record', 'a.txt'], '--record: found "a.txt"; expected a file that ends in .har.'],
    [
      ['--url', 'http://a.test', '--record', '/none/a.har'],
      "--record: cannot write /none/a.har (ENOENT: no such file or directory, open '/none/a.har').",
    ],
    [
      ['--url', 'http://a.test', '--report', '/none/a.xml'],
      "--report: cannot write /none/a.xml (ENOENT: no such file or directory, open '/none/a.xml').",
    ],
    [
      ['--url', 'http://a.test', '--report', 'a.txt'],
      '--report: found "a.txt"; expected a file that ends in .json or .xml.',
    ],
  ])('refuses %j', async (flags, message) => {
    const { stderr, code } = await run(['proxy', ...flags]);
    expect(stderr).toBe(`val-emulator: ${message}\n`);
    expect(code).toBe(2);
  });

  test('writes its recording when npm repeats the signal', async () => {
    const emulator = await createEmulator();
    onTestFinished(() => emulator.close());
    const path = join(folderOf({}), 'a.har');
    const { command, url } = await ready(spawnCli(['proxy', '--url', emulator.url, '--port', '0', '--record', path]));
    for (let i = 0; i < 20; i++) await send(`${url}/v1/me`);
    command.child.kill('SIGINT');
    // Soon: once a process has ended its work, a signal kills it.
    await sleep(1);
    command.child.kill('SIGINT');
    const { stdout, code } = await command.end();
    expect(code).toBe(0);
    expect(stdout).toContain('Wrote 20 requests to ');
    expect(JSON.parse(readFileSync(path, 'utf8')).log.entries).toHaveLength(20);
  });

  test.each([
    ['is not there', undefined, /^http:\S+ does not respond: connection refused\.$/],
    [
      'responds with HTML',
      [200, 'text/html', '<p>Hi</p>'],
      /is not a vals API: GET \/v1\/me responded 200 with text\/html\.$/,
    ],
    [
      'responds 404',
      [404, 'application/json', '{}'],
      /is not a vals API: GET \/v1\/me responded 404 with application\/json\.$/,
    ],
    ['redirects', [302, 'text/plain', ''], /is not a vals API: GET \/v1\/me responded 302 with text\/plain\.$/],
  ] as const)('ends with a line if the service %s', async (_, response, message) => {
    const [status, type, body] = response ?? [];
    const to = response
      ? await serve((_request, out) => void out.writeHead(status ?? 0, { 'content-type': type }).end(body))
      : 'http://127.0.0.1:65533';
    const { stdout, stderr, code } = await run(['proxy', '--url', to, '--port', '0']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr.replace(/^val-emulator: |\n$/g, '')).toMatch(message);
  });
});
