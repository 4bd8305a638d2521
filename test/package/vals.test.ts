import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmulator } from '../../src/index.js';
import { ROOT } from './pack.js';
import { outerVariables, readPage } from './recipe.js';

/** A folder with Deno, which the suite fetches, and a cache of its own. */
let folder = '';
let deno = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'val-emulator-vals-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const args = ['install', 'deno@2', '--prefer-offline', '--no-audit', '--no-fund'];
  const { stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  deno = join(folder, 'node_modules/.bin/deno');
  if (!existsSync(deno)) throw new Error(`cannot install Deno: ${stderr}`);
  rmSync(join(folder, 'package.json'));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program beside this one, whose emulator goes on. */
async function run(program: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const env = { ...outerVariables(), DENO_DIR: join(folder, 'cache'), ...variables };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  return { status, output };
}

test('the val on the page has the results of its tests, and deno.lock stays as it is', async () => {
  const { files } = readPage(join(ROOT, 'docs/vals.md'));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'deno.lock'), '{"version":"5"}');

  const command = [join(ROOT, 'dist/cjs/val-emulator.cjs'), 'exec', '--deno', '--', deno, 'test', 'notes_test.ts'];
  const { status, output } = await run(process.execPath, command);

  expect([...files.keys()]).toEqual(['notes.ts', 'notes_test.ts']);
  expect(output).toContain('2 passed | 0 failed');
  expect(output).toContain('these three lines do the same');
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'deno.lock'), 'utf8')).toBe('{"version":"5"}');
});

test('the cache of Deno gives no user the val of another, and no code of before an edit or a reset', async () => {
  const users = [{ username: 'ada' }, { username: 'grace' }];
  const code = 'export const text = "first";';
  const vals = [{ author: 'ada', name: 'secret', privacy: 'private' as const, code }];
  await using emulator = await createEmulator({ fixtures: { users, vals } });
  writeFileSync(join(folder, 'read.ts'), "import { text } from 'https://esm.town/v/ada/secret'; console.log(text);");
  /** Reads a map, and runs the program as a user. */
  const read = async (user: string) => {
    const map = await (await fetch(`${emulator.url}/_emulator/esm/import-map.json`)).text();
    writeFileSync(join(folder, 'map.json'), map);
    const { host } = new URL(emulator.url);
    const flags = ['--quiet', '--no-lock', '--allow-import', '--import-map=map.json'];
    return run(deno, ['run', ...flags, 'read.ts'], { DENO_AUTH_TOKENS: `${user}-token@${host}` });
  };

  expect(await read('ada')).toEqual({ status: 0, output: 'first\n' });
  expect(await read('grace')).toMatchObject({ status: 1, output: expect.stringContaining('Module not found') });
  const [{ id } = { id: '' }] = emulator.exportState().vals ?? [];
  await emulator.fetch(`/v1/vals/${id}/versions`, {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
    body: JSON.stringify({ code: 'export const text = "second";' }),
  });
  expect((await read('ada')).output).toBe('second\n');
  emulator.reset();
  expect((await read('ada')).output).toBe('first\n');
});
