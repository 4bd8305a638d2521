import { readBytes, readText } from '#engine/platform/package-files.js';

const FOLDER = 'node_modules/@sqlite.org/sqlite-wasm/sqlite-wasm/jswasm';

/** The files of the engine: an ES module, and the engine in WebAssembly. */
export const ENGINE = { script: `${FOLDER}/sqlite3-node.mjs`, binary: `${FOLDER}/sqlite3.wasm` };

/**
 * Converts the module to a script, which runs in any context without a loader of modules. It has the parameters `module` and
 * `require`. A script stays unchanged.
 */
export const toScript = (text: string): string =>
  text
    .replace(/^import .*\nconst require = .*$/m, '')
    // Where it would look for the other file, which it is given.
    .replaceAll('import.meta.url', "'data:'")
    .replace(/^export default (\w+);$/m, 'module.exports = $1;');

export interface EngineFiles {
  readonly script: string;
  readonly binary: Uint8Array<ArrayBuffer>;
  /** The binary as an earlier thread has compiled it, a module of WebAssembly. */
  readonly compiled?: object | undefined;
}

export const readEngine = (): EngineFiles => ({
  script: toScript(readText(ENGINE.script)),
  binary: readBytes(ENGINE.binary),
});
