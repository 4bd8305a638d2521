// Builds the dashboard: a page without a dependency at run time, in dist/dashboard.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const SOURCE = 'dashboard';
const TARGET = 'dist/dashboard';

/** @param plugins of every bundle */
export async function buildDashboard(plugins = []) {
  await build({
    input: { app: join(SOURCE, 'src/main.tsx') },
    platform: 'browser',
    plugins,
    tsconfig: join(SOURCE, 'tsconfig.json'),
    transform: { target: 'es2022' },
    output: {
      dir: TARGET,
      cleanDir: true,
      minify: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  });
  mkdirSync(TARGET, { recursive: true });
  for (const file of ['index.html', 'icon.svg']) cpSync(join(SOURCE, file), join(TARGET, file));
  const styles = readdirSync(join(SOURCE, 'styles')).sort();
  writeFileSync(
    join(TARGET, 'style.css'),
    styles.map((file) => readFileSync(join(SOURCE, 'styles', file), 'utf8')).join('\n'),
  );
}

if (process.argv[1]?.endsWith('dashboard.js')) await buildDashboard();
