import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ValsOptions, valsPlugin } from '#tools/std/vite.js';
import { emulate } from '../../support/emulate.js';

const FIXTURES = {
  users: [{ username: 'ada' }],
  vals: [
    { author: 'ada', name: 'secret', privacy: 'private' as const, code: 'export const secret: string = "ada only";' },
    {
      author: 'ada',
      name: 'notes',
      code: `import { sqlite } from 'https://esm.town/v/std/sqlite/main.ts';
        import { secret } from 'https://esm.town/v/ada/secret?v=0';
        export const read = async (): Promise<unknown> => [(await sqlite.execute('SELECT 1 AS one')).rows[0].one, secret];`,
    },
    { author: 'ada', name: 'login', code: "export * from 'https://esm.town/v/std/openai';" },
  ],
  projects: [
    {
      owner: 'ada',
      name: 'site',
      files: {
        'main.ts': "export { twice } from './lib/twice.ts';",
        'lib/twice.ts': 'export const twice = (n: number): number => n * 2;',
      },
    },
  ],
};

/** Starts Vite with the plugin in a folder of files. */
async function serve(
  files: Readonly<Record<string, string>>,
  options?: ValsOptions,
  last: Plugin[] = [],
): Promise<ViteDevServer> {
  const root = mkdtempSync(join(tmpdir(), 'val-emulator-vite-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(root, name), code);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins: [valsPlugin(options), last],
  });
  onTestFinished(() => server.close());
  return server;
}

/** Loads a file that imports a module of an emulator, as vitest does. */
async function load(url: string, token: string, address: string): Promise<Record<string, unknown>> {
  const server = await serve({ 'main.ts': `export * from '${address}';` }, { url, token });
  return await server.ssrLoadModule('/main.ts');
}

/** Returns the code of a file as the plugin leaves it. */
async function transform(name: string, code: string): Promise<string> {
  let transformed = '';
  const last: Plugin = {
    name: 'last',
    enforce: 'post',
    transform(given) {
      transformed = given;
      return '';
    },
  };
  const server = await serve({ [name]: code }, {}, [last]);
  await server.transformRequest(`/${name}`, { ssr: true });
  return transformed;
}

test('a val of TypeScript imports a private one and the standard library', async () => {
  const { url } = await emulate(FIXTURES);
  process.env.VAL_TOWN_API_KEY = 'ada-token';
  onTestFinished(() => void delete process.env.VAL_TOWN_API_KEY);

  const { read } = await load(url, 'ada-token', 'https://esm.town/v/ada/notes');

  expect(await Object(read)()).toEqual([1, 'ada only']);
});

test('a file of a project imports another one', async () => {
  const { url } = await emulate(FIXTURES);

  const { twice } = await load(url, 'ada-token', 'https://esm.town/v/ada/site/main.ts');

  expect(Object(twice)(2)).toBe(4);
});

test('a module that is loaded after a mock of the global fetch sends its requests past it', async () => {
  const { url } = await emulate({ users: [{ username: 'ada' }] });
  process.env.valtown = 'ada-token';
  onTestFinished(() => void delete process.env.valtown);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('mocked', { status: 418 })));
  onTestFinished(() => void vi.unstubAllGlobals());

  const { blob } = await load(url, '', 'https://esm.town/v/std/blob');

  await Object(blob).setJSON('late', 1);
  expect(await Object(blob).getJSON('late')).toBe(1);
});

test('a val reads files of its project by import.meta.url, in the version that was loaded', async () => {
  const main = `
    import { parseVal, readFile } from 'https://esm.town/v/std/utils@85-main/index.ts';
    export const text = 'import.meta.url';
    export const found = async (): Promise<unknown> => [await readFile('/a.txt', import.meta.url), parseVal(import.meta.url).version];`;
  const { url } = await emulate({
    users: [{ username: 'ada' }],
    projects: [{ owner: 'ada', name: 'site', files: { 'main.ts': main, 'a.txt': 'of the val' } }],
  });

  const { found, text } = await load(url, '', 'https://esm.town/v/ada/site/main.ts');

  expect(await Object(found)()).toEqual(['of the val', 1]);
  expect(text).toBe('import.meta.url');
});

test('a module that reads Deno has its environment, and names what is missing', async () => {
  const { url } = await emulate({
    users: [{ username: 'ada' }],
    vals: [
      {
        author: 'ada',
        name: 'key',
        code: 'export const key = (): unknown => [Deno.env.get("KEY"), Deno.env.toObject().KEY, Deno.env.get("NONE")];',
      },
    ],
  });
  process.env.KEY = 'secret';
  onTestFinished(() => void delete process.env.KEY);
  const server = await serve(
    {
      'main.ts': `
        export { key } from 'https://esm.town/v/ada/key';
        export const own = () => Deno.env.get('KEY');
        export const read = () => Deno.readTextFile('a');
        export const set = () => Deno.env.set('KEY', 'b');`,
      'other.ts': `export const type = typeof Deno; export const global = 'Deno' in globalThis;`,
      'named.ts': `import { Deno } from './deno.ts'; export const value = Deno.value;`,
      'deno.ts': `export const Deno = { value: 1 };`,
    },
    { url, token: '' },
  );

  const { key, own, read, set } = await server.ssrLoadModule('/main.ts');
  expect(key()).toEqual(['secret', 'secret', undefined]);
  expect(own()).toBe('secret');
  expect(read).toThrow('Deno.readTextFile is not emulated: Deno has env.get and env.toObject here.');
  expect(set).toThrow('Deno.env.set is not emulated');
  expect(await server.ssrLoadModule('/other.ts')).toMatchObject({ type: 'undefined', global: false });
  expect(await server.ssrLoadModule('/named.ts')).toMatchObject({ value: 1 });
});

