import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { refusal, run, serve } from './cli.js';

const FILES = { 'main.http.ts': 'export default 1;', 'src/a.ts': '', 'notes.md': '', '.vtignore': 'notes.md' };
const FLAGS = ['--fixtures', 'empty'];

/** Reads the text of a file of ada/site. */
async function read(url: string, path: string): Promise<string> {
  const headers = { authorization: 'Bearer ada-token' };
  const found = await fetch(`${url}/v2/alias/vals/ada/site`, { headers });
  const { id } = Object(await found.json());
  return await (await fetch(`${url}/v2/vals/${id}/files/content?path=${path}`, { headers })).text();
}

test('--project adds a folder as a project, and says what it skips of it', async () => {
  const cwd = folderOf({ ...FILES, '.env': '', 'node_modules/x.js': '' });
  const { command, url } = await serve([...FLAGS, '--project', 'ada/site=.', '--project', 'ada/src=./src'], { cwd });
  await command.prints(/Ctrl-C/);
  expect(command.stdout.split('\n').slice(0, 2)).toEqual([
    'Data: in memory',
    'Folder .: 2 files, 4 skipped (.env, .vtignore, node_modules, notes.md)',
  ]);
  expect(await read(url, 'main.http.ts')).toBe('export default 1;');
});

test('the line of a folder lists five names at most', async () => {
  const cwd = folderOf(Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`site/.f${i}`, ''])));
  const { command } = await serve([...FLAGS, '--project', 'ada/site=site'], { cwd });
  await command.prints(/Ctrl-C/);
  expect(command.stdout).toContain('Folder site: 0 files, 7 skipped (.f0, .f1, .f2, .f3, .f4, 2 more)\n');
});

test('--watch reads the folder of a project again with the fixtures', async () => {
  const cwd = folderOf({ 'site/main.ts': 'one', 'demo.json': { users: [{ username: 'ada' }] } });
  const flags = ['--fixtures', 'demo.json', '--watch', '--project', 'ada/site=site'];
  const { command, url } = await serve(flags, { cwd });
  expect(await read(url, 'main.ts')).toBe('one');
  writeFileSync(join(cwd, 'site/main.ts'), 'two');
  writeFileSync(join(cwd, 'demo.json'), '{ "users": [{ "username": "ada" }, { "username": "grace" }] }');
  await command.prints(/Reloaded demo\.json: 2 users, 1 project/);
  expect(await read(url, 'main.ts')).toBe('two');
});

test('the config file has folders by project, from its own folder', async () => {
  const cwd = folderOf({
    'val-emulator.config.json': { fixtures: 'empty', project: { 'ada/site': './site' } },
    'site/main.ts': 'one',
    'deep/x': '',
  });
  const { url } = await serve([], { cwd: join(cwd, 'deep') });
  expect(await read(url, 'main.ts')).toBe('one');
});

test('exec has --project, and its environment variable', async () => {
  const cwd = folderOf({ 'site/main.ts': 'one' });
  const script = `const { id } = await (await fetch(process.env.VAL_EMULATOR_URL + '/v2/alias/vals/ada/site')).json(); console.log(typeof id)`;
  const flags = ['exec', '--fixtures', 'empty'];
  const program = ['--', process.execPath, '--input-type=module', '-e', script];
  const env = { VAL_EMULATOR_PROJECT: 'ada/site=site, ada/other=site' };
  for (const [own, options] of [
    [['--project', 'ada/site=site'], { cwd }],
    [[], { cwd, env }],
  ] as const) {
    expect(await run([...flags, ...own, ...program], options)).toMatchObject({ code: 0 });
  }
});

const refused = async (flags: readonly string[], cwd: string) => await run(['start', ...FLAGS, ...flags], { cwd });

test.each([
  ['site', '--project: found "site"; expected a project and its folder, such as ada/site=./site.'],
  ['ada/site=', '--project: found "ada/site="; expected a project and its folder, such as ada/site=./site.'],
  ['ada/my/site=.', '--project: found "ada/my/site=."; expected a project and its folder, such as ada/site=./site.'],
  ['adda/site=odd/deep', '--project adda/site.owner: there is no user or organization "adda". Did you mean "ada"?'],
  [
    'ada/1site=odd/deep',
    '--project ada/1site.name: found "1site"; expected a name of 1 to 48 letters, digits, - and _ that begins with a letter.',
  ],
  ['ada/site=main.ts', '--project ada/site: main.ts: could not be read (not a folder).'],
  ['ada/site=bad', '--project ada/site: bad/logo.png: binary; expected text in UTF-8, or a line in .vtignore.'],
  [
    'ada/site=odd',
    '--project ada/site.files.a b.ts: found the part "a b.ts"; expected 1 to 48 letters, digits and $[]().-_.',
  ],
])('--project %s is refused', async (value, message) => {
  const cwd = folderOf({
    'main.ts': '',
    'bad/logo.png': Buffer.from([137, 80, 0, 255]),
    'odd/a b.ts': '',
    'odd/deep/a.ts': '',
  });
  expect(await refused(['--project', value], cwd)).toEqual(refusal(message));
});

test('a folder that is missing or has too many files is refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`site/f${i}.ts`, '']));
  const cwd = folderOf(many);
  const { stderr } = await refused(['--project', 'ada/site=nowhere'], cwd);
  expect(stderr).toMatch(/^val-emulator: --project ada\/site: nowhere: could not be read \(ENOENT: .*\)\.\n/);
  expect(await refused(['--project', 'ada/site=site'], cwd)).toEqual(
    refusal('--project ada/site: site: has 1001 files; expected at most 1000.'),
  );
});

test('a project is given once, and not with a session', async () => {
  const cwd = folderOf({ 'main.ts': '' });
  expect(await refused(['--project', 'ada/site=.', '--project', 'ada/site=.'], cwd)).toEqual(
    refusal('--project ada/site: given twice; give it once.'),
  );
  expect(await run(['start', '--session', 'x.ndjson', '--project', 'ada/site=.'], { cwd })).toEqual(
    refusal('--project: expected either projects or session, not both.'),
  );
});
