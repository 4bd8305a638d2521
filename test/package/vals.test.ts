import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/index.js';
import { ROOT } from './pack.js';
import { outerVariables, type Recipe, readPage, readRecipe, runIn } from './recipe.js';

const PAGE = readPage(join(ROOT, 'docs/vals.md'));
/** The commands of the page: Deno, then vitest. */
const [DENO_COMMAND = '', VITEST_COMMAND = ''] = PAGE.page.match(/^npx val-emulator exec .*$/gm) ?? [];

/** A project as a newcomer has it: the packed package, Deno and vitest. The suite fetches them, not `npm install`. */
let project = '';
let deno = '';
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'val-emulator-vals-'));
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const args = [
    'install',
    inject('packed').tarball,
    'deno@2',
    'vitest@4',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  const { status, stderr } = spawnSync('npm', args, { cwd: project, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot install the package, Deno and vitest: ${stderr}`);
  deno = join(project, 'node_modules/.bin/deno');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Writes files to a new folder of the project. */
function write(files: Recipe['files'] | Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(project, 'test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of files instanceof Map ? files : Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Runs a command of a page in a folder, with a cache of Deno for all of them. */
const runCommand = (folder: string, command: string) =>
  runIn(folder, `DENO_DIR='${join(project, 'cache')}' PATH="${dirname(deno)}:$PATH" ${command}`);

/** Runs Deno beside this program, whose emulator goes on. */
async function runDeno(folder: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const env = { ...outerVariables(), DENO_DIR: join(project, 'cache'), ...variables };
  const child = spawn(deno, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  return { status, output };
}

/** Runs a command in a folder beside this program, whose emulator goes on. */
async function runBeside(folder: string, command: string) {
  const variables = { DENO_DIR: join(project, 'cache'), PATH: `${dirname(deno)}:${process.env.PATH}`, NO_COLOR: '1' };
  const env = { ...outerVariables(), ...variables };
  const child = spawn(command, { cwd: folder, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  return { status, output };
}

test('the val on the page has the results of its tests, and deno.lock stays as it is', () => {
  const folder = write(PAGE.files);
  writeFileSync(join(folder, 'deno.lock'), '{"version":"5"}');

  const { status, output } = runCommand(folder, DENO_COMMAND);

  expect([...PAGE.files.keys()]).toEqual(['notes.ts', 'notes_test.ts', 'vitest.config.mjs', 'notes.spec.ts']);
  expect(output).toContain('2 passed | 0 failed');
  expect(output).toContain('these three lines do the same');
  expect(status, output).toBe(0);
  expect(readFileSync(join(folder, 'deno.lock'), 'utf8')).toBe('{"version":"5"}');
});

test('types of the standard library, and scopes of deno.json for the modules of a user', () => {
  const folder = write({
    'fixtures.json': JSON.stringify({
      users: [{ username: 'ada' }],
      projects: [
        { owner: 'ada', name: 'site', files: { 'main.ts': "export { q } from 'https://esm.town/v/grace/q/mod.ts';" } },
      ],
    }),
    'deno.json': JSON.stringify({
      scopes: { 'https://esm.town/v/ada/': { 'https://esm.town/v/grace/q/mod.ts': './q.ts' } },
    }),
    'q.ts': "export const q: string = 'of the scope';",
    'types_test.ts': `
      import { type InStatement, type ResultSet, type Row, sqlite } from 'https://esm.town/v/std/sqlite/main.ts';
      import { sqlite as old, type ResultSet as Lists } from 'https://esm.town/v/std/sqlite';
      import { type BlobItem, blob } from 'https://esm.town/v/std/blob';
      import { type Attachment, email } from 'https://esm.town/v/std/email';
      import { q } from 'https://esm.town/v/ada/site/main.ts';
      import { useEmulator } from 'val-emulator/std/test';
      Deno.test('types', async () => {
        const emulator = await useEmulator();
        const statement: InStatement = { sql: 'SELECT typeof(?) AS type', args: [5n] };
        const { rows }: ResultSet = await sqlite.execute(statement);
        const [row]: Row[] = rows;
        const lists: Lists = await old.execute('SELECT 1');
        const blobs: BlobItem[] = await blob.list();
        const attachments: Attachment[] = [];
        // @ts-expect-error: a number is no statement
        const wrong = () => sqlite.execute(5);
        await email({ subject: 'a', text: 'b', attachments });
        globalThis.fetch = () => Promise.resolve(new Response('', { status: 418 }));
        await emulator.expectEmail({ subject: 'a' });
        const found = [row.type, lists.rows, blobs, q, typeof wrong].flat(3).join();
        if (found !== 'integer,1,of the scope,function') throw new Error(found);
      });`,
  });

  const { status, output } = runCommand(folder, 'npx val-emulator exec --fixtures fixtures.json --deno -- deno test');

  expect(output).toContain('1 passed | 0 failed');
  expect(status, output).toBe(0);
});

test('a val in a folder serves its files, and TypeScript by the package that the error names', () => {
  const folder = write({
    'site/main.ts': `
      import { parseVal, readFile, serveFile, staticHTTPServer } from 'https://esm.town/v/std/utils@85-main/index.ts';
      export const serve: (request: Request) => Promise<Response> = staticHTTPServer();
      export const read = (): Promise<string> => readFile('index.html', import.meta.url);
      export const app = (): Promise<Response> => serveFile('/app.tsx', import.meta.url);
      export const name: string = parseVal(import.meta.url).name;`,
    'site/index.html': '<p>Hi</p>',
    'site/app.tsx': 'export const App = () => <p />;',
    'site_test.ts': `
      import { app, name, read, serve } from './site/main.ts';
      import { read as readServed } from 'https://esm.town/v/ada/site/main.ts';
      Deno.test('files', async () => {
        const page = await (await serve(new Request('http://val/'))).text();
        const reason = await app().then(String, ({ message }) => message);
        console.log(JSON.stringify([name, page, await read(), await readServed(), reason]));
      });`,
  });

  const { status, output } = runCommand(folder, 'npx val-emulator exec --project ada/site=./site --deno -- deno test');

  const page = '"<p>Hi</p>"';
  expect(output).toContain(`["site",${page},${page},${page},"Failed to fetch file /app.tsx: JavaScript of TypeScript`);
  expect(output).toContain('npm install -D oxc-transform.');
  expect(status, output).toBe(0);
});

test('cron and email vals are checked as they are written, also without a module of std', () => {
  const folder = write({
    'cron.ts': 'export default ({ lastRunAt }: Interval): number => lastRunAt?.getTime() ?? 0;',
    'email.ts':
      "export default ({ from, to, attachments }: Email): string => [from, ...to, attachments.length].join(' ');",
    'alone.ts': 'export default (interval: Interval): Date | undefined => interval.lastRunAt;',
    'deno.json': '{ "compilerOptions": { "types": ["val-emulator/std/types"] }, "imports": { "a": "./cron.ts" } }',
    'own_test.ts': `
      import { useEmulator } from 'val-emulator/std/test';
      import cron from './cron.ts';
      import email from './email.ts';
      Deno.test('vals', async () => {
        await using emulator = await useEmulator();
        // @ts-expect-error: no date
        const wrong = () => cron({ lastRunAt: 'never' });
        const found = [cron({ lastRunAt: undefined }), email({ from: 'a', to: ['b'], attachments: [], headers: {} }), typeof wrong];
        if (found.join() !== '0,a b 0,function') throw new Error(found.join());
      });`,
    'alone_test.ts': "import run from './alone.ts'; Deno.test('alone', () => void run({ lastRunAt: undefined }));",
  });
  const exec = (args: string) => runCommand(folder, `npx val-emulator exec --deno -- deno test ${args}`);

  const byModule = exec('--no-config own_test.ts');
  expect(byModule.output).toContain('1 passed | 0 failed');
  const byLine = exec('alone_test.ts');
  expect(byLine.output).toContain('1 passed | 0 failed');
  expect(exec('--no-config alone_test.ts').output).toContain('TS2304');
});

test('the val on the page passes under vitest', () => {
  const { status, output } = runCommand(write(PAGE.files), VITEST_COMMAND);

  expect(output).toMatch(/Tests +1 passed \(1\)/);
  expect(status, output).toBe(0);
});

test.each(['handlers', 'private-vals'])('the command of %s prints the output on the page', (name) => {
  const recipe = readRecipe(name);

  const { status, output } = runCommand(write(recipe.files), recipe.command);

  expect(recipe.output).toHaveLength(1);
  for (const line of recipe.output) expect(output).toContain(line);
  expect(status, output).toBe(0);
});

test('eight files in parallel see only their own data', () => {
  const file = (name: string) => `
    import assert from 'node:assert/strict';
    import { blob } from 'https://esm.town/v/std/blob';
    import { sqlite } from 'https://esm.town/v/std/sqlite';
    import { useEmulator } from 'val-emulator/std/test';
    const emulator = await useEmulator({ fixtures: {
      users: [{ username: 'ada' }],
      sqlite: [{ user: 'ada', sql: 'CREATE TABLE t (file TEXT)' }],
    } });
    Deno.test('${name}', async () => {
      for (let i = 0; i < 20; i++) {
        await sqlite.execute({ sql: 'INSERT INTO t VALUES (?)', args: ['${name}'] });
        await blob.setJSON('file', '${name}');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      assert.deepEqual(await emulator.rows('SELECT file, count(*) AS n FROM t GROUP BY 1'), [{ file: '${name}', n: 20 }]);
      assert.equal(await blob.getJSON('file'), '${name}');
    });`;
  const names = Array.from({ length: 8 }, (_, index) => `file${index}`);
  const folder = write(Object.fromEntries(names.map((name) => [`${name}_test.ts`, file(name)])));

  const { status, output } = runCommand(folder, 'npx val-emulator exec --deno -- deno test --parallel');

  expect(output).toContain('8 passed | 0 failed');
  expect(status, output).toBe(0);
});

test('an error of SQL points to the line of the val', () => {
  const folder = write({
    'val.ts': `import { sqlite } from 'https://esm.town/v/std/sqlite/main.ts';

export async function list() {
  const { rows } = await sqlite.execute('SELECT * FROM missing');
  return rows;
}
`,
    'val_test.ts': "import { list } from './val.ts';\nDeno.test('lists', async () => { await list(); });",
  });

  const { status, output } = runCommand(folder, 'npx val-emulator exec --deno -- deno test');

  expect(output).toMatch(/LibsqlError: .*no such table: missing\n +at .*val\.ts:4:\d+/);
  expect(status).toBe(1);
});

test('a module that is not emulated is named with a line, by which it is found', () => {
  const folder = write({
    'val.ts': "import { ask } from 'https://esm.town/v/std/openai'; console.log(await ask());",
    'test/openai.ts': "export const ask = async () => 'as mapped';",
  });
  const command = 'npx val-emulator exec --deno -- deno run val.ts';

  const { status, output } = runCommand(folder, command);
  const [line = ''] = /"https:\/\/esm\.town\/v\/std\/openai": "[^"]+"/.exec(output) ?? [];
  writeFileSync(join(folder, 'deno.json'), `{ "imports": { ${line} } }`);
  const mapped = runCommand(folder, command);

  expect(output).toContain('std/openai is not emulated');
  expect(status).toBe(1);
  expect(mapped.output).toContain('as mapped');
  expect(mapped.status, mapped.output).toBe(0);
});

test('a missing val of a user is named with the lines that map and seed it', () => {
  const folder = write({
    'val.ts': "import { ask } from 'https://esm.town/v/stevekrouse/ask'; console.log(ask());",
    'test/ask.ts': "export const ask = () => 'as mapped';",
  });
  const command = 'npx val-emulator exec --deno -- deno run val.ts';

  const { output } = runCommand(folder, command);
  const [line = ''] = /"https:\/\/esm\.town\/v\/stevekrouse\/ask": "[^"]+"/.exec(output) ?? [];
  expect(output).toContain(
    'val-emulator: The val was not found at https://esm.town/v/stevekrouse/ask. Map it to a module of yours in imports: ',
  );
  expect(output).toContain('"vals": [{ "author": "stevekrouse", "name": "ask", "code": "…" }]');
  writeFileSync(join(folder, 'deno.json'), `{ "imports": { ${line} } }`);

  expect(runCommand(folder, command).output).toContain('as mapped');
});

