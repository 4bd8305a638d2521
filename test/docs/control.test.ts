import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Sandbox } from '#engine/sandbox/sandbox.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { createEmulator } from '../../src/index.js';

const page = readFileSync(new URL('../../docs/control.md', import.meta.url), 'utf8');

test('the table lists every request of the control API that is not for the page alone', () => {
  const [, table = ''] = /## All requests\n([\s\S]*?)\n## /.exec(page) ?? [];
  const listed = [...table.matchAll(/^\| (.*?) \| /gm)].flatMap(([, cell = '']) => {
    const [, method = ''] = /`([A-Z]+) /.exec(cell) ?? [];
    // A cell may go on with other paths, or with the last segments of them.
    return [...cell.matchAll(/`(?:[A-Z]+ )?([^`?]+)/g)].map(([, path = '']) =>
      path.startsWith('/') ? `${method} ${path}` : `${method} /_emulator/${path}`,
    );
  });

  const own = controlRoutes.filter(({ isForPage }) => isForPage).map(({ name }) => name);
  const names = controlRoutes.map(({ name }) => name).filter((name) => !own.includes(name));
  expect(own.length).toBeGreaterThan(0);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !listed.includes(name))).toEqual([]);
  expect(own.filter((name) => listed.includes(name))).toEqual([]);
});

/** Members of an emulator that prepare no test and check nothing: how it is reached and closed, and internal ones. */
const CONNECTION =
  /^(?:url|app|name|fetch|headers|sandbox|close|unref|constructor|pipeline|listen|reload|data|saved|startClosing|change|isShared|meta|store|journal|asserted|act|held|now|touch|show|update|replace|resetTo|regenerate|arm|sources)$/;

test('the table has a request for every method', async () => {
  await using emulator = await createEmulator({ listen: false });
  const [, table = ''] = /## All requests\n([\s\S]*?)\n## /.exec(page) ?? [];
  const rows = table.split('\n').filter((row) => row.startsWith('| `'));
  const cells = rows.map((row) => row.split(' | ').at(-1) ?? '').join(' ');
  const methods = [...cells.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/\w+/g) ?? []);
  const prototypes = [Object.getPrototypeOf(emulator), Sandbox.prototype];
  const members = [emulator, ...prototypes].flatMap((object) => Object.getOwnPropertyNames(object));
  const clock = Object.getOwnPropertyNames(Object.getPrototypeOf(emulator.clock));

  const expected = [
    ...members.filter((member) => !CONNECTION.test(member)),
    ...Object.keys(emulator.add),
    ...clock.filter((member) => !/^(?:now|constructor)$/.test(member)),
  ];
  expect(expected.length).toBeGreaterThan(20);
  expect(expected.filter((name) => !methods.includes(name))).toEqual([]);
});

test('the Python example creates and closes a sandbox', async ({ skip }) => {
  await using emulator = await createEmulator();
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? [];
  const run = promisify(execFile);
  const python = await run('python3', ['--version']).catch(() => undefined);
  if (!python) skip('there is no python3');

  await run('python3', ['-c', code.replace('http://127.0.0.1:4010', emulator.url)]);

  expect(code).toContain('http://127.0.0.1:4010');
  const sandboxes = await fetch(`${emulator.url}/_emulator/sandboxes`);
  expect(await sandboxes.json()).toStrictEqual([]);
});
