import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CASES } from '#tools/conformance/cases/index.js';
import { checkConformance } from '#tools/conformance/index.js';
import type { Report } from '#tools/conformance/report.js';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.js';
import { PATIENCE } from '../../support/patience.js';

const start = async (options: EmulatorOptions = {}): Promise<Emulator> => {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
};

const check = (emulator: { readonly url: string }, options: Partial<Parameters<typeof checkConformance>[0]> = {}) =>
  checkConformance({ url: emulator.url, token: 'ada-token', level: 'write', timeout: PATIENCE, ...options });

const failures = ({ entries }: Report) =>
  entries.filter(({ outcome }) => outcome === 'failed' || outcome === 'different').map(({ id }) => id);

/** Hundreds of cases, on a machine with other work. */

describe('the check of conformance', () => {
  test('restores the account', async () => {
    const emulator = await start();
    const before = emulator.state();
    const report = await check(emulator, { secondToken: 'grace-token', level: 'limits' });
    const { sqlite, ...after } = emulator.state();
    expect({ ...after, sqlite: [] }).toEqual(before);
    // An account has a database after its first statement. No table is left in it.
    expect(sqlite).toMatchObject([{ user: 'ada', sql: [] }]);
    expect(report.remarks).toEqual([]);
  });

  test('fails for a stranger who may write, whatever the source of the rule, and not for another refusal', async () => {
    const emulator = await start();
    const checkAs = (change: (response: Response, method: string, token: string) => Response) =>
      check(emulator, {
        secondToken: 'grace-token',
        cases: CASES.filter(({ id }) => id === 'deleteVal/of-another' || id === 'createFile/second'),
        async fetch(input, init) {
          const response = await emulator.fetch(input instanceof Request ? input : String(input), init);
          const token = new Headers(init?.headers).get('authorization') ?? '';
          return change(response, init?.method ?? 'GET', token);
        },
      });
    const outcomes = (report: Report, outcome: string) =>
      report.entries.filter((entry) => entry.outcome === outcome).map(({ id }) => id);

    const open = await checkAs((response, method, token) =>
      method !== 'GET' && token.includes('grace') && response.status === 404
        ? new Response(null, { status: 204 })
        : response,
    );
    expect(outcomes(open, 'failed')).toEqual(expect.arrayContaining(['deleteVal/of-another', 'createFile/second']));
    const strict = await checkAs((response, method, token) =>
      method !== 'GET' && token.includes('grace') && response.status === 404
        ? new Response('{"message":"Forbidden","error":"Forbidden","statusCode":403}', { ...response, status: 403 })
        : response,
    );
    expect(outcomes(strict, 'failed')).not.toContain('createFile/second');
    expect(outcomes(strict, 'different')).toContain('createFile/second');
  });

  test('changes nothing at the level read', async () => {
    const emulator = await start();
    const report = await check(emulator, { level: 'read' });
    expect(failures(report)).toEqual([]);
    const writes = emulator
      .requests()
      .filter(({ method, status }) => !/GET|HEAD|OPTIONS/.test(method) && status !== 401);
    expect(writes.filter(({ path }) => !/^\/v1\/sqlite\/|^\/v3\/mcp$/.test(path))).toEqual([]);
    expect(emulator.history()).toEqual([]);
  });

  test('creates vals for an empty account, and skips cases without records', async () => {
    const emulator = await start({ fixtures: { users: [{ username: 'ada' }, { username: 'grace' }] } });
    const report = await check(emulator, { secondToken: 'grace-token' });
    expect(failures(report)).toEqual([]);
    const reasons = new Set(report.entries.flatMap(({ outcome, reason }) => (outcome === 'skipped' ? [reason] : [])));
    expect([...reasons].sort()).toMatchInlineSnapshot(`
      [
        "it needs --level email",
        "it needs --level limits",
        "it needs --limited-token",
        "it needs --reader-token",
        "no run of the account has logged anything",
        "no val depends on one of the account",
        "the account has no failed run",
        "the account has no like",
        "the account has no run",
        "the list has too few items",
      ]
    `);
    expect(emulator.state().vals).toEqual([]);
  });

  test('lists vals that it cannot delete', async () => {
    const emulator = await start();
    emulator.fail('DELETE /v1/vals/{val_id}', { status: 500 });
    const report = await check(emulator);
    expect(report.remarks.length).toBeGreaterThan(10);
    expect(report.remarks[0]).toMatch(/^The val \w+ could not be deleted\. Delete it by hand\.$/);
  });

  test('lists tables that it cannot drop', async () => {
    const emulator = await start();
    const report = await check(emulator, {
      async fetch(input, init) {
        const isDrop = String(init?.body).includes('DROP TABLE');
        return isDrop ? new Response('{}', { status: 500 }) : fetch(input, init);
      },
    });
    const [remark, ...others] = report.remarks.filter((each) => each.includes('table'));
    expect(remark).toMatch(/^The table conformance_\w+ could not be deleted\. Delete it by hand\.$/);
    expect(others.length).toBeGreaterThan(5);
  });

  test('waits while the service limits its rate', async () => {
    const emulator = await start({ rateLimit: { limit: 100, window: '1s' } });
    expect(failures(await check(emulator, { level: 'read' }))).toEqual([]);
  });

  test('hides tokens and email addresses', async () => {
    const emulator = await start({
      fixtures: { users: [{ username: 'ada', token: 'sk-planted-secret', email: 'ada@planted.example' }] },
    });
    emulator.fail('GET /v1/me', {
      body: { id: 1, token: 'sk-planted-secret', email: 'ada@planted.example' },
      after: 1,
    });
    const report = await check(emulator, { token: 'sk-planted-secret', level: 'read' });
    expect(failures(report)).toContain('getMe/keys');
    expect(JSON.stringify(report)).not.toMatch(/planted/);
  });

  test.each([
    [
      'a page of HTML',
      'text/html',
      '<h1>Hello</h1>',
      200,
      'is not a vals API: GET /v1/me responded with text/html, without the id of a user.',
    ],
    ['a 404 everywhere', 'application/json', '{}', 404, 'is not a vals API: GET /v1/me responded 404.'],
    ['an unknown token', 'application/json', '{}', 401, 'refuses the token of --token (401).'],
    ['a server error', 'application/json', '{}', 500, 'is not a vals API: GET /v1/me responded 500.'],
  ])('refuses a service with %s', async (_, type, body, status, message) => {
    const server = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    await expect(check({ url })).rejects.toThrow(`${url} ${message}`);
  });

  test('refuses endless redirects, redirects to another service, and a second token of the same account', async () => {
    const server = createServer((request, response) =>
      response
        .writeHead(302, { location: request.url?.includes('elsewhere') ? 'https://example.com/v1/me' : '/v1/me' })
        .end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    await expect(check({ url })).rejects.toThrow(`${url}/v1/me redirects without end.`);
    await expect(check({ url: `${url}/elsewhere` })).rejects.toThrow(
      `${url}/elsewhere redirects to https://example.com/v1/me. Give that URL in its place.`,
    );
    await expect(check(await start(), { secondToken: 'ada-token' })).rejects.toThrow(
      '--second-token is of the same account as --token.',
    );
  });

  test('ends when the service stops responding', async () => {
    const emulator = await start();
    const checking = check(emulator, { onProgress: (done) => void (done === 20 && emulator.close()) });
    await expect(checking).rejects.toThrow('does not respond: connection refused.');
  });
});
