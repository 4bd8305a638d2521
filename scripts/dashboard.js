// Builds the dashboard: a page without a dependency at run time, in dist/dashboard.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from './rolldown.js';

const SOURCE = 'dashboard';
const TARGET = 'dist/dashboard';

/** @param plugins of every bundle */
export async function buildDashboard(plugins = []) {
  rmSync(TARGET, { recursive: true, force: true });
  const bundle = (file, entryFileNames, define = {}) =>
    build({
      input: join(SOURCE, 'src', file),
      platform: 'browser',
      plugins,
      tsconfig: join(SOURCE, 'tsconfig.json'),
      transform: { target: 'es2022', define },
      output: { dir: TARGET, minify: true, entryFileNames, chunkFileNames: '[name]-[hash].js' },
    });
  const {
    output: [worker],
  } = await bundle('worker.ts', 'worker-[hash].js');
  await bundle('main.tsx', 'app.js', { WORKER: JSON.stringify(worker.fileName) });
  for (const file of ['index.html', 'icon.svg']) cpSync(join(SOURCE, file), join(TARGET, file));
  const styles = readdirSync(join(SOURCE, 'styles')).sort();
  writeFileSync(
    join(TARGET, 'style.css'),
    styles.map((file) => readFileSync(join(SOURCE, 'styles', file), 'utf8')).join('\n'),
  );
  // As texts in base64, since files of the package are read as texts.
  for (const name of readdirSync(TARGET)) {
    const bytes = readFileSync(join(TARGET, name));
    writeFileSync(join(TARGET, `${name}.br`), brotliCompressSync(bytes).toString('base64'));
  }
}

if (process.argv[1]?.endsWith('dashboard.js')) await buildDashboard();
