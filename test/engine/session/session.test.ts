import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readChunks } from '#engine/lib/steps.js';
import { FORMAT, formatLines } from '#engine/persistence/lines.js';
import { formatSession } from '#engine/session/session.js';
import { connect } from '#tools/client/index.js';
import { DataError, type Emulator, type EmulatorOptions, type Fixtures, OptionsError } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { folderOf } from '../fixtures/loading.js';

const SECRET = 'vtwn_5jK2mQ9xTz81LwRb';
const OTHER = 'vtwn_81LwRbQ9xTz5jK2m';
const TOWN: Fixtures = {
  users: [{ username: 'ada', token: SECRET }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: `const token = '${SECRET}';` }],
};

/** Sends a request as a user and returns its body. */
async function send({ fetch }: Pick<Emulator, 'fetch'>, method: string, path: string, body?: object, token = SECRET) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Writes a session to a file. */
function save(text: string): string {
  const path = join(folderOf({}), 'bug.ndjson');
  writeFileSync(path, text);
  return path;
}

/** Opens a session. */
const open = (path: string, options: EmulatorOptions = {}) =>
  emulate({}, { fixtures: undefined, now: undefined, listen: false, session: path, ...options });

/** A val with two versions, a snapshot, a user of the control API and a request that fails. */
async function work(emulator: Emulator): Promise<void> {
  const { id } = await send(emulator, 'POST', '/v1/vals', { name: 'report', code: '1' });
  await send(emulator, 'POST', `/v1/vals/${id}/versions`, { code: '2' });
  emulator.snapshot('two versions');
  await send(emulator, 'GET', '/v1/me');
  emulator.add.user({ username: 'hopper', token: OTHER });
  await send(emulator, 'DELETE', `/v1/vals/${id}`);
  await send(emulator, 'GET', '/v1/missing');
}

const toDefault = (state: ReturnType<Emulator['state']>) => ({
  ...state,
  users: state.users.map((user) => ({ ...user, token: `${user.username}-token` })),
});
const withoutHello = <T extends { readonly vals: readonly { readonly name: string }[] }>(state: T) => ({
  ...state,
  vals: state.vals.filter(({ name }) => name !== 'hello'),
});

const formatLine = (json: string) => [...formatLines([json], 0, 1)].join('');

test('a session opens at its end, with history, snapshots, clock and journal', async () => {
  const emulator = await emulate(TOWN);
  await work(emulator);
  emulator.clock.advance('1h');
  emulator.fail('GET /v1/me', { status: 503, after: 1 });
  const path = save(emulator.session());

  const opened = await open(path);
  const expected = withoutHello(toDefault(emulator.state()));
  expect(withoutHello(opened.state())).toEqual(expected);
  expect(opened.history()).toEqual(emulator.history());
  expect(opened.snapshots()).toEqual(emulator.snapshots());
  expect(opened.clock.read()).toEqual(emulator.clock.read());
  expect(opened.faults()).toEqual(emulator.faults());
  const brief = (each: Emulator) => each.requests().map(({ request: _, response: __, ...others }) => others);
  expect(brief(opened)).toEqual(brief(emulator));
  expect(opened.requests()[0]).toMatchObject({
    request: { headers: { 'content-type': 'application/json' }, body: { name: 'report', code: '1' } },
    response: { body: { name: 'report' } },
  });

  opened.restore('two versions');
  expect(opened.state().vals.map(({ version }) => version)).toEqual([0, 1]);
  opened.reset();
  expect(opened.users.map(({ username }) => username)).toEqual(['ada', 'grace']);
  expect(opened.requests()).toEqual([]);
  // A session of a session is the same but for its header.
  const again = (await open(path)).session().split('\n');
  expect(again.slice(1)).toEqual(readFileSync(path, 'utf8').split('\n').slice(1));
});

