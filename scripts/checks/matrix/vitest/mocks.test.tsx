/** @jsxRuntime classic */
/** @jsx element */
import { blob } from 'https://esm.town/v/std/blob';
import { signIn } from 'https://esm.town/v/std/oauth/middleware.ts';
import type * as Blob from 'val-emulator/std/blob';
import type * as Sqlite from 'val-emulator/std/sqlite/main';
import { afterEach, expect, test, vi } from 'vitest';
import { DEPLOYED, greet, read, readTwice, site } from './notes.ts';

const calls = vi.hoisted(() => ({ greet: 0 }));
vi.mock('https://esm.town/v/ada/site/lib/greet.ts', () => ({
  greet: () => {
    calls.greet++;
    return <p>mocked</p>;
  },
}));
vi.mock('https://esm.town/v/std/blob', async (importOriginal) => ({
  blob: { ...(await importOriginal<typeof Blob>()).blob, getJSON: () => 'mocked' },
}));

vi.mock('https://esm.town/v/std/oauth/middleware.ts', () => ({ signIn: () => 'signed in' }));

// biome-ignore lint/correctness/noUnusedVariables: JSX becomes its calls
const element = (type: string, _: null, ...children: string[]) => ({ type, children });
const SQLITE = 'https://esm.town/v/std/sqlite/main.ts';
afterEach(() => vi.resetModules());

test('a mock of a file that a module of a project imports', () => {
  expect(greet()).toEqual({ type: 'p', children: ['mocked'] });
  expect(calls.greet).toBe(1);
  expect(site).toBe('main');
});

test('a mock that keeps the rest of its module', async () => {
  expect(blob.getJSON('a')).toBe('mocked');
  expect(await blob.list()).toEqual([]);
});

test('a mock of a module that is not emulated', () => {
  expect(signIn()).toBe('signed in');
});

test('a module without a mock is that of the emulator', async () => {
  expect(await read()).toBe(41);
  expect(await readTwice(4)).toBe(8);
});

test('doMock, doUnmock and importActual', async () => {
  vi.doMock('https://esm.town/v/std/sqlite/main.ts', () => ({
    sqlite: { execute: () => ({ rows: [{ n: 'mocked' }] }) },
  }));
  expect(await (await import('./notes.ts?1')).read()).toBe('mocked');
  const { sqlite } = await vi.importActual<typeof Sqlite>('https://esm.town/v/std/sqlite/main.ts');
  expect((await sqlite.execute('SELECT 1 AS n')).rows[0]?.n).toBe(1);
  vi.doUnmock('https://esm.town/v/std/sqlite/main.ts');
  expect(await (await import('./notes.ts?2')).read()).toBe(41);
});

test('a mock by the type of its module', async () => {
  vi.doMock(import('https://esm.town/v/ada/twice'), () => ({ twice: () => 5 }));
  expect(await readTwice(4)).toBe(5);
  vi.doUnmock(import('https://esm.town/v/ada/twice'));
});

test('the code of a val in a text stays as it is', () => {
  expect(DEPLOYED.split('\n')).toEqual([
    "import { sqlite } from 'https://esm.town/v/std/sqlite/main.ts';",
    'export default () => import("https://esm.town/v/ada/twice");',
  ]);
  expect(SQLITE).toBe(['https:', '', 'esm.town', 'v', 'std', 'sqlite', 'main.ts'].join('/'));
});

test('a stack has the line and the column of its source', () => {
  const stack = () => new Error('x').stack?.split('\n')[1];
  const [, at] = [import('https://esm.town/v/std/rpc'), Error('y')];
  expect(at.stack?.split('\n')[1]).toMatch(/mocks\.test\.tsx:\d+:57/);
  expect(stack()).toMatch(/mocks\.test\.tsx:\d+:23/);
});
