import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { PATIENCE } from '../../support/patience.js';
import { Command, run, serveProcess, spawnCli } from './cli.js';

const ROOT = join(import.meta.dirname, '../../..');
const ENGINE = pathToFileURL(join(ROOT, 'dist/lib/engine.js')).href;
/** The service of the example, which imports the package by its path. */
const TODO = readFileSync(join(ROOT, 'examples/own-api/todo.js'), 'utf8').replace('val-emulator/engine', ENGINE);
const HEADERS = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
const listTitles = async (url: string) => {
  const todos: unknown = await (await fetch(`${url}/todos`, { headers: HEADERS })).json();
  return Array.isArray(todos) ? todos.map(({ title }) => title) : [];
};
const add = (url: string, title: string) =>
  fetch(`${url}/todos`, { method: 'POST', headers: HEADERS, body: JSON.stringify({ title }) });

test('start --service emulates the service of a module, and other commands reach it', async () => {
  const cwd = folderOf({ 'todo.mjs': TODO });
  const { command, url } = await serveProcess(['--service', './todo.mjs'], { cwd });

  expect(command.stdout).toContain(`curl -H "Authorization: Bearer ada-token" ${url}/todos`);
  expect((await add(url, 'Work')).status).toBe(201);
  expect(await listTitles(url)).toEqual(['Rest', 'Work']);
  expect((await run(['history', '--url', url])).stdout).toMatch(/POST \/todos +ada +\+ todo /);
  expect((await run(['fail', 'GET /todos', '--status', '503', '--url', url])).code).toBe(0);
  expect((await fetch(`${url}/todos`, { headers: HEADERS })).status).toBe(503);
});

test('start --service --watch runs a saved module and what it imports; a mistake changes nothing', async () => {
  const importing = TODO.replaceAll("'Rest'", 'title').replace(
    'import ',
    "import { title } from './lib/title.mjs';\nimport ",
  );
  expect(importing).toContain('title: title');
  const titleOf = (title: string) => `export const title = '${title}';`;
  const cwd = folderOf({ 'todo.mjs': importing, 'lib/title.mjs': titleOf('Rest') });
  const { command, url } = await serveProcess(['--service', './todo.mjs', '--watch'], { cwd });
  expect((await add(url, 'Work')).status).toBe(201);
  expect(await listTitles(url)).toEqual(['Rest', 'Work']);

  writeFileSync(join(cwd, 'lib/title.mjs'), 'export const title = ;');
  await command.printsError(
    /--service: todo\.mjs: threw SyntaxError.*\nKeeping the previously loaded service and its data\./,
  );
  writeFileSync(join(cwd, 'lib/title.mjs'), 'export const title = 1;');
  await command.printsError(/title: found 1; expected[\s\S]*Keeping the previously loaded service and its data\.\n$/);
  expect(await listTitles(url)).toEqual(['Rest', 'Work']);

  writeFileSync(join(cwd, 'lib/title.mjs'), titleOf('Sleep'));
  await command.prints(/\nReloaded \.\/todo\.mjs: 1 user, 1 todo\.\n/);
  expect(await listTitles(url)).toEqual(['Sleep']);
  writeFileSync(join(cwd, 'todo.mjs'), TODO.replaceAll("'Rest'", "'Eat'"));
  await expect.poll(() => listTitles(url).catch(() => []), { timeout: PATIENCE }).toEqual(['Eat']);
  expect(await command.kill('SIGTERM')).toMatchObject({ code: 0 });
});

const STRAY: readonly [what: string, code: string][] = [
  ['a promise that rejects', "void Promise.reject(new Error('stray mail'))"],
  ['an async function that throws', "void (async () => { await null; throw new Error('stray mail'); })()"],
  ['a timer that throws', "setTimeout(() => { throw new Error('stray mail'); }, 1)"],
  ['a callback of a server that is not there', "void fetch('http://127.0.0.1:9/stray mail')"],
];

test.each(STRAY)('start --service prints %s with its route, and goes on', async (_, code) => {
  const text = TODO.replace('const todo = { id: drawId(state)', `${code};\n    $&`);
  const cwd = folderOf({ 'todo.mjs': text });
  const { command, url } = await serveProcess(['--service', './todo.mjs'], { cwd });

  expect((await add(url, 'Work')).status).toBe(201);
  await command.printsError(
    /caught, after the handler of POST \/todos\n[\s\S]*(?:stray mail|fetch failed)[\s\S]*A handler is synchronous/,
  );
  expect(await listTitles(url)).toEqual(['Rest', 'Work']);
  expect((await add(url, 'More')).status).toBe(201);
  expect(await command.kill('SIGTERM')).toMatchObject({ code: 0 });
});

test.each(STRAY)('in a program of the user %s ends it by the rule of Node', async (_, code) => {
  const text = TODO.replace('const todo = { id: drawId(state)', `${code};\n    $&`);
  const program = `
    import { createEngine } from ${JSON.stringify(ENGINE)};
    import todo from './todo.mjs';
    const engine = await createEngine(todo, { listen: false });
    const headers = ${JSON.stringify(HEADERS)};
    await engine.fetch('/todos', { method: 'POST', headers, body: '{"title":"a"}' });
    setTimeout(() => console.log('still here'), 10_000);
  `;
  const cwd = folderOf({ 'todo.mjs': text, 'program.mjs': program });
  const ended = await new Command(process.execPath, ['program.mjs'], { cwd }).end();
  expect(ended).toMatchObject({ code: 1, stdout: '' });
});