test('a session opens at a commit, and continues from there', async () => {
  const emulator = await emulate(TOWN);
  await work(emulator);
  const path = save(emulator.session());

  const opened = await open(path, { sessionAt: 'r2' });
  expect(opened.history().map(({ id }) => id)).toEqual(['r1', 'r2']);
  expect(opened.requests().map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  expect(opened.state().vals.at(-1)).toMatchObject({ name: 'report', code: '2' });
  opened.rewind(1);
  expect(opened.state().vals.at(-1)).toMatchObject({ name: 'report', code: '1' });
  await send(opened, 'POST', '/v1/vals', { code: '3' }, 'ada-token');
  expect(opened.history().map(({ id }) => id)).toEqual(['r1', 'r4']);

  const begun = await open(path, { sessionAt: 'start' });
  expect([begun.history(), begun.requests()]).toEqual([[], []]);
  expect(begun.state().vals.map(({ name }) => name)).toEqual(['hello']);
  expect((await open(path, { sessionAt: 'r4' })).state()).toEqual((await open(path)).state());
  expect((await open(path, { sessionAt: 'w1' })).users).toHaveLength(3);
});

test('an unknown commit is refused with the known ones', async () => {
  const emulator = await emulate(TOWN);
  const empty = save(emulator.session());
  await work(emulator);
  const path = save(emulator.session());
  const refuse = async (sessionAt: string, message: string, file = path) => {
    const error = new OptionsError([{ path: 'sessionAt', message }]);
    await expect(open(file, { sessionAt })).rejects.toThrow(error);
  };
  const problem = (id: string) => `found "${id}"; expected a commit of the session.`;
  await refuse('r3', `${problem('r3')} It has r1, r2, w1, r4. The last one before it is r2.`);
  await refuse('x4', `${problem('x4')} It has r1, r2, w1, r4. Did you mean "r4"?`);
  await refuse('r1', `${problem('r1')} It has none.`, empty);
  for (let i = 0; i < 10; i++) await send(emulator, 'POST', '/v1/vals', { code: '1' });
  await refuse(
    'r99',
    `${problem('r99')} It has 14, from r1 to r15. The last one before it is r15.`,
    save(emulator.session()),
  );
});

test('a session has no tokens', async () => {
  const emulator = await emulate(TOWN, { rateLimit: { limit: 100, window: '1m' } });
  const short = 'pin7';
  const unknown = 'vtwn_unknown_1234567';
  const quoted = 'a "quoted" token 99';
  emulator.add.user([
    { username: 'short', token: short },
    { username: 'quoted', token: quoted },
  ]);
  emulator.snapshot('one');
  await send(emulator, 'POST', '/v1/vals', { code: `fetch({ token: "${SECRET}" }, ${JSON.stringify(quoted)})` });
  await send(emulator, 'GET', `/v1/me?pin=${short}&token=${encodeURIComponent(quoted)}`, undefined, short);
  await send(emulator, 'GET', '/v1/me', undefined, unknown);
  await send(emulator, 'GET', `/v1/${unknown}`, undefined, 'undefined');
  emulator.fail('GET /v1/me', { match: { headers: { authorization: `Bearer ${SECRET}` } } });
  await emulator.fetch('/v1/me?api_key=Key-0123456789', {
    headers: {
      authorization: 'Basic dXNlcjpwYXNzd29yZDEyMw==',
      cookie: 'a=cookie-12345678; b=2',
      'x-api-key': 'key-abcdef-123456',
      'x-emulator-control-token': 'control-secret-1',
      'x-request-id': 'id-1',
      accept: 'text/plain, key-abcdef-123456',
    },
  });
  // A limit counts each token.
  expect(emulator.rateLimit.read().windows.length).toBeGreaterThan(2);

  const text = emulator.session();
  const secrets = [SECRET, unknown, quoted, JSON.stringify(JSON.stringify(quoted)).slice(3, -3), short];
  secrets.push(encodeURIComponent(quoted), 'Key-0123456789', 'dXNlcjpwYXNzd29yZDEyMw', 'cookie-12345678');
  secrets.push('key-abcdef-123456', 'control-secret-1', 'Bearer undefined');
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).toContain('ada-token');
  expect(text).toContain('"x-request-id":"id-1"');

  const opened = await open(save(text));
  expect(opened.users.map(({ token }) => token)).toEqual(['ada-token', 'grace-token', 'short-token', 'quoted-token']);
  expect(await send(opened, 'GET', '/v1/me', undefined, 'short-token')).toMatchObject({ username: 'short' });
  expect(opened.session()).toContain('grace-token');
});

test('a session has separate tokens, also if some have the names that others get', async () => {
  const fixtures: Fixtures = {
    users: [
      { username: 'ada', token: 'ada-token-5' },
      { username: 'grace', token: 'secret-of-grace' },
    ],
    tokens: [
      { user: 'ada', scopes: ['user:read'] },
      { user: 'ada', token: 'writer-of-ada', scopes: ['user:read', 'val:write'] },
      { user: 'ada', token: 'ada-token-2' },
    ],
  };
  await using emulator = await emulate(fixtures);
  for (const token of ['ada-token-5', 'secret-of-grace', 'ada-token-1', 'writer-of-ada', 'ada-token-2']) {
    await send(emulator, 'POST', '/v1/vals', { code: `'${token}'` }, token);
  }

  await using opened = await open(save(emulator.session()));
  const { users, tokens, vals } = opened.state();
  expect(users.map(({ token }) => token)).toEqual(['ada-token', 'grace-token']);
  expect(tokens.map(({ token, scopes = [] }) => [token, scopes.includes('val:write')])).toEqual([
    ['ada-token-1', false],
    ['ada-token-3', true],
    ['ada-token-2', true],
  ]);
  expect(vals.map(({ author, code }) => [author, code])).toEqual([
    ['ada', "'ada-token'"],
    ['grace', "'grace-token'"],
    ['ada', "'ada-token-3'"],
    ['ada', "'ada-token-2'"],
  ]);
  expect(opened.requests().map(({ status, request }) => [status, request.headers.authorization])).toEqual([
    [200, 'Bearer ada-token'],
    [200, 'Bearer grace-token'],
    [403, 'Bearer ada-token-1'],
    [200, 'Bearer ada-token-3'],
    [200, 'Bearer ada-token-2'],
  ]);
});

