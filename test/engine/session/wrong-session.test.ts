import { expect, test } from 'vitest';
import { formatLines } from '#engine/persistence/lines.js';
import { createEmulator, type Emulator, type Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { random } from '../../support/random.js';
import { scaled, sized } from '../../support/soak.js';

const TOWN: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [{ author: 'ada', name: 'hello', code: '1' }],
  runs: [{ val: 'ada/hello' }],
  likes: [{ user: 'grace', val: 'ada/hello' }],
  comments: [{ author: 'grace', val: 'ada/hello', comment: 'Hi' }],
  blobs: [{ user: 'ada', key: 'a', text: 'b' }],
  sqlite: [{ user: 'ada', sql: ['CREATE TABLE t (a);', 'INSERT INTO t VALUES (1);'] }],
  emails: [{ user: 'ada', subject: 'Hi', text: 'there' }],
  projects: [{ owner: 'ada', name: 'site', files: { 'main.ts': '1', 'lib/a.ts': '2' }, env: { KEY: 'x' } }],
};

/** Records a session of changes of all kinds. Returns the JSON of its lines. */
async function record(): Promise<string[]> {
  const emulator = await emulate(TOWN);
  const send = (method: string, path: string, body?: object) =>
    emulator.fetch(path, {
      method,
      headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const { id } = JSON.parse(await (await send('POST', '/v1/vals', { name: 'report', code: '1' })).text());
  emulator.snapshot('before');
  await send('POST', `/v1/vals/${id}/versions`, { code: '2' });
  emulator.fail('GET /v1/me', { status: 503, times: 2 });
  emulator.clock.advance('1h');
  await send('GET', '/v1/me');
  const [{ id: project } = { id: '' }] = emulator.state().projects;
  await send('PUT', `/v2/vals/${project}/files?path=main.ts`, { content: 'new' });
  await send('POST', `/v2/vals/${project}/branches`, { name: 'draft' });
  await send('DELETE', `/v1/vals/${id}`);
  await send('POST', '/v1/blob/b', { some: 'json' });
  return emulator
    .session()
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(line.indexOf(' ', 9) + 1));
}

const OTHERS: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '日',
  [],
  {},
  ['x'],
  { x: 1 },
  '2024-13-01',
];

const pick = <T>(items: readonly T[], draw: () => number): T | undefined => items[Math.floor(draw() * items.length)];

/** Changes one value of JSON: to another one, or none. */
function mutate(json: string, draw: () => number): string {
  const value: unknown = JSON.parse(json);
  const places: { readonly of: object; readonly key: string }[] = [];
  const visit = (each: unknown): void => {
    if (typeof each !== 'object' || each === null) return;
    for (const [key, inner] of Object.entries(each)) {
      places.push({ of: each, key });
      visit(inner);
    }
  };
  visit(value);
  const { of = {}, key = '' } = pick(places, draw) ?? {};
  if (draw() < 0.25) Reflect.deleteProperty(of, key);
  else Reflect.set(of, key, pick(OTHERS, draw));
  return JSON.stringify(value);
}

const READS = [
  ...[
    'state',
    'state?relative=true&brief=true',
    'requests',
    'requests.har',
    'history',
    'find?q=a',
    'records',
    'status',
  ],
  ...[
    'users',
    'emails',
    'snapshots',
    'faults',
    'clock',
    'rate-limit',
    'summary',
    'requests/summary',
    'db/vals',
    'names',
  ],
];

