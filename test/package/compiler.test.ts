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

test('a wrong value of a record to add is an error of that value, also in a list and of a remote sandbox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const calls = [
    "{ author: 'ada', code: '1', privacy: 'secret' }",
    "[{ author: 'ada', code: '1', privacy: 'secret' }]",
  ];
  const imports = [
    ['Sandbox', 'src/emulator.js'],
    ['RemoteSandbox', 'src/tools/client/sandbox.js'],
  ].map(([name, path = '']) => `import type { ${name} } from ${JSON.stringify(join(ROOT, path))};`);
  const lines = ['local', 'remote'].flatMap((name) => calls.map((call) => `${name}.add.val(${call});`));
  const file = join(folder, 'test.mts');
  writeFileSync(file, [...imports, 'declare const local: Sandbox, remote: RemoteSandbox;', ...lines].join('\n'));
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--pretty',
    'false',
  ];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--resolveJsonModule'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, ...flags, ...types, file], { encoding: 'utf8' });
  // Since TypeScript 7: the error of the last overload, at the value.
  const found = [...stdout.matchAll(/test\.mts\((\d+),(\d+)\): [^\n]*\n[^\n]*\n +(.*)/g)];
  expect(found.map(([, line, column]) => [line, column])).toEqual(
    lines.map((line, i) => [`${i + 4}`, `${line.indexOf('privacy') + 1}`]),
  );
  for (const [, , , message] of found)
    expect(message).toMatch(/^Type '"secret"' is not assignable to type '.*"private"/);
});
