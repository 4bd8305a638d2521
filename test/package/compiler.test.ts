import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript/package.json' with { type: 'json' };
import { expect, test } from 'vitest';
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
