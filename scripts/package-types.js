// The types of the package: the declarations that its entries reach, and no others.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const TYPES = 'dist/types';
/** Plain schemas stand in the place of TypeBox, which is bundled. */
const TYPEBOX = 'typebox.d.ts';
const SOURCES = { [TYPEBOX]: 'scripts/plain-schemas.d.ts' };

/** Copies the declarations from `build/types`, and returns their texts. */
export function packTypes() {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = [...JSON.stringify(exports).matchAll(/"\.\/dist\/types\/([^"]+)"/g)].map(([, name]) => name);
  const names = new Set([...entries, TYPEBOX]);
  rmSync(TYPES, { recursive: true, force: true });
  const texts = [];
  // A set also iterates over the names that are added in its loop.
  for (const name of names) {
    const folder = relative(dirname(name), '.').replaceAll('\\', '/') || '.';
    const text = readFileSync(SOURCES[name] ?? join('build/types', name), 'utf8').replace(
      /(from |import\()(['"])(typebox|[.#][^'"]*)\2/g,
      (_, start, quote, from) => {
        const path =
          from === 'typebox' ? `${folder}/${TYPEBOX.replace('.d.ts', '.js')}` : from.replace('#', `${folder}/`);
        names.add(join(dirname(name), path).replace(/\.js$/, '.d.ts'));
        return `${start}${quote}${path}${quote}`;
      },
    );
    mkdirSync(join(TYPES, dirname(name)), { recursive: true });
    writeFileSync(join(TYPES, name), text);
    texts.push(text);
  }
  return texts;
}