test('a session has the sandbox as it was at its first step', async () => {
  const users = Array.from({ length: 60 }, (_, i) => ({ username: `user${i}` }));
  const emulator = await emulate({ users }, { listen: false });
  const steps = formatSession(emulator, 0);
  steps.next();
  emulator.add.user({ username: 'late', token: 'token of the late one' });

  const text = [...readChunks(steps)].join('');

  expect(text).toContain('user59');
  expect(text).not.toContain('late');
});

test('a session of a sandbox becomes the default one', async () => {
  const emulator = await emulate(TOWN);
  const sandbox = emulator.sandbox('checkout');
  await send(sandbox, 'POST', '/v1/vals', { code: '1' });
  const opened = await open(save(await connect(sandbox.url).session()));
  expect(opened.state().vals).toEqual(sandbox.state().vals.map((val) => expect.objectContaining({ id: val.id })));
  expect(opened.sandboxes()).toEqual([]);
  expect(emulator.session()).not.toContain('"request"');
  await expect(connect(`${emulator.url}/missing`).session()).rejects.toThrow('No control API at');
});

test('a session over HTTP has the media type of lines', async () => {
  const emulator = await emulate(TOWN);
  const response = await emulator.fetch('/_emulator/session');
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  const text = await response.text();
  expect(text.split('\n').slice(1)).toEqual(emulator.session().split('\n').slice(1));
});

test('a session becomes a new sandbox over HTTP, with its journal and history', async () => {
  const emulator = await emulate(TOWN);
  await work(emulator);
  const session = emulator.session();
  const post = async (body: object) =>
    send(emulator, 'POST', '/_emulator/sandboxes', body) as Promise<{ name: string; problems?: unknown }>;

  const { name } = await post({ title: 'bug.ndjson', session });
  const sandbox = emulator.sandbox(name);
  expect(sandbox.requests().map(({ id, path }) => [id, path])).toEqual(
    emulator.requests().map(({ id, path }) => [id, path]),
  );
  expect(sandbox.history().map(({ id }) => id)).toEqual(emulator.history().map(({ id }) => id));
  expect(withoutHello(sandbox.state())).toEqual(toDefault(withoutHello(emulator.state())));
  const message = 'The content is not a session: val-emulator record did not write its first line.';
  expect((await post({ session: '{"users":[]}\n' })).problems).toEqual([{ path: 'session', message }]);
});

test('a file that is not a session, or is damaged, is refused with the line', async () => {
  const emulator = await emulate(TOWN);
  await work(emulator);
  const lines = emulator.session().split(/(?<=\n)/);
  const refuse = async (text: string, message: (path: string) => string) => {
    const path = save(text);
    await expect(open(path)).rejects.toThrow(new DataError(message(path)));
  };
  const noSession = (path: string) => `${path} is not a session: val-emulator record did not write its first line.`;
  const damaged = (problem: string) => (path: string) =>
    `${path} is damaged: ${problem}. Record the session again, or get another copy of the file.`;
  await refuse('', noSession);
  await refuse('{"users":[]}\n', noSession);
  await refuse(formatLine('{"type":"header","format":1,"version":"0.1.0"}'), noSession);
  await refuse(
    formatLine(JSON.stringify({ type: 'header', format: FORMAT + 1, version: '9.0.0', session: {} })),
    (path) => `${path} was written by val-emulator 9.0.0 in a newer format. Use 9.0.0 or later.`,
  );
  for (const [index, line] of lines.entries()) {
    const flipped = line.replace('"type"', '"tYpe"');
    await refuse(
      lines.with(index, flipped).join(''),
      index === 0 ? noSession : damaged(`line ${index + 1} is not as it was written`),
    );
    if (index === lines.length - 1) continue;
    // Without a line, also one of a commit; the next one says so.
    await refuse(lines.toSpliced(index, 1).join(''), damaged(`line ${index + 1} is not as it was written`));
  }
  await refuse(lines.slice(0, -1).join(''), damaged(`it ends after line ${lines.length - 1}, with 4 of 5 requests`));
  await refuse(lines.slice(0, 2).join(''), damaged('it ends after line 2, before its requests'));
  await refuse(lines.join('').slice(0, -5), damaged(`line ${lines.length} is not as it was written`));
  const missing = join(folderOf({}), 'missing.ndjson');
  await expect(open(missing)).rejects.toThrow(`${missing} cannot be read: ENOENT`);
});

test('a session excludes other sources of data', async () => {
  const path = save((await emulate(TOWN)).session());
  for (const [name, value] of Object.entries({ fixtures: 'empty', generate: {}, data: './x', now: 0 })) {
    const message = `expected either session or ${name}, not both.`;
    await expect(open(path, { [name]: value })).rejects.toThrow(new OptionsError([{ path: 'session', message }]));
  }
  const alone = new OptionsError([
    { path: 'sessionAt', message: 'there is no session; name its file by the option session, or --session.' },
  ]);
  await expect(emulate({}, { sessionAt: 'r1' })).rejects.toThrow(alone);
});
