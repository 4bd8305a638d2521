import { expect, test } from 'vitest';
import type { Emulator } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';

const FIXTURES = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  tokens: [{ user: 'ada', token: 'blobs-only', scopes: ['blob:read' as const] }],
  vals: [
    { author: 'ada', name: 'hello', code: 'export const hello: string = "v0";' },
    { author: 'ada', name: 'secret', privacy: 'private' as const, code: 'export const secret = 1;' },
    { author: 'ada', name: 'page', code: '/** @jsxImportSource npm:preact */ export default () => <p />;' },
  ],
  projects: [
    {
      owner: 'ada',
      name: 'site',
      files: { 'main.ts': "import '../control/lib/a.ts';", 'lib/a.ts': 'export {};', 'a.json': '{}' },
    },
    { owner: 'ada', name: 'own', privacy: 'private' as const, files: { 'main.ts': '1' } },
  ],
};

/** What Deno sends. */
const DENO = { 'user-agent': 'Deno/2.9.6', accept: '*/*' };

/** Gets a module without following redirects. */
async function get(
  { fetch, url }: Pick<Emulator, 'fetch' | 'url'>,
  path: string,
  token?: string,
  client: object = DENO,
) {
  const headers = { ...client, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`/_emulator/esm/${path}`, { headers, redirect: 'manual' });
  const text = await response.text();
  const location = response.headers.get('location')?.replace(`${url}/_emulator/esm/`, '') ?? null;
  return { status: response.status, text, location, type: response.headers.get('content-type') };
}

test('a val is found by name, and redirected to its latest version', async () => {
  const emulator = await emulate(FIXTURES);

  expect(await get(emulator, 'v/ada/hello')).toMatchObject({ status: 302, location: 'v/ada/hello?v=0' });
  expect(await get(emulator, 'v/@ADA/Hello.ts')).toMatchObject({ status: 302, location: 'v/ADA/Hello.ts?v=0' });
  for (const path of ['v/ada/hello?v=0', 'v/ada/hello.ts?v=0', 'v/ada/hello@0']) {
    expect(await get(emulator, path)).toMatchObject({
      status: 200,
      text: 'export const hello: string = "v0";',
      type: 'application/typescript; charset=utf-8',
    });
  }
  expect(await get(emulator, 'v/ada/hello.js?v=0')).toMatchObject({ type: 'text/javascript; charset=utf-8' });
  expect(await get(emulator, 'v/ada/page?v=0')).toMatchObject({ type: 'text/tsx; charset=utf-8' });
  expect(await get(emulator, 'v/ada/hello?v=7')).toMatchObject({ status: 404 });
  expect(await get(emulator, 'v/ada/none')).toMatchObject({ status: 404 });
  expect(await get(emulator, 'v/ada')).toMatchObject({ status: 404, text: expect.stringContaining('v/AUTHOR/NAME') });
});

test('a file of a project is redirected to its version, from which relative imports go on', async () => {
  const emulator = await emulate(FIXTURES);

  expect(await get(emulator, 'v/ada/site/main.ts')).toMatchObject({ location: 'v/ada/site@1-main/main.ts' });
  expect(await get(emulator, 'v/ada/site@main/main.ts')).toMatchObject({ location: 'v/ada/site@1-main/main.ts' });
  expect(await get(emulator, 'v/ada/site@1-main/lib/a.ts')).toMatchObject({ status: 200, text: 'export {};' });
  expect(await get(emulator, 'v/ada/site@1/a.json')).toMatchObject({ type: 'application/json; charset=utf-8' });
  for (const path of ['site@1-main/none.ts', 'site@1-main/lib', 'site@1-draft/main.ts', 'site@9-main/main.ts']) {
    expect(await get(emulator, `v/ada/${path}`), path).toMatchObject({ status: 404 });
  }
});