test('vals of several commands share a running emulator: run, check, eval and tasks', async () => {
  await using emulator = await createEmulator({
    fixtures: { users: [{ username: 'ada' }], sqlite: [{ user: 'ada', sql: 'CREATE TABLE notes (text TEXT)' }] },
  });
  const sqlite = "import { sqlite } from 'https://esm.town/v/std/sqlite/main.ts';";
  const folder = write({
    'write.ts': `${sqlite} await sqlite.execute({ sql: 'INSERT INTO notes VALUES (?)', args: [Deno.args[0]] });`,
    'read.ts': `${sqlite} console.log((await sqlite.execute('SELECT * FROM notes')).rows.map(({ text }) => text).join());`,
    'deno.json': '{ "tasks": { "read": "deno run read.ts && echo done", "all": { "dependencies": ["read"] } } }',
    'web/main.ts': '',
  });
  const exec = (command: string, at = '.') =>
    runBeside(join(folder, at), `npx val-emulator exec --url ${emulator.url} --deno -- deno ${command}`);

  expect(await exec('run write.ts one')).toMatchObject({ status: 0 });
  expect((await exec('check read.ts')).output).toContain('Check read.ts');
  expect(await exec(`eval "${sqlite} await sqlite.execute(\\"INSERT INTO notes VALUES ('two')\\")"`)).toMatchObject({
    status: 0,
  });
  expect((await exec('task read', 'web')).output).toContain('one,two\ndone');
  expect((await exec('task all')).output).toContain('one,two');
  const shell = `eval "$(npx val-emulator env --url ${emulator.url} --deno)" && deno run $VAL_EMULATOR_DENO read.ts`;
  expect((await runBeside(folder, shell)).output).toContain('one,two');
  expect(await emulator.rows('SELECT count(*) AS n FROM notes')).toEqual([{ n: 2 }]);
});

