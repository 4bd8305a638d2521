import { describe, expect, test } from 'vitest';
import type { Emulator, EmulatorOptions, Fixtures } from '../../../src/index.js';
import { RandomClient } from '../../model/client.js';
import { without } from '../../model/operations.js';
import { emulate } from '../../support/emulate.js';
import { sampleFixtures } from '../../support/sample-fixtures.js';
import { sized } from '../../support/soak.js';
import { apiView } from '../../support/views.js';

const options: EmulatorOptions = { listen: false, validateResponses: false };

const NAMELESS = '0b0d0000-0000-4000-8000-000000000001';
const QUIET = '90e70000-0000-4000-8000-000000000002';

/** Records that an export easily loses. */
const edgeCases: Fixtures = {
  users: [
    { username: 'zoe', token: 'a "quoted" \\ token' },
    { username: null, id: NAMELESS, email: '', bio: '' },
    { username: 'Ada', bio: 'Zeile\nzwei\t🎉 \u2028\u0000', profileImageUrl: 'https://img.test/ada.png', tier: null },
  ],
  vals: [
    { author: NAMELESS, name: 'quiet', id: QUIET, code: '// 🎉\r\n\u2028"\\', type: 'rpc', privacy: 'unlisted' },
    { author: 'ADA', name: 'Sparse', code: "import 'https://esm.town/v/zoe/last';", version: 9, nextVersion: 40 },
    { author: 'zoe', name: 'last', code: '1', readme: '', createdAt: '1969-07-20T20:17:40.123+05:00' },
    { author: 'zoe', name: 'first', code: ' ', readme: '# Z\u0301', versionCreatedAt: '-90s', privacy: 'private' },
  ],
  versions: [
    { val: 'ada/sparse', version: 2, code: 'two', createdAt: '-3d' },
    { val: 'ada/sparse', version: 7, code: 'seven', createdAt: '-5d' },
    { val: QUIET, code: 'zero' },
  ],
  runs: [
    { val: QUIET, runStartAt: '-1m', runEndAt: null, error: 'boom', source: 'email', version: 77 },
    { val: 'zoe/last', runStartAt: '-1m', error: { message: 'böse', val: 'zoe.last', deep: [null, 1.5e300, -0] } },
    { val: 'zoe/last', runStartAt: '-1m', parentId: QUIET, duration: '0s', emails: ['x'], logs: [{}], args: [[]] },
    { val: 'zoe/last', runStartAt: '-2m', returnValue: { '': '', __proto__: null, a: [false] } },
  ],
  likes: [
    { user: NAMELESS, val: 'zoe/last' },
    { user: 'zoe', val: 'zoe/last' },
    { user: 'zoe', val: QUIET },
    { user: 'ada', val: 'zoe/first', createdAt: '+1d' },
  ],
  comments: [
    { author: NAMELESS, val: QUIET, comment: '' },
    { author: 'zoe', val: QUIET, comment: 'same moment' },
    { author: 'ada', val: 'zoe/first', comment: 'same moment 🎉' },
  ],
};

/** Creates an emulator from the export of another one, at the same time. */
const reload = async (emulator: Emulator) => emulate(emulator.state(), { ...options, now: emulator.clock.now });

async function expectToSurvive(emulator: Emulator): Promise<void> {
  const exported = emulator.state();
  const again = await reload(emulator);
  expect(again.state()).toStrictEqual(exported);
  for (const form of [{}, { brief: true }, { relative: true }, { brief: true, relative: true }]) {
    // As the JSON of a file.
    const read: Fixtures = JSON.parse(JSON.stringify(emulator.state(form)));
    const fromFile = await emulate(read, { ...options, now: emulator.clock.now });
    expect(JSON.stringify(fromFile.state()), JSON.stringify(form)).toBe(JSON.stringify(exported));
  }
  expect(await apiView(again.fetch)).toStrictEqual(await apiView(emulator.fetch));
}

test.each([
  ['the default fixtures', 'default'],
  ['the empty fixtures', 'empty'],
])('an export of %s loads to the same responses', async (_, fixtures) => {
  const emulator = await emulate({}, { ...options, fixtures });

  await expectToSurvive(emulator);
});

test('an export without records loads to the same responses', async () => {
  await expectToSurvive(await emulate({}, options));
});

test('an export of edge cases loads to the same responses', async () => {
  await expectToSurvive(await emulate(edgeCases, options));
});

