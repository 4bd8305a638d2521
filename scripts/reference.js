// The page of the API reference: the files of dashboard/reference and of Swagger UI, which work without a network.

import { cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '..');

/** Writes the files of the page. @param folder default: `dist/reference` */
export function copyReference(folder = join(ROOT, 'dist/reference')) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'dashboard/reference'), folder, { recursive: true });
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
    cpSync(require.resolve(`swagger-ui-dist/${file}`), join(folder, file));
  }
}
