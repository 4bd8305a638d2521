// Builds the dashboard: a page without a dependency at run time, in dist/dashboard.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const SOURCE = 'dashboard';
const TARGET = 'dist/dashboard';

/** Collects the licenses of the packages that the bundles contain, which ask for it. */
const licenses = {
  name: 'licenses',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = modules.flatMap(
      (id) => /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replaceAll('\\', '/'))?.[1] ?? [],
    );
    const texts = [...new Set(folders)].sort().map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      if (file === undefined) throw new Error(`${name} has no license file`);
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    });
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
  },
};

export async function buildDashboard() {
  await build({
    input: { app: join(SOURCE, 'src/main.tsx') },
    platform: 'browser',
    plugins: [licenses],
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
