import { expect, test } from 'vitest';
import type { Fixtures } from '../../../../src/index.js';
import { createEmulator, emulate } from '../../../support/emulate.js';
import { connect, FIXTURES } from './agent.js';

const SITE = { val: 'ada/site' };
const PROJECT = 'ada/site';
const HANDLER = 'api/hello.http.ts';

const seed = (...responses: NonNullable<Fixtures['responses']>): Fixtures => ({
  ...FIXTURES,
  projects: [
    {
      ...{ owner: 'ada', name: 'site' },
      files: { 'main.ts': 'export const limit = 42;', 'broken.ts': 'throw 1;', [HANDLER]: '1', 'notes.md': '# Notes' },
      branches: [{ name: 'draft' }],
    },
    { owner: 'eve', name: 'diary', privacy: 'private', files: { 'main.ts': '1' } },
  ],
  responses,
});

test('a file returns what is seeded for it, marked as such', async () => {
  const emulator = await emulate(
    seed(
      { project: PROJECT, file: 'main.ts', result: { sum: 3 }, logs: ['One', { log: 'Two', level: 'error' }] },
      { project: PROJECT, file: 'broken.ts', error: 'No name given' },
    ),
  );
  const { call, post } = connect(emulator);
  const logs = [
    { log: 'One', level: 'log' },
    { log: 'Two', level: 'error' },
  ];
  const main = { value: { sum: 3 }, logs, seeded: true };
  const { isError, text } = await post('run_file', { ...SITE, path: 'main.ts' });
  expect([isError, JSON.parse(text)]).toEqual([false, main]);
  expect(await call('run_file', { ...SITE, path: 'main.ts' })).toEqual(main);
  expect(await call('run_file', { ...SITE, path: 'broken.ts' })).toEqual({
    ...{ type: 'error', message: 'No name given', logs: [], seeded: true },
  });
  expect(emulator.history()).toEqual([]);
});

test('an endpoint returns a status and a body', async () => {
  const emulator = await emulate(
    seed({ project: PROJECT, file: HANDLER, result: { ok: true } }, { project: 'eve/diary', file: 'main.ts' }),
  );
  const { call, fail } = connect(emulator);
  const endpoint = { ...SITE, path: HANDLER };
  const json = { 'content-type': 'application/json' };
  const rest = { truncated: false, logs: [], seeded: true };
  expect(await call('fetch_val_endpoint', endpoint)).toEqual({
    ...{ status: 200, headers: json, body: '{"ok":true}', ...rest },
  });
  const text = { 'content-type': 'text/plain;charset=UTF-8' };
  const change = async (fields: object) => {
    const [record] = emulator.state().responses;
    await emulator.fetch(`/_emulator/records/responses/${record?.id}`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ project: PROJECT, file: HANDLER, ...fields }),
    });
    return await call('fetch_val_endpoint', endpoint);
  };
  expect(await change({ result: 'hi', status: 404 })).toEqual({ status: 404, headers: text, body: 'hi', ...rest });
  expect(await change({ error: 'boom' })).toEqual({ status: 500, headers: text, body: 'boom', ...rest });
  expect(await change({})).toEqual({ status: 200, headers: {}, body: '', ...rest });
  expect(await fail('run_file', { val: 'eve/diary', path: 'main.ts' })).toBe('Project not found');
  expect(await fail('run_file', { ...SITE, path: 'main.ts' })).toContain('The emulator runs no code.');
});

test('a branch has its own response, or the one for each branch', async () => {
  const emulator = await emulate(
    seed(
      { project: PROJECT, file: 'main.ts', result: 'each' },
      { project: PROJECT, file: 'main.ts', branch: 'later', result: 'own' },
      { project: PROJECT, file: 'later.ts', result: 'new' },
    ),
  );
  const { call, fail } = connect(emulator);
  const run = async (branch: string, path = 'main.ts') => (await call('run_file', { ...SITE, branch, path })).value;
  await call('create_branch', { ...SITE, name: 'later' });
  expect([await run('main'), await run('draft'), await run('later')]).toEqual(['each', 'each', 'own']);
  expect(await fail('run_file', { ...SITE, path: 'later.ts' })).toBe('File not found');
  await call('create_file', { ...SITE, path: 'later.ts', content: '1' });
  expect(await run('main', 'later.ts')).toBe('new');
});

