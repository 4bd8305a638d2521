import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import typescript from 'typescript/package.json' with { type: 'json' };
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './pack.js';

test('the scripts run the TypeScript of package.json, not the one of a dependency', () => {
  const scripts = readdirSync(join(ROOT, 'scripts')).filter((name) => name.endsWith('.js'));
  const compilers = scripts.flatMap((name) =>
    [...readFileSync(join(ROOT, 'scripts', name), 'utf8').matchAll(/'(?:\.\.\/)?([^'\s]*\btsc)'/g)].map(
      ([, path]) => path,
    ),
  );

  expect(compilers.length).toBeGreaterThanOrEqual(3);
  expect(new Set(compilers)).toEqual(new Set(['node_modules/typescript/bin/tsc']));
  const version = execFileSync('node', ['node_modules/typescript/bin/tsc', '-v'], { cwd: ROOT, encoding: 'utf8' });
  expect(version).toBe(`Version ${typescript.version}\n`);
});

/** What a program writes, the value that is wrong, and the first line of the error, at this value. */
const WRONG: [call: string, at: string, error: string | RegExp][] = [
  ...['local', 'remote'].flatMap((name): [string, string, string | RegExp][] => {
    const value = `error TS2820: Type '"publik"' is not assignable to type '"private" | "public" | "unlisted" | undefined'. Did you mean '"public"'?`;
    const key =
      /^error TS2\d{3}: Object literal may only specify known properties, (?:and|but) 'privcy' does not exist in type/;
    return [
      [`${name}.add.val({ author: 'ada', name: 'a', privacy: 'publik' });`, 'privacy', value],
      [`${name}.add.val([{ author: 'ada', name: 'a', privacy: 'publik' }]);`, 'privacy', value],
      [`${name}.add.val({ author: 'ada', name: 'a', privcy: 'public' });`, 'privcy', key],
      [`${name}.add.val([{ author: 'ada', name: 'a', privcy: 'public' }]);`, 'privcy', key],
      [`${name}.add.val({ author: 'ada' });`, '{ author', /^error TS2741: Property 'name' is missing in type/],
      [
        `${name}.add.val({ author: 1, name: 'a' });`,
        'author',
        "error TS2322: Type 'number' is not assignable to type 'string'.",
      ],
    ];
  }),
  [
    "createEmulator({ fixtures: { vals: [{ author: 'ada', name: 'a', privacy: 'publik' }] } });",
    'privacy',
    /^error TS2820: Type '"publik"'.* Did you mean '"public"'\?$/,
  ],
  [
    "createEmulator({ fixtures: { vals: [{ author: 'ada' }] } });",
    '{ author',
    /^error TS2741: Property 'name' is missing/,
  ],
  [
    'createEmulator({ fixtures: { vls: [] } });',
    'vls',
    /'vls' does not exist in type 'Fixtures'. Did you mean to write 'vals'\?$/,
  ],
];

test('the error of a wrong record begins with what is wrong, also in a list and of a remote sandbox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const imports = [
    ['{ createEmulator, type Sandbox }', 'src/emulator.js'],
    ['{ type RemoteSandbox }', 'src/tools/client/sandbox.js'],
  ].map(([names, path = '']) => `import ${names} from ${JSON.stringify(join(ROOT, path))};`);
  const right = [
    "const one: string = local.add.val({ author: 'ada', name: 'a' }).id;",
    "const many: string[] = local.add.val([{ author: 'ada', name: 'a' }]).map(({ id }) => id);",
    "const later: Promise<string[]> = remote.add.val([{ author: 'ada', name: 'a' }]).then((vals) => vals.map(({ id }) => id));",
  ];
  const file = join(folder, 'test.mts');
  const head = [...imports, 'declare const local: Sandbox, remote: RemoteSandbox;', ...right];
  writeFileSync(file, [...head, ...WRONG.map(([call]) => call)].join('\n'));
  const flags = '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --pretty false'.split(' ');
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--resolveJsonModule'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, ...types, file], { encoding: 'utf8' });
  const found = [...stdout.matchAll(/test\.mts\((\d+),(\d+)\): (.*)/g)].map(([, ...parts]) => parts);

  expect(found).toEqual(
    WRONG.map(([call, at, error], i) => [
      `${head.length + 1 + i}`,
      `${call.indexOf(at) + 1}`,
      typeof error === 'string' ? error : expect.stringMatching(error),
    ]),
  );
});