/** Reads all that a sandbox shows, and goes back to each of its states. Lists what fails. */
async function listFailures(url: string, emulator: Emulator, name: string): Promise<string[]> {
  const failures: string[] = [];
  const get = async (path: string, method = 'GET') => {
    try {
      const response = await fetch(`${url}/${path}`, { method, headers: { authorization: 'Bearer ada-token' } });
      const text = await response.text();
      if (response.status === 500) failures.push(`${method} ${path}: ${text.slice(0, 300)}`);
      return response.status < 400 && text !== '' && path.includes('history') ? JSON.parse(text) : undefined;
    } catch (error) {
      // A value that makes a fault one of the connection is right.
      const hasFault = typeof emulator.sandbox(name).requests().at(-1)?.fault === 'string';
      if (!hasFault) failures.push(`${method} ${path}: ${error}`);
    }
  };
  for (const path of READS) await get(`_emulator/${path}`);
  for (const path of ['v1/me', 'v1/me/runs', 'v1/me/likes', 'v2/vals', 'v1/search/vals?query=a']) await get(path);
  for (const { id } of (await get('_emulator/history')) ?? []) await get(`_emulator/history/${encodeURIComponent(id)}`);
  const sandbox = emulator.sandbox(name);
  for (const { name: snapshot } of sandbox.snapshots()) {
    sandbox.restore(snapshot);
    await get('_emulator/state');
  }
  return failures;
}

test('a session with a wrong value is refused with its line, or opens and works', async () => {
  const lines = await record();
  const emulator = await createEmulator({ maxSandboxes: 10_000 });
  const counts = { opened: 0, refused: 0 };
  const problems: string[] = [];
  try {
    for (let seed = 0; seed < sized(150, scaled(5_000)); seed++) {
      const draw = random(seed);
      const at = Math.floor(draw() * lines.length);
      const changed = lines.map((line, i) => (i === at ? mutate(line, draw) : line));
      if (changed[at] === lines[at]) continue;
      const name = `s${seed}`;
      const response = await fetch(`${emulator.url}/_emulator/sandboxes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, session: [...formatLines(changed, 0, 1)].join('') }),
      });
      const text = await response.text();
      const what = `seed ${seed}: ${lines[at]?.slice(0, 60)} -> ${diff(lines[at] ?? '', changed[at] ?? '')}`;
      if (response.ok) {
        counts.opened++;
        const failures = await listFailures(`${emulator.url}/_sandbox/${name}`, emulator, name);
        problems.push(...failures.map((failure) => `${what}\n  ${failure}`));
        await emulator.sandbox(name).close();
      } else {
        counts.refused++;
        if (response.status !== 422 || !/line \d+|not a session/.test(text))
          problems.push(`${what}\n  ${response.status} ${text}`);
      }
    }
  } finally {
    await emulator.close();
  }
  expect(problems.slice(0, 30)).toEqual([]);
  expect(counts.opened).toBeGreaterThan(10);
  expect(counts.refused).toBeGreaterThan(50);
});

/** Opens a session with other lines. Returns the message of the refusal. */
async function refuse(change: (line: string) => string): Promise<string> {
  const lines = await record();
  const changed = lines.map(change);
  expect(changed).not.toEqual(lines);
  const { fetch } = await emulate({});
  const response = await fetch('/_emulator/sandboxes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'opened', session: [...formatLines(changed, 0, 1)].join('') }),
  });
  expect(response.status).toBe(422);
  const { message } = JSON.parse(await response.text());
  expect(message).toMatch(/ is damaged: line \d+: /);
  expect(message).not.toContain('..');
  return message;
}

test.each(['', 'x', 'wx', 'w', 'w0', 'r1.5'])('a session whose commit has the id %j is refused', async (id) => {
  expect(await refuse((line) => line.replace(/("type":"commit".*"info":{"id":)"[^"]+"/, `$1"${id}"`))).toContain(
    `info.id: found "${id}"; expected the id of a commit such as "r17" or "w3"`,
  );
});

test('a session whose fault has a user that does not exist is refused', async () => {
  const message = await refuse((line) =>
    line.replace(/("route":"GET \/v1\/me".*?"userId":)null/, '$1"ada00000-0000-4000-8000-00000000dead"'),
  );
  expect(message).toContain(
    'faults[0].userId: there is no user "ada00000-0000-4000-8000-00000000dead". Record the session again',
  );
});

/** The part of a text that another one has in its place. */
function diff(before: string, after: string): string {
  let start = 0;
  while (start < after.length && before[start] === after[start]) start++;
  return after.slice(Math.max(0, start - 40), start + 40);
}