test('clients that are not Deno get JavaScript, unless they ask for TypeScript', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }],
    projects: [
      {
        owner: 'ada',
        name: 'site',
        files: {
          'a.ts':
            "import { type B, b } from './b.ts';\nimport type { C } from './c.ts';\nenum E { one = 1 }\nexport const a: C = b satisfies B;",
          'app.tsx': '/** @jsxImportSource https://esm.sh/react@18.2.0 */\nexport const App = () => <p>Hi</p>;',
          'old.jsx': 'export default <p />;',
          'wrong.ts': 'export const = 1;',
          'plain.js': 'export const a = 1;',
        },
      },
    ],
  });
  const read = (name: string, client: object) => get(emulator, `v/ada/site@1-main/${name}`, undefined, client);
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: '*/*' };

  for (const client of [browser, {}, { ...DENO, accept: 'text/javascript' }]) {
    const { status, type, text } = await read('a.ts', client);
    expect({ status, type }).toEqual({ status: 200, type: 'text/javascript; charset=utf-8' });
    expect(text).toContain('import { b } from "./b.ts";');
    expect(text).toContain('export const a = b;');
    expect(text).not.toMatch(/c\.ts|enum|satisfies/);
  }
  expect((await read('app.tsx', browser)).text).toContain('from "https://esm.sh/react@18.2.0/jsx-runtime"');
  expect((await read('old.jsx', browser)).text).toContain('React.createElement("p"');
  for (const client of [DENO, { ...browser, accept: 'application/typescript' }]) {
    expect(await read('a.ts', client)).toMatchObject({ type: 'application/typescript; charset=utf-8' });
  }
  expect(await read('plain.js', browser)).toMatchObject({ text: 'export const a = 1;' });
  const wrong = await read('wrong.ts', browser);
  expect(wrong.status).toBe(400);
  expect(JSON.parse(wrong.text).message).toContain('v/ada/site@1-main/wrong.ts: ');
});

test('an address with any character is found, or is the error of a client', async () => {
  const names = ['[id].ts', '$.ts', '(a).ts', 'a-b/_c.ts'];
  const files = Object.fromEntries(names.map((name) => [name, `// ${name}`]));
  const emulator = await emulate({ users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'site', files }] });

  for (const name of names) {
    const path = `v/ada/site/${name.split('/').map(encodeURIComponent).join('/')}`;
    const { status, location } = await get(emulator, path);
    expect([name, status]).toEqual([name, 302]);
    expect(await get(emulator, location ?? '')).toMatchObject({ status: 200, text: `// ${name}` });
  }
  for (const code of [0, 9, 10, 13, 0x7f, 0x80, 0xff, 0x100, 0x2028, 0x1f600]) {
    const odd = encodeURIComponent(String.fromCodePoint(code));
    for (const path of [
      `v/ada/site/${odd}.ts`,
      `v/ada/si${odd}te/main.ts`,
      `v/ada/${odd}`,
      `v/${odd}/site`,
      `v/std/${odd}`,
    ])
      expect([path, [400, 404]]).toEqual([path, expect.arrayContaining([(await get(emulator, path)).status])]);
  }
});

test('private modules are found by the token of those who may read them', async () => {
  const emulator = await emulate(FIXTURES);

  for (const path of ['v/ada/secret?v=0', 'v/ada/own@1-main/main.ts']) {
    expect(await get(emulator, path, 'ada-token')).toMatchObject({ status: 200 });
    expect(await get(emulator, path, 'grace-token')).toMatchObject({ status: 404 });
    expect(await get(emulator, path)).toMatchObject({ status: 404 });
    expect(await get(emulator, path, 'unknown')).toMatchObject({ status: 401 });
    expect(await get(emulator, path, 'blobs-only')).toMatchObject({ status: 403 });
  }
});