test('the cache of Deno gives no user the val of another, and no code of before an edit or a reset', async () => {
  const users = [{ username: 'ada' }, { username: 'grace' }];
  const code = 'export const text = "first";';
  const vals = [{ author: 'ada', name: 'secret', privacy: 'private' as const, code }];
  await using emulator = await createEmulator({ fixtures: { users, vals } });
  const folder = write({
    'read.ts': "import { text } from 'https://esm.town/v/ada/secret'; console.log(text);",
  });
  /** Reads a map, and runs the program as a user. */
  const read = async (user: string) => {
    const map = await (await fetch(`${emulator.url}/_emulator/esm/import-map.json`)).text();
    writeFileSync(join(folder, 'map.json'), map);
    const { host } = new URL(emulator.url);
    const flags = ['--quiet', '--no-lock', '--node-modules-dir=none', '--allow-import', '--import-map=map.json'];
    return runDeno(folder, ['run', ...flags, 'read.ts'], { DENO_AUTH_TOKENS: `${user}-token@${host}` });
  };

  expect(await read('ada')).toEqual({ status: 0, output: 'first\n' });
  expect(await read('grace')).toMatchObject({ status: 1, output: expect.stringContaining('Module not found') });
  const [{ id } = { id: '' }] = emulator.state().vals ?? [];
  await emulator.fetch(`/v1/vals/${id}/versions`, {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
    body: JSON.stringify({ code: 'export const text = "second";' }),
  });
  expect((await read('ada')).output).toBe('second\n');
  emulator.reset();
  expect((await read('ada')).output).toBe('first\n');
});

test('Deno reads the served import map as well', async () => {
  const vals = [{ author: 'ada', name: 'hello', code: 'export const text: string = "public";' }];
  await using emulator = await createEmulator({ fixtures: { users: [{ username: 'ada' }], vals } });
  const folder = write({ 'read.ts': "import { text } from 'https://esm.town/v/ada/hello'; console.log(text);" });
  const map = `${emulator.url}/_emulator/esm/import-map.json`;

  const flags = ['--quiet', '--no-lock', '--allow-import', `--import-map=${map}`, `--reload=${map}`];
  expect(await runDeno(folder, ['run', ...flags, 'read.ts'])).toEqual({ status: 0, output: 'public\n' });
});