test('an edit returns the response of the file, or of another one', async () => {
  const emulator = await emulate(
    seed({ project: PROJECT, file: 'main.ts', result: 1 }, { project: PROJECT, file: HANDLER, result: 'served' }),
  );
  const { call, post } = connect(emulator);
  const edit = { ...SITE, path: 'main.ts', content: '2' };
  expect(await call('update_file', { ...edit, run: { kind: 'run_file' } })).toMatchObject({
    ...{ version: 2, run: { value: 1, seeded: true } },
  });
  expect(
    await call('update_file', { ...edit, content: '3', run: { kind: 'fetch_val_endpoint', path: HANDLER } }),
  ).toMatchObject({
    ...{ version: 3, run: { status: 200, body: 'served' } },
  });
  const runs = [
    ['gone.ts', 'File not found'],
    ['../x.ts', 'path: found the part ".."; expected the name of a directory.'],
    ['notes.md', 'A file does not run: notes.md'],
    ['broken.ts', expect.stringContaining('The emulator runs no code.')],
  ] as const;
  for (const [path, message] of runs) {
    const { isError, data } = await post('update_file', { ...edit, content: path, run: { kind: 'run_file', path } });
    expect([isError, data]).toMatchObject([true, { run: { type: 'error', message } }]);
  }
  expect(await call('get_val_detail', SITE)).toMatchObject({ branches: { items: [{ version: 7 }, { version: 0 }] } });
});

test.each([{}, { brief: true }])('responses are written with %j, and loaded again', async (options) => {
  const emulator = await emulate(
    seed(
      { project: PROJECT, file: 'main.ts', result: [1, null], logs: ['a', { log: 'b', level: 'warn' }] },
      { project: PROJECT, file: HANDLER, branch: 'draft', error: 'boom', status: 503 },
    ),
  );
  const exported = emulator.state();
  expect(exported.responses).toMatchObject([
    { ...{ file: 'main.ts', branch: null, error: null, status: 200 }, logs: ['a', { log: 'b', level: 'warn' }] },
    { ...{ file: HANDLER, branch: 'draft', result: null, error: 'boom', status: 503, logs: [] } },
  ]);
  const again = await emulate(emulator.state(options));
  expect(again.state()).toEqual(exported);
});

test('responses go with their project, and come back with it', async () => {
  const emulator = await emulate(seed({ project: PROJECT, file: 'main.ts', result: 1 }));
  const { call } = connect(emulator);
  await call('update_val', { ...SITE, name: 'shop' });
  expect(emulator.state().responses).toMatchObject([{ project: 'ada/shop' }]);
  await call('delete_val', { val: 'ada/shop' });
  expect(emulator.state().responses).toEqual([]);
  emulator.rewind(1);
  expect(await call('run_file', { val: 'ada/shop', path: 'main.ts' })).toMatchObject({ value: 1 });
});

test('a test adds a response to seeded responses', async () => {
  const emulator = await emulate(seed({ project: PROJECT, file: 'main.ts', result: 'seeded' }));
  const { call } = connect(emulator);
  expect(await call('run_file', { ...SITE, path: 'main.ts' })).toMatchObject({ value: 'seeded' });
  expect(emulator.add.response({ project: PROJECT, file: 'main.ts', branch: 'main', result: 'added' })).toMatchObject({
    ...{ status: 200, branch: 'main' },
  });
  expect(await call('run_file', { ...SITE, path: 'main.ts' })).toMatchObject({ value: 'added' });
});

test.each([
  [{ file: '/main.ts' }, 'responses[0].file: found "/main.ts", which has an empty part'],
  [{ file: '../main.ts' }, 'responses[0].file: found the part ".."'],
  [
    { file: 'main.ts', project: 'ada/sit' },
    'responses[0].project: there is no project "ada/sit". Did you mean "ada/site"?',
  ],
  [{ file: 'main.ts', status: 99 }, 'responses[0].status: found 99; expected a whole number from 200 to 599.'],
  [
    { file: 'main.ts', logs: [1] },
    'responses[0].logs[0]: found 1; expected a text, or { "log": "…", "level": "error" }',
  ],
  [{ file: 'main.ts', logs: [{ log: 'a', level: 'loud' }] }, 'responses[0].logs[0]'],
])('a wrong response %j is reported', async (fields, message) => {
  const fixtures = seed({ project: PROJECT, file: 'main.ts' });
  const responses = [Object.assign({ project: PROJECT }, fields)];
  await expect(
    createEmulator({ fixtures: { ...fixtures, responses: JSON.parse(JSON.stringify(responses)) } }),
  ).rejects.toThrow(message);
});

test('a file has one response on a branch', async () => {
  const twice = seed({ project: PROJECT, file: 'main.ts' }, { project: PROJECT.toUpperCase(), file: 'main.ts' });
  await expect(createEmulator({ fixtures: twice })).rejects.toThrow(
    'responses[1].file: main.ts has a response already',
  );
  const draft = { project: PROJECT, file: 'main.ts', branch: 'draft' };
  await expect(createEmulator({ fixtures: seed(draft, draft) })).rejects.toThrow(
    'responses[1].file: main.ts has a response on the branch draft already',
  );
});