test('deleted versions stay deleted after an export, and their numbers are not reused', async () => {
  const emulator = await emulate(sampleFixtures, options);
  const [val] = emulator.state().vals;
  const headers = { authorization: `Bearer ${val?.author} token`, 'content-type': 'application/json' };
  const send = (server: Emulator, method: string, path: string) =>
    server.fetch(`/v1/vals/${val?.id}${path}`, {
      method,
      headers,
      ...(method === 'POST' ? { body: '{"code":"x"}' } : {}),
    });
  for (let i = 0; i < 4; i++) expect((await send(emulator, 'POST', '/versions')).status).toBe(201);
  for (const version of [4, 2]) expect((await send(emulator, 'DELETE', `/versions/${version}`)).status).toBe(204);
  const again = await reload(emulator);

  expect((await send(again, 'GET', '/versions/4')).status).toBe(404);
  const made = [await send(again, 'POST', '/versions'), await send(emulator, 'POST', '/versions')];
  expect(await made[0]?.json()).toMatchObject({ version: 5 });
  expect(await made[1]?.json()).toMatchObject({ version: 5 });

  await expectToSurvive(emulator);
});

test.each(sized([1], [1, 2]))(
  'an export after random operations loads to the same responses (seed %i)',
  async (seed) => {
    const emulator = await emulate(sampleFixtures, options);
    await new RandomClient(emulator.fetch, seed, { operations: without('rate-limit') }).run(sized(150, 1_000));
    // The requests may have left no record.
    for (const username of ['edith', 'emil']) await emulator.add.user({ username });
    await emulator.add.val({ author: 'edith', name: 'edited', code: '1' });
    await emulator.add.run({ val: 'edith/edited' });
    const { users, runs } = emulator.state();
    const write = async (method: string, path: string, body?: object) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      expect((await emulator.fetch(`/_emulator/db/${path}`, init)).status, path).toBe(200);
    };
    const [renamed, removed] = users;
    await write('PATCH', `users/${renamed?.id}`, { username: 'renamed' });
    await write('DELETE', `runs/${runs[0]?.id}`);
    await write('DELETE', `users/${removed?.id}`);

    await expectToSurvive(emulator);
  },
);

describe('over HTTP', () => {
  test('another emulator loads the response of GET /_emulator/state, with default tokens', async () => {
    const withDefaults = {
      ...edgeCases,
      users: [{ username: 'zoe' }, { username: null, id: NAMELESS }, { username: 'Ada' }],
    };
    const emulator = await emulate(withDefaults, { ...options, now: '2024-06-11T22:05:12.585Z' });
    const other = await emulate({}, { ...options, now: '2024-06-11T22:05:12.585Z' });
    const body = await (await emulator.fetch('/_emulator/state')).text();

    const headers = { 'content-type': 'application/json' };
    const { status } = await other.fetch('/_emulator/seed', { method: 'PUT', headers, body });

    expect(status).toBe(200);
    expect(await (await other.fetch('/_emulator/state')).text()).toBe(body);
    expect(await apiView(other.fetch)).toStrictEqual(await apiView(emulator.fetch));
  });
});

test('a brief export has less than three quarters of the text, and loads to the same records', async () => {
  const emulator = await emulate({}, { ...options, fixtures: 'busy' });
  const [exported, brief] = [emulator.state(), emulator.state({ brief: true, relative: true })];
  expect(JSON.stringify(brief).length).toBeLessThan(0.75 * JSON.stringify(exported).length);
  expect((await emulate(brief, { ...options, now: emulator.clock.now })).state()).toEqual(exported);
});

test('state() omits tokens and defaults, and rejects unknown options', async () => {
  const users = [{ username: 'ada', token: 'secret' }, { username: 'grace', bio: 'x' }, { username: 'bob' }];
  const vals = [{ author: 'ada', name: 'hello', code: '1', createdAt: '-3d' }];
  const emulator = await emulate({ users, vals, runs: [{ val: 'ada/hello', runStartAt: '-2h' }] }, options);
  expect(emulator.state({ brief: true, relative: true }).users).toEqual(users);
  expect(emulator.state({ tokens: false, brief: true }).users[0]).toEqual({ username: 'ada' });
  expect(emulator.state({ relative: true }).runs[0]).toMatchObject({
    runStartAt: '-2h',
    runEndAt: '-1h59m59.9s',
  });
  expect(() => emulator.state(JSON.parse('{"token":true}'))).toThrow('unknown key. Did you mean "tokens"?');
});
