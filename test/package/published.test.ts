import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { folderOf } from '../engine/fixtures/loading.js';
import { TSC } from '../vals/generator/built.js';
import { ROOT } from './pack.js';

/*
 * Programs that compiled with the types of an earlier commit compile with today's. `published.txt` has the types of the commit; what
 * no longer compiles is a line below, and in the table "Upgrading" of CHANGELOG.
 */

const ENTRIES = [
  'index',
  'client/index',
  'testing/vitest',
  'testing/jest',
  'testing/node-test',
  'testing/playwright',
  'testing/msw',
];

/** Where the types of an entry are today. */
const toPath = (entry: string): string => entry.replace(/^(?=client|testing)/, 'tools/');

/**
 * Values whose types contain a sandbox both as an argument and as a result, so that a new member makes them another type. Programs
 * only read it. Their sandboxes are compared as `Sandbox` and `RemoteSandbox`.
 */
const INVARIANT = ['vitest emulatorTest', 'vitest test', 'playwright emulatorTest', 'playwright test'];

/** Members without a type in common, since each declaration of a class has its own. */
const withoutPrivate = (text: string): string => text.replace(/^\s*(?:#private|private .*);\n/gm, '');

/** Expectations return what they have found, where they returned nothing. */
const withFound = (text: string): string =>
  text.replace(
    /^(\s+expect(?:Request|Email)\(.*\): )(Promise<void>|void);$/gm,
    (_, start: string, type: string) => `${start}${type.replace('void', 'unknown')};`,
  );

/** A method that exports the state has the name of the command and the route. */
const withNewNames = (text: string): string => text.replace(/^(\s+)exportState\(/gm, '$1state(');

/** The name of an address that is stored without one is null. */
const withNullNames = (text: string): string =>
  text.replace(/^(\s+email: string;\n\s+name: )string;$/gm, '$1string | null;');

/** What a commit of the history changed has another form. */
const withoutChanges = (text: string): string =>
  text.replace(
    'export type HistoryEntry = Static<typeof HistoryEntry>;',
    "export type HistoryEntry = Omit<Static<typeof HistoryEntry>, 'names' | 'changes' | 'change'>;",
  );

/** Splits the file into declarations by their paths. */
function readPublished(): Record<string, string> {
  const [, ...parts] = readFileSync(join(import.meta.dirname, 'published.txt'), 'utf8').split(/^=== /m);
  return Object.fromEntries(
    parts.map((part) => [
      `old/${part.slice(0, part.indexOf('\n'))}`,
      withoutChanges(withNullNames(withNewNames(withFound(part.slice(part.indexOf('\n') + 1))))),
    ]),
  );
}

/** Lists the names that an entry exports. @returns whether each is a value, a type or both */
function listExports(text: string): { readonly values: Set<string>; readonly types: Set<string> } {
  const [values, types] = [new Set<string>(), new Set<string>()];
  for (const [, isTypes, list = ''] of text.matchAll(/^export (type )?\{([^}]*)\}/gm)) {
    for (const item of list.split(',').map((each) => each.trim())) {
      const isType = isTypes !== undefined || item.startsWith('type ');
      if (item !== '') (isType ? types : values).add(item.replace(/^type /, ''));
    }
  }
  for (const [, kind, name = ''] of text.matchAll(/^export declare (function|const|class) (\w+)/gm)) {
    values.add(name);
    if (kind === 'class') types.add(name);
  }
  for (const [, name = ''] of text.matchAll(/^export (?:interface|type) (\w+)/gm)) types.add(name);
  return { values, types };
}

/** Writes a program in which each value of today is one of the earlier type. */
function compare(published: Readonly<Record<string, string>>): { readonly program: string; readonly count: number } {
  let count = 0;
  const lines = ENTRIES.flatMap((entry, i) => {
    const { values, types } = listExports(published[`old/${entry}.d.ts`] ?? '');
    const name = entry.replace('testing/', '');
    count += values.size + types.size;
    return [
      `import * as Old${i} from './old/${entry}.js';`,
      `import * as New${i} from './new/${toPath(entry)}.js';`,
      ...[...values].map((value) =>
        INVARIANT.includes(`${name} ${value}`)
          ? `New${i}.${value};`
          : `export const ${value}${i}: typeof Old${i}.${value} = New${i}.${value};`,
      ),
      // A type is what a program passes, or what it gets.
      ...[...types].map(
        (type) =>
          `export const type${type}${i}: New${i}.${type} extends Old${i}.${type} ? true : Old${i}.${type} extends New${i}.${type} ? true : '${type}' = true;`,
      ),
    ];
  });
  return { program: lines.join('\n'), count };
}

const COMPILER_OPTIONS = {
  ...{ target: 'es2023', lib: ['es2023', 'esnext.disposable'], module: 'nodenext', types: ['node'], strict: true },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true },
};

/** Compiles the comparison, and returns what the compiler prints. */
function compile(published: Readonly<Record<string, string>>): string {
  const { program } = compare(published);
  const folder = folderOf({
    ...published,
    'compare.ts': program,
    'package.json': { type: 'module' },
    'tsconfig.json': { compilerOptions: COMPILER_OPTIONS, files: ['compare.ts'] },
    'new/.keep': '',
  });
  const members = ['--strip-components=3', '-C', join(folder, 'new'), 'package/dist/types'];
  execFileSync('tar', ['-xzf', inject('packed').tarball, ...members]);
  for (const file of readdirSync(join(folder, 'new'), { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, 'new', file);
    if (file.endsWith('.d.ts')) writeFileSync(path, withoutPrivate(readFileSync(path, 'utf8')));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8', cwd: folder }).stdout;
}

test('what compiled with the types of an earlier commit compiles with the types of today', () => {
  const published = readPublished();
  expect(compare(published).count).toBeGreaterThan(100);
  expect(compile(published)).toBe('');
});

test('the comparison finds a value that is gone, a narrower argument, and a type that is another one', () => {
  const published = readPublished();
  const index = published['old/index.d.ts'] ?? '';
  const added = `${index}
export declare function gone(): void;
`;
  expect(compile({ ...published, 'old/index.d.ts': added })).toMatch(/'gone' does not exist/);
  const connect = (published['old/client/index.d.ts'] ?? '').replace('url: string', 'url: string | number');
  expect(compile({ ...published, 'old/client/index.d.ts': connect })).toMatch(
    /'number' is not assignable to type 'string'/,
  );
  const record = (published['old/sandbox/sandbox-record.d.ts'] ?? '').replace(/name/g, 'title');
  expect(compile({ ...published, 'old/sandbox/sandbox-record.d.ts': record })).toMatch(/'SandboxRecord'/);
});
