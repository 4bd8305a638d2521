// Builds the dashboard: a page without a dependency at run time, in dist/dashboard.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from './rolldown.js';

const SOURCE = 'dashboard';
const TARGET = 'dist/dashboard';

const VIEWS = join(import.meta.dirname, '..', SOURCE, 'src/pages/data/views');

/** Finds the views of records by the names of their files: `views/likes.tsx` exports `likes`, the view of this collection. */
const views = {
  name: 'views',
  resolveId: (id) => (id === 'virtual:views' ? `\0${id}` : undefined),
  load(id) {
    if (id !== '\0virtual:views') return undefined;
    const names = readdirSync(VIEWS).map((file) => basename(file, '.tsx'));
    const imports = names.map((name) => `import { ${name} } from ${JSON.stringify(join(VIEWS, `${name}.tsx`))};`);
    return [...imports, `export const views = { ${names.join(', ')} };`].join('\n');
  },
};

/** @param plugins of every bundle */
export async function buildDashboard(plugins = []) {
  rmSync(TARGET, { recursive: true, force: true });
  const bundle = (file, entryFileNames, define = {}) =>
    build({
      input: join(SOURCE, 'src', file),
      platform: 'browser',
      plugins: [views, ...plugins],
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
