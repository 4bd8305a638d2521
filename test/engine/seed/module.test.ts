import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEmulator, FixtureError } from '../../../src/index.js';
import { folderOf } from './loading.js';

const load = async (text: string, name = 'seed.mjs') => {
  await using emulator = await createEmulator({
    fixturesModule: join(folderOf({ [name]: text }), name),
    listen: false,
  });
  return emulator.users.map(({ username }) => username);
};

test.each<[form: string, text: string, name?: string]>([
  ['an object', 'export default { users: [{ username: "ada" }] };'],
  ['a function', 'const users = [{ username: "ada" }]; export default () => ({ users });'],
  ['an async function', 'export default async () => ({ users: [{ username: "ada" }] });'],
  ['a module of CommonJS', 'module.exports = { users: [{ username: "ada" }] };', 'seed.cjs'],
  ['a function of CommonJS', 'module.exports = () => ({ users: [{ username: "ada" }] });', 'seed.cjs'],
  ['an object of a class', 'export default new (class { users = [{ username: "ada" }] })();'],
])('fixturesModule loads %s', async (_, text, name) => {
  expect(await load(text, name)).toEqual(['ada']);
});

test('a reset goes back to what the module has exported, without another run', async () => {
  const text =
    'globalThis.moduleRuns = (globalThis.moduleRuns ?? 0) + 1; export default { users: [{ username: "ada" }] };';
  await using emulator = await createEmulator({
    fixturesModule: join(folderOf({ 'seed.mjs': text }), 'seed.mjs'),
    listen: false,
  });
  emulator.add.user({ username: 'eve' });
  emulator.reset();
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
  expect(emulator.sandbox('other').users).toHaveLength(1);
  expect(Reflect.get(globalThis, 'moduleRuns')).toBe(1);
  Reflect.deleteProperty(globalThis, 'moduleRuns');
});

test('a file that has changed is run again, in either format', async () => {
  for (const [name, before] of [
    ['seed.mjs', 'export default'],
    ['seed.cjs', 'module.exports ='],
  ] as const) {
    const path = join(folderOf({ [name]: `${before} { users: [{ username: "ada" }] };` }), name);
    const users = async () => {
      await using emulator = await createEmulator({ fixturesModule: path, listen: false });
      return emulator.users;
    };
    expect(await users()).toMatchObject([{ username: 'ada' }]);
    writeFileSync(path, `${before} { users: [{ username: "grace" }] };`);
    utimesSync(path, 1, 1);
    expect(await users()).toMatchObject([{ username: 'grace' }]);
  }
});

test.each<[text: string, message: string | RegExp, name?: string]>([
  ['export default { users: [{}] };', /^seed\.mjs users\[0\]\.username: missing; /],
  ['export default { user: [] };', /^seed\.mjs user: unknown collection "user"; .* Did you mean "users"\?$/],
  ['export default [];', /^seed\.mjs: found \[\]; expected an object with any of the keys users, /],
  [
    'export const users = [];',
    'seed.mjs: found no default export; expected fixtures, or a function that returns them.',
  ],
  [
    'export default () => {};',
    'seed.mjs: found no default export; expected fixtures, or a function that returns them.',
  ],
  ['\nthrow new TypeError("no data");', 'seed.mjs: threw TypeError: no data (line 2)'],
  ['export default async () => {\n  throw new Error("later");\n};', 'seed.mjs: threw Error: later (line 2)'],
  ['throw "text";', 'seed.mjs: threw "text".'],
  ['{}', 'seed.json: not a module: expected a .js, .mjs, .cjs, .ts, .mts or .cts file.', 'seed.json'],
])('%j is an error that names the module', async (text, message, name = 'seed.mjs') => {
  const folder = folderOf({ [name]: text });
  const path = join(folder, name);
  const error = await createEmulator({ fixturesModule: path, listen: false }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(FixtureError);
  const [problem] = error.problems;
  expect(`${problem.path}: ${problem.message}`.replace(`${folder}/`, '')).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
});

test('a module that does not exist, or that comes with other seed data, is an error', async () => {
  const path = join(folderOf({}), 'seed.js');
  await expect(createEmulator({ fixturesModule: path })).rejects.toThrow(`${path}: no such file.`);
  await expect(createEmulator({ fixturesModule: path, fixtures: 'empty' })).rejects.toThrow(
    'option fixturesModule: expected either fixturesModule or fixtures, not both.',
  );
  await expect(createEmulator({ fixturesModule: path, session: 'x' })).rejects.toThrow(
    'option session: expected either session or fixturesModule, not both.',
  );
});

test('code is run by its own option only', async () => {
  const code = 'globalThis.wasRun = true; export default { users: [] };';
  const folder = folderOf({
    'users.json': '[{ "username": "ada" }]',
    'seed.mjs': code,
    'vals.js': code,
    'fixtures.ts': code,
  });
  await using emulator = await createEmulator({ fixtures: folder, listen: false });
  expect(emulator.users).toHaveLength(1);
  for (const name of ['seed.mjs', 'vals.js', 'fixtures.ts']) {
    await expect(createEmulator({ fixtures: join(folder, name), listen: false })).rejects.toThrow(
      `${join(folder, name)}: a module is code, which --fixtures-module runs (option fixturesModule); expected JSON.`,
    );
  }
  rmSync(join(folder, 'users.json'));
  await expect(createEmulator({ fixtures: folder, listen: false })).rejects.toThrow('no JSON files in this folder');
  const { url, close } = await createEmulator().then((emulator) => ({
    url: emulator.url,
    close: () => emulator.close(),
  }));
  for (const body of [{ fixturesModule: join(folder, 'seed.mjs') }, { fixtures: join(folder, 'seed.mjs') }]) {
    for (const path of ['/_emulator/seed', '/_emulator/sandboxes']) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  }
  await close();
  expect(Reflect.get(globalThis, 'wasRun')).toBeUndefined();
});
