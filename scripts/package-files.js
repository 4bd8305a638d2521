// The files of the package that its programs read, as modules in dist/files: a module is found wherever the package is, and a
// bundler follows it. Each is loaded when it is read.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { minifySync } from 'rolldown/utils';
import { BUILD } from './bundle-plugins.js';
import { THREAD } from './thread.js';

const ROOT = join(BUILD, '..');
const TARGET = 'dist/files';

const { ENGINE, toScript } = await import(pathToFileURL(join(BUILD, 'vals/sqlite/engine-files.js')).href);

/** The modules of the standard library with declarations. */
const STANDARD = ['api-url', 'blob', 'email', 'fetch', 'oauth', 'rpc', 'sqlite', 'sqlite-main', 'utils'];
/** Texts, folders of texts, and bytes. */
const FILES = [
  ...readdirSync(join(ROOT, 'fixtures')).map((name) => `fixtures/${name}`),
  ...['openapi', 'openapi-control', 'openapi-spec-only'].map((name) => `docs/${name}.json`),
  'dist/dashboard',
  'dist/preload/node.cjs',
  THREAD,
  ...[...STANDARD, 'test'].map((name) => `dist/std/${name}.js`),
  ...[...STANDARD, 'sqlite-requests', 'types'].map((name) => `dist/types/tools/std/${name}.d.ts`),
  ...Object.values(ENGINE),
];

/** Characters of a module from which it is compressed. Smaller ones, such as the default dataset, load faster as they are. */
const LARGE = 100_000;

/** Reads a file, and makes it smaller. */
function read(path) {
  const bytes = readFileSync(join(ROOT, path));
  const text = bytes.toString();
  if (path === ENGINE.script) return minifySync('engine.js', toScript(text)).code;
  if (path.endsWith('.wasm')) return bytes;
  return path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text;
}

/** Reads the files of a folder, without those that are there compressed as well. */
function readFolder(path) {
  const names = readdirSync(join(ROOT, path)).sort();
  const needed = names.filter((name) => !names.includes(`${name}.br`));
  return Object.fromEntries(needed.map((name) => [name, read(`${path}/${name}`)]));
}

/** Returns the name of a module: `docs-openapi` for docs/openapi.json. */
const flatName = (path) =>
  (path.startsWith('node_modules/') ? basename(path) : path).replace(/\.[cm]?js(?:on)?$/, '').replaceAll('/', '-');

/** Returns the code of a text, an object or bytes. */
function toCode(content) {
  if (Buffer.isBuffer(content)) return decompress(content);
  const code = JSON.stringify(content);
  return code.length < LARGE ? code : `JSON.parse(${decompress(code)})`;
}

const decompress = (content) =>
  `process.getBuiltinModule('node:zlib').brotliDecompressSync(Buffer.from('${brotliCompressSync(content).toString('base64')}', 'base64'))`;

/** Writes the modules. */
export function packFiles() {
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET);
  for (const path of FILES) {
    const content = statSync(join(ROOT, path)).isDirectory() ? readFolder(path) : read(path);
    writeFileSync(join(TARGET, `${flatName(path)}.cjs`), `module.exports = ${toCode(content)};\n`);
  }
}

const { version, homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const load = (path) => `${JSON.stringify(path)}: () => require('../files/${flatName(path)}.cjs')`;

/** Takes the place of build/engine/platform/package-files.js. */
const MODULE = `
import { existsSync } from 'node:fs';
import { join } from 'node:path';
const FILES = {
  'package.json': () => ${JSON.stringify(JSON.stringify({ version, homepage }))},
  ${FILES.map(load).join(',\n')}
};
const read = (path) => FILES[path]();
export const readText = read;
export const readFolder = read;
export const readBytes = read;
export function findFile(path) {
  // A bundler that makes an ES module leaves the name undefined. Only Yarn reads from an archive of Plug'n'Play.
  const isFolder = typeof __dirname === 'string' && process.versions.pnp === undefined;
  const found = isFolder && join(__dirname, '../..', path);
  return found && existsSync(found) ? found : undefined;
}
`;
const REPLACED = join(BUILD, 'engine/platform/package-files.js');

export const packageFiles = {
  name: 'package-files',
  resolveId: (id) => (/^\.\.\/files\//.test(id) ? { id, external: true } : undefined),
  load: (id) => (id === REPLACED ? MODULE : undefined),
};
