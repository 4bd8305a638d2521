import { findToken, findUrl, readProblem } from './place.js';
import { findSpecifiers } from './specifiers.js';

export interface ValsOptions {
  /** URL of the running emulator, or of a sandbox of it. Default: `VAL_EMULATOR_URL` */
  readonly url?: string | undefined;
  /** Token of the user whose private vals are found. Default: `valtown`, `VAL_TOWN_API_KEY` or `VAL_EMULATOR_TOKEN` */
  readonly token?: string | undefined;
}

/** The part of a context of Vite that the hooks call. */
interface PluginContext {
  resolve(id: string, importer?: string, options?: { readonly skipSelf?: boolean }): Promise<unknown>;
  parse(code: string): unknown;
}

/** A plugin of Vite, as far as these are. */
export interface ValsPlugin {
  readonly name: string;
  readonly enforce: 'pre' | 'post';
  resolveId?(this: PluginContext, id: string, importer?: string): Promise<unknown>;
  load?(id: string): Promise<string | undefined>;
  transform?(this: PluginContext, code: string): { readonly code: string; readonly map: null } | undefined;
}

const MODULES = 'https://esm.town/v/';
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
 * Makes plugins of Vite and vitest that find the modules of vals in a running emulator: `https://esm.town/v/ada/hello`, files
 * of projects and the standard library. `npm:hono@4` means the package `hono` of the project.
 * @throws NoEmulatorError by their hooks, if no emulator is known or responds
 */
export const valsPlugin = (options: ValsOptions = {}): ValsPlugin[] => [loadModules(options), REWRITE];

/** Resolves and loads modules by their ids, before Vite looks for files. */
function loadModules(options: ValsOptions): ValsPlugin {
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
  };
}

/**
 * Replaces the addresses in imports and in calls such as `vi.mock` with ids, since Vite asks no plugin for the id of a URL. After
 * all other plugins, so that TypeScript, JSX and single-file components are JavaScript. Vitest may move the calls before or after.
 */
const REWRITE: ValsPlugin = {
  name: 'val-emulator:imports',
  enforce: 'post',
  transform(code) {
    const specifiers = code.includes(MODULES) ? findSpecifiers(tryParse(this, code)) : [];
    let rewritten = '';
    let end = 0;
    for (const specifier of specifiers) {
      if (!specifier.value.startsWith(MODULES)) continue;
      const text = code.slice(specifier.start, specifier.end);
      const id = JSON.stringify(toId(specifier.value));
      // An id is seldom longer than its address: spaces keep the columns of a stack.
      rewritten += code.slice(end, specifier.start) + id.padEnd(text.length);
      end = specifier.end;
    }
    return end === 0 ? undefined : { code: rewritten + code.slice(end), map: null };
  },
};

/** Undefined for a style sheet and the like, and for an error of syntax, which Vite reports. */
function tryParse(context: PluginContext, code: string): unknown {
  try {
    return context.parse(code);
  } catch {
    return undefined;
  }
}