test('an address of esm.sh is the package of the project, or an error that names the install', async () => {
  const server = await serve({
    'main.ts': `
      export { a } from 'https://esm.sh/lib-of-test@4.0.1';
      export { b } from 'https://esm.sh/v135/@scope/lib@1/sub.js?deps=react@18.2.0';`,
    'missing.ts': "import 'https://esm.sh/no-such-package@1';",
  });
  const { root } = server.config;
  for (const [name, entry, code] of [
    ['lib-of-test', 'index.js', "export const a = 'a';"],
    ['@scope/lib', 'sub.js', "export const b = 'b';"],
  ] as const) {
    mkdirSync(join(root, 'node_modules', name), { recursive: true });
    writeFileSync(
      join(root, 'node_modules', name, 'package.json'),
      JSON.stringify({ name, type: 'module', main: entry }),
    );
    writeFileSync(join(root, 'node_modules', name, entry), code);
  }

  expect(await server.ssrLoadModule('/main.ts')).toMatchObject({ a: 'a', b: 'b' });
  await expect(server.ssrLoadModule('/missing.ts')).rejects.toThrow(
    'npm:no-such-package@1: the project has no such package. Install it: npm install -D no-such-package',
  );
});

test('a module that cannot be read is an error with its address and the reason', async () => {
  const { url } = await emulate(FIXTURES);

  await expect(load(url, '', 'https://esm.town/v/ada/notes')).rejects.toThrow(
    'https://esm.town/v/ada/secret?v=0: The val was not found',
  );
  await expect(load(url, 'ada-token', 'https://esm.town/v/ada/login')).rejects.toThrow(
    'std/openai is not emulated. Map it to a module of yours',
  );
});

/** Code of vals in texts and comments, which a program may post or show. */
const TEXTS = `
  // import 'https://esm.town/v/std/catch';
  export const texts = [
    "import { sqlite } from 'https://esm.town/v/std/sqlite/main.ts';",
    '<script type="module">import "https://esm.town/v/std/catch";</script>',
    \`export { a } from 'https://esm.town/v/ada/a'; vi.mock('https://esm.town/v/ada/a'); \${1} import('https://esm.town/v/ada/b')\`,
    /import 'https:/,
    client.mock('https://esm.town/v/ada/c'),
    resolve('https://esm.town/v/std/sqlite/main.ts'),
  ];`;

test('an address in a text, a comment or another call stays as it is', async () => {
  expect(await transform('main.js', TEXTS)).toBe(TEXTS);
});

test('an address in an import, an export and a call of vitest is an id, in the columns of the source', async () => {
  const imports = (url: (name: string) => string) => `
    '💡'; import ${url('a')}; import { a as b } from ${url('b')}; export * from ${url('c')}; export { c } from ${url('d')};
    import { vi as v, expect } from 'vitest'; import * as all from ${url('e')}; const f = import(${url('f')});
    vi.mock(${url('g')}, () => import(${url('h')})); v.doMock(${url('i')}); vitest.unmock(${url('j')}); vi.doUnmock(${url('k')});
    export const l = async () => [vi.importActual(${url('l')}), v.importMock(${url('m')}), vi.mock(import(${url('n')}))];
    vi.fn('https://esm.town/v/ada/o'); expect.mock('https://esm.town/v/ada/p');`;

  const code = await transform(
    'main.js',
    imports((name) => `'https://esm.town/v/ada/${name}/main.ts?v=2'`),
  );

  expect(code).toBe(imports((name) => `${JSON.stringify(`virtual:vals/ada/${name}/main;v=2.ts`)}      `));
});

test('an import of a type is none, and a template without expressions is an address', async () => {
  const code = await transform(
    'main.tsx',
    `import type { A } from 'https://esm.town/v/ada/a';
    import { type B, b } from 'https://esm.town/v/ada/b';
    type C = typeof import('https://esm.town/v/ada/c');
    export const d: [A?, B?, C?] = [b, () => import(\`https://esm.town/v/ada/d\`)];`,
  );

  expect(code).not.toContain('esm.town');
  expect(code.match(/virtual:vals\S+(?=")/g)).toEqual(['virtual:vals/ada/b;.tsx', 'virtual:vals/ada/d;.tsx']);
});

test('a style sheet with an address is loaded', async () => {
  const code = "a { background: url('https://esm.town/v/std/logo.svg'); }";

  const server = await serve({ 'main.css': code });

  expect((await server.ssrLoadModule('/main.css?inline')).default).toContain(code);
});
