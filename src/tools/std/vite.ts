import { findToken, findUrl, readProblem } from './place.js';

export interface ValsOptions {
  /** URL of the running emulator, or of a sandbox of it. Default: `VAL_EMULATOR_URL` */
  readonly url?: string | undefined;
  /** Token of the user whose private vals are found. Default: `valtown`, `VAL_TOWN_API_KEY` or `VAL_EMULATOR_TOKEN` */
  readonly token?: string | undefined;
}

/** The part of a context of Vite that the plugin calls. */
interface ResolveContext {
  resolve(id: string, importer?: string, options?: { readonly skipSelf?: boolean }): Promise<unknown>;
}

/** A plugin of Vite, as far as this one is. */
export interface ValsPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  resolveId(this: ResolveContext, id: string, importer?: string): Promise<unknown>;
  load(id: string): Promise<string | undefined>;
  transform(code: string): { readonly code: string; readonly map: null } | undefined;
}

const MODULES = 'https://esm.town/v/';
/** The address of a module after the words that import it. */
const IMPORT = /(\b(?:from|import)\s*\(?\s*)(["'])(https:\/\/esm\.town\/v\/[^"'\s]+)\2/g;
/** Ids in Vite: a separate path, with an extension by which Vite knows TypeScript. */
const PREFIX = 'virtual:vals/';

/** Returns the id of a module. The address is without its query, which Vite reads itself. */
function toId(address: string): string {
  const { pathname, searchParams } = new URL(address);
  const version = searchParams.get('v');
  const path = `${PREFIX}${pathname.slice('/v/'.length)}`;
  const ending = /\.[mc]?[jt]sx?$|\.json$/.exec(path)?.[0] ?? '';
  const start = ending === '' ? path : path.slice(0, -ending.length);
  // A val of /v1 has no extension, and may have JSX.
  return `${start}${version === null ? '' : `;v=${version}`}${ending === '' ? ';.tsx' : ending}`;
}

/** Returns the address of a module with an id. */
function toAddress(id: string): string {
  const [, start = '', version, ending = ''] = /^(.*?)(?:;v=(\d+))?((?:;\.tsx)?|\.\w+)$/s.exec(id) ?? [];
  const query = version === undefined ? '' : `?v=${version}`;
  return `${MODULES}${start.slice(PREFIX.length)}${ending === ';.tsx' ? '' : ending}${query}`;
}

/**
 * Makes a plugin of Vite and vitest that finds the modules of vals in a running emulator: `https://esm.town/v/ada/hello`, files
 * of projects and the standard library. `npm:hono@4` means the package `hono` of the project.
 * @throws NoEmulatorError by its hooks, if no emulator is known or responds
 */
export function valsPlugin(options: ValsOptions = {}): ValsPlugin {
  return {
    name: 'val-emulator',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (id.startsWith(PREFIX)) return id;
      const [, name, path = ''] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/.exec(id) ?? [];
      const isOfVal = importer?.startsWith(PREFIX) === true;
      // A val has no folder: its packages are those of the project.
      if (name !== undefined)
        return await this.resolve(name + path, isOfVal ? undefined : importer, { skipSelf: true });
      return isOfVal && /^\.{0,2}\//.test(id) ? toId(new URL(id, toAddress(importer)).href) : undefined;
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return undefined;
      const url = options.url?.replace(/\/+$/, '') ?? findUrl('valsPlugin');
      const token = options.token ?? findToken();
      const address = toAddress(id);
      const served = `${url}/_emulator/esm${address.slice(MODULES.length - '/v/'.length)}`;
      const response = await fetch(served, token === '' ? {} : { headers: { authorization: `Bearer ${token}` } });
      if (!response.ok) throw new Error(`${address}: ${(await readProblem(response)).message}`);
      const code = await response.text();
      // The standard library reads from its address which emulator has served it.
      return address.startsWith(`${MODULES}std/`) ? code.replaceAll('import.meta.url', JSON.stringify(served)) : code;
    },
    // Vite asks no plugin for the id of a URL.
    transform(code) {
      if (!code.includes(MODULES)) return undefined;
      const toImport = (_: string, words: string, quote: string, address: string) =>
        words + quote + toId(address) + quote;
      return { code: code.replaceAll(IMPORT, toImport), map: null };
    },
  };
}