test('conformance and pull say that they need the vals service', async () => {
  const cwd = folderOf({ 'todo.mjs': TODO });
  const { url } = await serveProcess(['--service', './todo.mjs'], { cwd });
  const message = `--url: ${url} has the service "todo"; expected the vals service.`;

  for (const args of [['conformance'], ['pull', '--out', 'mine']]) {
    const { stderr, code } = await run([...args, '--url', url, '--token', 'ada-token'], { cwd });
    expect([stderr, code]).toEqual([expect.stringContaining(message), 2]);
  }
});

test('--data keeps the data of a service over kill -9', async () => {
  const cwd = folderOf({ 'todo.mjs': TODO });
  const first = await serveProcess(['--service', './todo.mjs', '--data', './kept'], { cwd });
  await add(first.url, 'Kept');
  first.command.child.kill('SIGKILL');
  await first.command.end();

  const second = await serveProcess(['--service', './todo.mjs', '--data', './kept'], { cwd });
  expect(await listTitles(second.url)).toEqual(['Rest', 'Kept']);
  second.command.child.kill('SIGTERM');
  await second.command.end();
  const other = await run(['start', '--data', './kept', '--port', '0'], { cwd });
  expect(other.stderr).toContain('has data of the service "todo"; this emulator has the service "vals".');
});

test('check --service and print schema --service are about the fixtures of the service', async () => {
  const right = { users: [{ id: 'ada', token: 'ada-token' }], todos: [{ owner: 'ada', title: 'Rest' }] };
  const wrong = { todos: [{ owner: 'ida', title: 'Rest' }], vals: [] };
  const cwd = folderOf({
    'todo.mjs': TODO,
    'right.json': JSON.stringify(right),
    'wrong.json': JSON.stringify(wrong),
    'none.mjs': 'export default 1;',
  });
  const end = async (...args: string[]) => {
    const { stdout, stderr, code } = await spawnCli(args, { cwd }).end();
    return [stdout + stderr, code];
  };
  expect(await end('check', '--service', 'todo.mjs', './right.json')).toEqual(['./right.json: 1 user, 1 todo.\n', 0]);
  expect(await end('check', '--service', 'todo.mjs', './wrong.json')).toEqual([
    expect.stringMatching(/^wrong\.json vals: .*\n\.\/wrong\.json: 1 problem\.\n$/),
    1,
  ]);
  expect(await end('check', './right.json')).toEqual([expect.stringContaining('todos'), 1]);
  const refused = [expect.stringContaining('--service: none.mjs: found 1 as its default export'), 2];
  expect(await end('check', '--service', 'none.mjs', './right.json')).toEqual(refused);
  expect(await end('print', 'schema', '--service', 'none.mjs')).toEqual(refused);

  const [schema] = await end('print', 'schema', '--service', 'todo.mjs', '--json');
  expect(Object.keys(JSON.parse(String(schema)).properties)).toEqual(expect.arrayContaining(['users', 'todos']));
  expect(JSON.parse(String(schema)).properties).not.toHaveProperty('vals');
  expect(await end('print', 'schema', '--service', 'todo.mjs', '--collection', 'todo')).toEqual([
    expect.stringContaining('--collection: found "todo"; expected users or todos. Did you mean "todos"?'),
    2,
  ]);
});

test('exec --service passes its address and a token to a program', async () => {
  const cwd = folderOf({ 'todo.mjs': TODO });
  const script = 'process.stdout.write(process.env.VAL_EMULATOR_TOKEN)';
  const { stdout } = await spawnCli(['exec', '--service', 'todo.mjs', '--', process.execPath, '-e', script], {
    cwd,
  }).end();
  expect(stdout).toBe('ada-token');
});

test.each<[what: string, files: Record<string, string>, args: readonly string[], message: string]>([
  ['a missing file', {}, ['--service', 'todo.mjs'], '--service: todo.mjs: no such file.'],
  [
    'TypeScript where Node.js runs none',
    { 'todo.ts': 'export default 1;' },
    ['--service', 'todo.ts'],
    '--service: todo.ts: ',
  ],
  [
    'a module without a service',
    { 'todo.mjs': 'export default 1;' },
    ['--service', 'todo.mjs'],
    '--service: todo.mjs: found 1 as its default export; expected a service',
  ],
  [
    'a service that another copy of the package has made',
    { 'todo.mjs': 'export default { definitions: { all: [{ collect: () => [] }] } };' },
    ['--service', 'todo.mjs'],
    '--service: todo.mjs: found {"definitions":{"all":[{}]}} as its default export; expected a service',
  ],
  [
    'a wrong definition',
    { 'todo.mjs': TODO.replace("owner: 'users' }", "owner: 'user' }") },
    ['--service', 'todo.mjs'],
    'service todo: collection todos.references.owner: there is no collection "user" before this one. Did you mean "users"?',
  ],
  [
    'a flag of vals',
    { 'todo.mjs': TODO },
    ['--service', 'todo.mjs', '--generate'],
    '--generate: needs the vals service; leave it out with --service.',
  ],
  [
    '--intercept',
    { 'todo.mjs': TODO },
    ['--service', 'todo.mjs', '--intercept'],
    '--intercept: needs the vals service; leave it out with --service.',
  ],
])('%s is an error with code 2', async (_, files, args, message) => {
  const { stderr, code } = await spawnCli(['start', ...args, '--port', '0'], { cwd: folderOf(files) }).end();
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
