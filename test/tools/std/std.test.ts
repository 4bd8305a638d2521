import { expect, onTestFinished, test, vi } from 'vitest';
import { blob, ValTownBlobError, ValTownBlobNotFoundError } from '#tools/std/blob.js';
import { email } from '#tools/std/email.js';
import { fetch as stdFetch } from '#tools/std/fetch.js';
import * as oauth from '#tools/std/oauth.js';
import { findPlace, usePlace } from '#tools/std/place.js';
import { rpc } from '#tools/std/rpc.js';
import { LibsqlError, sqlite } from '#tools/std/sqlite.js';
import mainByDefault, { sqlite as main } from '#tools/std/sqlite-main.js';
import * as utils from '#tools/std/utils.js';
import { useEmulator } from '#tools/testing/std.js';
import { cases, runCase } from '../../../scripts/checks/matrix/programs/std-cases.mjs';
import { createEmulator, type Emulator } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

const STD = {
  blob,
  ValTownBlobError,
  ValTownBlobNotFoundError,
  email,
  rpc,
  LibsqlError,
  sqlite,
  main,
  mainByDefault,
  oauth,
  stdFetch,
  utils,
};

/** Sets the variables of the environment for a test, and no place. */
function stubVariables(variables: Readonly<Record<string, string>>): void {
  usePlace(undefined);
  for (const name of ['VAL_EMULATOR_URL', 'VAL_EMULATOR_TOKEN', 'VAL_TOWN_API_KEY', 'valtown']) {
    vi.stubEnv(name, variables[name]);
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
    usePlace(undefined);
  });
}

/** The endpoints of logins are in no document, with which `emulate` compares responses. */
async function startForLogins(): Promise<Emulator> {
  const emulator = await createEmulator({ fixtures: 'empty' });
  onTestFinished(() => emulator.close());
  return emulator;
}

test('there are cases of each module', () => {
  const modules = new Set(Object.keys(cases).map((name) => name.split(':')[0]));
  expect([...modules]).toEqual(
    expect.arrayContaining(['sqlite', 'sqlite/main', 'blob', 'email', 'rpc', 'fetch', 'oauth', 'utils']),
  );
});

test.each(Object.keys(cases))('%s', async (name) => {
  const { url } = await (name.startsWith('oauth:') ? startForLogins() : emulate({ users: [{ username: 'eve' }] }));
  stubVariables({});

  await runCase(name, STD, useEmulator, url);
});

test('without an emulator, an error names the command, and nothing is sent', async () => {
  stubVariables({});

  for (const ask of [
    () => sqlite.execute('SELECT 1'),
    () => blob.getJSON('a'),
    () => email({ text: 'a' }),
    () => useEmulator(),
  ]) {
    await expect(ask()).rejects.toThrow(/no emulator is known.*val-emulator exec/);
  }
  stubVariables({ VAL_EMULATOR_URL: 'http://127.0.0.1:9' });
  await expect(sqlite.execute('SELECT 1')).rejects.toThrow(
    'std/sqlite: no emulator at http://127.0.0.1:9. Start one (val-emulator start), or run the tests by val-emulator exec -- COMMAND.',
  );
});

test('a place is that of useEmulator, else of the address of the module, else of the environment', () => {
  stubVariables({ VAL_EMULATOR_URL: 'http://env/', valtown: 'one', VAL_TOWN_API_KEY: 'two' });
  const served = 'http://127.0.0.1:4010/_sandbox/a/_emulator/esm/12/v/std/sqlite';

  expect(findPlace('std/sqlite', 'file:///a.js')).toEqual({ url: 'http://env', token: 'one' });
  expect(findPlace('std/sqlite', served)).toEqual({ url: 'http://127.0.0.1:4010/_sandbox/a', token: 'one' });
  vi.stubEnv('VAL_EMULATOR_TOKEN', 'four');
  vi.stubEnv('valtown', '');
  expect(findPlace('std/sqlite', served).token).toBe('two');
  vi.stubEnv('VAL_TOWN_API_KEY', '');
  expect(findPlace('std/sqlite', served).token).toBe('four');
  vi.stubEnv('VAL_EMULATOR_TOKEN', '');
  expect(findPlace('std/sqlite', served).token).toBe('');
  usePlace({ url: 'http://used', token: 'three' });
  expect(findPlace('std/sqlite', served)).toEqual({ url: 'http://used', token: 'three' });
});

test('the address of the API is that of the emulator when it is loaded', async () => {
  stubVariables({ VAL_EMULATOR_URL: 'http://env' });

  const { API_URL } = await import('#tools/std/api-url.js');

  expect(API_URL).toBe('http://env');
});

