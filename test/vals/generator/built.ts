import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
export const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** Compiles the generator to a temporary folder, for processes that cannot read TypeScript. */
export function buildGenerator(): { readonly entry: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'generator-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  // The themes: modules are three folders below the root, as in the package.
  symlinkSync(join(ROOT, 'fixtures'), join(folder, 'fixtures'), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports: { '#*': './out/*' } }));
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      rootDir: join(ROOT, 'src'),
      outDir: join(folder, 'out'),
      types: [],
    },
    files: [join(ROOT, 'src/vals/generator/index.ts')],
    include: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [TSC, '-p', folder]);
  const entry = join(folder, 'out/vals/generator/index.js');
  return { entry, remove: () => rmSync(folder, { recursive: true }) };
}