test('the modules of the standard library have all their addresses', async () => {
  const emulator = await emulate(FIXTURES);

  for (const path of ['sqlite', 'sqlite?v=4', 'sqlite.ts', 'sqlite@3-main/main.ts', 'sqlite/global.ts', 'API_URL']) {
    const found = await get(emulator, `v/std/${path}`);
    expect(found, path).toMatchObject({ status: 200, type: 'text/javascript; charset=utf-8' });
    expect(found.text).toContain(path === 'API_URL' ? 'API_URL' : 'LibsqlError');
    expect(found.text).not.toMatch(/^import\b/m);
  }
  for (const path of ['utils', 'utils/index.ts', 'utils@85-main/index.ts', 'utils/serve-file.ts']) {
    expect((await get(emulator, `v/std/${path}`)).text, path).toContain('serveImmutableFile');
  }
  const rows = ['sqlite', 'sqlite/main.ts'].map(async (path) => (await get(emulator, `v/std/${path}`)).text);
  expect(new Set(await Promise.all(rows)).size).toBe(2);
  expect(JSON.parse((await get(emulator, 'v/std/openai/main.ts')).text).message).toBe(
    'std/openai/main.ts is not emulated. Map it to a module of yours in imports: "https://esm.town/v/std/openai/main.ts": "./test/openai.ts"',
  );
  for (const path of ['openai', 'openai@3', 'oauth', 'utils/none.ts', 'catch', 'constructor']) {
    const { status, text } = await get(emulator, `v/std/${path}`);
    const plain = path.replace('@3', '');
    const line = `"https://esm.town/v/std/${plain}": "./test/${plain.replace('/none.ts', '')}.ts"`;
    expect({ path, status, text }).toMatchObject({ path, status: 404, text: expect.stringMatching(/is not emulated/) });
    expect(JSON.parse(text).message).toContain(`Map it to a module of yours in imports: ${line}`);
  }
});

test('the modules of the standard library lead to their declarations, but for the helper', async () => {
  const emulator = await emulate(FIXTURES);
  const findTypes = async (name: string) => {
    const { headers } = await emulator.fetch(`/_emulator/esm/v/std/${name}`);
    return headers.get('x-typescript-types');
  };
  const read = async (address: string) => (await fetch(address)).text();

  const main = `${emulator.url}/_emulator/esm/v/std/types/sqlite-main.d.ts`;
  expect(await findTypes('sqlite/main.ts')).toBe(main);
  expect(await read(main)).toMatch(
    /^\/\/\/ <reference types=".\/types.d.ts" \/>\nimport .* from '\.\/sqlite-requests\.d\.ts';\n.*export interface ResultSet /s,
  );
  expect(await read(main.replace('main', 'requests'))).toContain('export type InArgs =');
  for (const name of ['blob', 'email', 'rpc', 'API_URL', 'utils/index.ts'])
    expect(await findTypes(name), name).toMatch(/\.d\.ts$/);
  expect(await read(main.replace('sqlite-main', 'types'))).toMatch(/^declare global \{.*interface Interval \{/s);
  expect(await findTypes('test')).toBeNull();
  expect((await get(emulator, 'v/std/test.ts')).text).toBe(
    '/// <reference types="./types/types.d.ts" />\nexport * from \'./test.js\';\n',
  );
  expect(await get(emulator, 'v/std/types/place.d.ts')).toMatchObject({ status: 404 });
});

test('each import map has its own addresses, in its sandbox', async () => {
  const emulator = await emulate(FIXTURES);
  const read = async (base: string) => (await fetch(`${base}/_emulator/esm/import-map.json`)).json();
  const sandbox = await emulator.sandbox('one');

  const maps = [await read(emulator.url), await read(emulator.url), await read(sandbox.url)];

  const addresses = maps.map((map) => Object(map).imports['https://esm.town/']);
  expect(new Set(addresses).size).toBe(3);
  expect(addresses[2]).toMatch(`${sandbox.url}/_emulator/esm/`);
  const redirected = await fetch(`${addresses[2]}v/ada/hello`);
  expect(redirected.url).toBe(`${addresses[2]}v/ada/hello?v=0`);
  expect(await redirected.text()).toContain('v0');
});

test('the guard refuses a page of another site, and each module is of the current state', async () => {
  const emulator = await emulate(FIXTURES);
  const origin = { origin: 'https://elsewhere.example' };
  for (const path of ['import-map.json', 'v/ada/hello?v=0']) {
    expect((await fetch(`${emulator.url}/_emulator/esm/${path}`, { headers: origin })).status).toBe(403);
  }

  const [{ id } = { id: '' }] = (await emulator.state({})).vals ?? [];
  await emulator.fetch(`/v1/vals/${id}/versions`, {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
    body: JSON.stringify({ code: 'export const hello = "v1";' }),
  });
  expect(await get(emulator, 'v/ada/hello')).toMatchObject({ location: 'v/ada/hello?v=1' });
  await emulator.reset();
  expect(await get(emulator, 'v/ada/hello')).toMatchObject({ location: 'v/ada/hello?v=0' });
});