test('a val of a folder reads the files of the project that the folder is', async () => {
  const files = { 'index.html': 'new', 'app.tsx': 'export const App = () => <p>{1 as number}</p>;' };
  const { url } = await emulate({
    users: [{ username: 'ada' }],
    projects: [{ owner: 'ada', name: 'site', privacy: 'private', files }],
  });
  const folders = { 'file:///work/': 'ada/none', 'file:///work/site/': 'ada/site' };
  stubVariables({ VAL_EMULATOR_URL: url, valtown: 'ada-token' });
  vi.stubEnv('VAL_EMULATOR_PROJECTS', JSON.stringify(folders));
  const address = 'file:///work/site/web/main.ts';
  // Another sandbox, which has no such project.
  usePlace({ url: 'http://127.0.0.1:9', token: 'other' });

  expect(await utils.readFile('index.html', address)).toBe('new');
  expect(await utils.readFile('app.tsx', address)).toBe(files['app.tsx']);
  expect((await utils.listFiles(address)).map(({ path }) => path)).toEqual(['app.tsx', 'index.html']);
  const app = await utils.serveFile('/app.tsx', address);
  expect(app.headers.get('content-type')).toBe('text/javascript');
  expect(await app.text()).toContain('React.createElement("p", null, 1)');
  expect(utils.parseVal(address)).toMatchObject({ name: 'site', version: 0, path: 'web/main.ts' });
  expect(utils.immutableFileUrl('app.tsx', address)).toBe('/__immutable/0/app.tsx');
  expect(utils.isMain(address)).toBe(false);
  vi.stubEnv('VALTOWN_ENTRYPOINT', address);
  expect(utils.isMain(address)).toBe(true);
  expect(await (await utils.staticHTTPServer()(new Request('http://val/'))).text()).toBe('new');
});

test('without an address, the files are those of the only folder that is a project', async () => {
  const { url } = await emulate({
    users: [{ username: 'ada' }],
    projects: [{ owner: 'ada', name: 'site', files: { 'a.txt': 'a' } }],
  });
  stubVariables({ VAL_EMULATOR_URL: url });
  vi.stubEnv('VAL_EMULATOR_PROJECTS', '{"file:///site/":"ada/site"}');

  expect(await utils.readFile('a.txt')).toBe('a');
  vi.stubEnv('VAL_EMULATOR_PROJECTS', '{"file:///site/":"ada/site","file:///other/":"ada/other"}');
  await expect(utils.serveFile('a.txt')).rejects.toThrow('no val is known. Pass import.meta.url');
});

test('files of another branch and of an older version, and code as JavaScript', async () => {
  const { url } = await emulate({
    users: [{ username: 'ada' }],
    projects: [
      {
        owner: 'ada',
        name: 'site',
        branches: [
          { name: 'main', commits: [{ files: { 'a.ts': 'export const a: number = 1;' } }, { files: { 'b.ts': '' } }] },
          { name: 'next', commits: [{ files: { 'c.ts': 'next' } }] },
        ],
      },
    ],
  });
  stubVariables({ VAL_EMULATOR_URL: url });
  const at = (version: string) => `${url}/_emulator/esm/v/ada/site@${version}/a.ts`;
  const list = async (version: string) => (await utils.listFiles(at(version))).map(({ path }) => path);

  expect(await utils.readFile('c.ts', at('next'))).toBe('next');
  expect(await Promise.all(['next', '1-main', '2-main', 'main'].map(list))).toEqual([
    ['a.ts', 'b.ts', 'c.ts'],
    ['a.ts'],
    ['a.ts', 'b.ts'],
    ['a.ts', 'b.ts'],
  ]);
  await expect(utils.readFile('b.ts', at('1-main'))).rejects.toThrow('Failed to fetch file b.ts');
  expect(await utils.fetchTranspiledJavaScript('https://esm.town/v/ada/site/a.ts')).toContain('export const a = 1;');
  expect(() => utils.parseVal(`${url}/_emulator/esm/v/ada/hello?v=0`)).toThrow('a val of /v1 has no others');
});

test('a mock of the global fetch catches no request of a module, a sandbox or its end', async () => {
  const { url } = await emulate({ users: [{ username: 'ada' }] });
  stubVariables({});
  const sandbox = await useEmulator({ url });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('mocked', { status: 418 })));
  onTestFinished(() => void vi.unstubAllGlobals());

  await blob.setJSON('a', 1);
  expect(await sandbox.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await email({ subject: 'Hello', text: 'a' });
  await sandbox.expectEmail({ subject: 'Hello' });
  await sandbox.fail('GET /v1/me', { status: 503, times: 1 });
  expect((await sandbox.fetch('/v1/me')).status).toBe(503);
  expect((await sandbox.fetch('https://api.val.town/v1/me')).status).toBe(401);
  await sandbox.expectRequest('GET /v1/me', { times: 2 });
  await sandbox.reset();
  await sandbox.close();
  expect((await fetch(url)).status).toBe(418);
});

test('files that run at once see only their own data', async () => {
  const { url } = await emulate({ users: [{ username: 'ada' }] });
  stubVariables({});
  const texts = Array.from({ length: 8 }, (_, index) => `file ${index}`);

  const sandboxes = await Promise.all(texts.map((title) => useEmulator({ url, title })));
  for (const [index, { url: sandbox }] of sandboxes.entries()) {
    usePlace({ url: sandbox, token: 'ada-token' });
    await blob.set('own', texts[index] ?? '');
  }

  const found = [];
  for (const { url: sandbox } of sandboxes) {
    usePlace({ url: sandbox, token: 'ada-token' });
    found.push(await (await blob.get('own')).text());
  }
  expect(found).toEqual(texts);
  expect(new Set(sandboxes.map(({ name }) => name)).size).toBe(8);
});
