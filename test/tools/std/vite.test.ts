import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { valsPlugin } from '#tools/std/vite.js';
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
    { author: 'ada', name: 'login', code: "export * from 'https://esm.town/v/std/oauth/middleware.ts';" },
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

/** Loads a file that imports a module of an emulator, as vitest does. */
async function load(url: string, token: string, address: string): Promise<Record<string, unknown>> {
  const root = mkdtempSync(join(tmpdir(), 'val-emulator-vite-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'main.ts'), `export * from '${address}';`);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins: [valsPlugin({ url, token })],
  });
  onTestFinished(() => server.close());
  return await server.ssrLoadModule('/main.ts');
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

test('a module that cannot be read is an error with its address and the reason', async () => {
  const { url } = await emulate(FIXTURES);

  await expect(load(url, '', 'https://esm.town/v/ada/notes')).rejects.toThrow(
    'https://esm.town/v/ada/secret?v=0: The val was not found',
  );
  await expect(load(url, 'ada-token', 'https://esm.town/v/ada/login')).rejects.toThrow(
    'std/oauth/middleware.ts is not emulated. Map it to a module of yours',
  );
});
