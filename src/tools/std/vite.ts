import { findToken, findUrl, readProblem, send } from './place.js';
import { findMetaUrls, findSpecifiers, readsGlobal, type Specifier } from './specifiers.js';

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
  transform?(this: PluginContext, code: string, id?: string): { readonly code: string; readonly map: null } | undefined;
}

const MODULES = 'https://esm.town/v/';
const PACKAGES = 'https://esm.sh/';
/** Ids in Vite: a separate path, with an extension by which Vite knows TypeScript. */
const PREFIX = 'virtual:vals/';

/** The constant `Deno` of modules that read it, as far as a val reads it in Node. Libraries find no global one. */
const DENO = 'virtual:val-emulator/deno';
const DENO_CODE = `
  const only = (members, path) => new Proxy(members, {
    get(target, name) {
      if (typeof name === 'symbol' || name in target) return target[name];
      throw new Error(path + name + ' is not emulated: Deno has env.get and env.toObject here. exec --deno -- deno test has all of it.');
    },
  });
  const env = { get: (name) => process.env[name], toObject: () => ({ ...process.env }) };
  export const Deno = globalThis.Deno ?? only({ env: only(env, 'Deno.env.') }, 'Deno.');`;

/** Returns the package that an address of esm.sh means: `npm:hono/jsx` for `https://esm.sh/hono@4/jsx?dev`. */
const toPackage = (address: string): string => `npm:${new URL(address).pathname.replace(/^\/(?:v\d+\/)?\*?/, '')}`;

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
 * of projects and the standard library. `npm:hono@4` and `https://esm.sh/hono@4` mean the package `hono` of the project. Modules outside of
 * packages have a constant `Deno` with `env.get` and `env.toObject`.
 * @throws NoEmulatorError by their hooks, if no emulator is known or responds
 */
export function valsPlugin(options: ValsOptions = {}): ValsPlugin[] {
  const served = new Map<string, string>();
  return [loadModules(options, served), rewrite(served)];
}

/** Resolves and loads modules by their ids, before Vite looks for files. @param served gets the addresses of modules by id */
function loadModules(options: ValsOptions, served: Map<string, string>): ValsPlugin {
  return {
    name: 'val-emulator',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (id.startsWith(PREFIX) || id === DENO) return id;
      const [, name, path = ''] = /^npm:\/?((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?(\/.*)?$/.exec(id) ?? [];
      const isOfVal = importer?.startsWith(PREFIX) === true;
      // A val has no folder: its packages are those of the project.
      if (name !== undefined) {
        const found = await this.resolve(name + path, isOfVal ? undefined : importer, { skipSelf: true });
        if (found) return found;
        throw new Error(`${id}: the project has no such package. Install it: npm install -D ${name}`);
      }
      return isOfVal && /^\.{0,2}\//.test(id) ? toId(new URL(id, toAddress(importer)).href) : undefined;
    },
    async load(id) {
      if (id === DENO) return DENO_CODE;
      if (!id.startsWith(PREFIX)) return undefined;
      const url = options.url?.replace(/\/+$/, '') ?? findUrl('valsPlugin');
      const token = options.token ?? findToken();
      const address = toAddress(id);
      const headers = { accept: 'application/typescript', ...(token !== '' && { authorization: `Bearer ${token}` }) };
      const response = await send(`${url}/_emulator/esm${address.slice(MODULES.length - '/v/'.length)}`, { headers });
      if (!response.ok) throw new Error(`${address}: ${(await readProblem(response)).message}`);
      // With the version to which it was redirected.
      served.set(id, response.url);
      return await response.text();
    },
  };
}

/**
 * Replaces the addresses in imports and in calls such as `vi.mock` with ids, since Vite asks no plugin for the id of a URL. By its
 * `import.meta.url`, which is replaced too, a val finds the emulator and its files. After all other plugins, so that TypeScript, JSX and single-file components are JavaScript. Vitest may move the calls before or after.
 */
const rewrite = (served: ReadonlyMap<string, string>): ValsPlugin => ({
  name: 'val-emulator:imports',
  enforce: 'post',
  transform(code, id = '') {
    const address = served.get(id);
    const hasMeta = address !== undefined && code.includes('import.meta');
    const mayReadDeno = code.includes('Deno') && !id.includes('/node_modules/') && id !== DENO;
    const hasAddress = code.includes(MODULES) || code.includes(PACKAGES);
    const ast = hasMeta || mayReadDeno || hasAddress ? tryParse(this, code) : undefined;
    const changes: Specifier[] = [
      ...findSpecifiers(ast).flatMap(({ value, ...range }) => {
        if (value.startsWith(MODULES)) return [{ ...range, value: toId(value) }];
        return value.startsWith(PACKAGES) ? [{ ...range, value: toPackage(value) }] : [];
      }),
      ...(hasMeta ? findMetaUrls(ast).map((range) => ({ ...range, value: address })) : []),
    ];
    const added = mayReadDeno && readsGlobal(ast, 'Deno') ? `import { Deno } from ${JSON.stringify(DENO)};` : '';
    let rewritten = '';
    let end = 0;
    for (const change of changes.sort((one, other) => one.start - other.start)) {
      // An id is seldom longer than its address: spaces keep the columns of a stack.
      const text = JSON.stringify(change.value).padEnd(change.end - change.start);
      rewritten += code.slice(end, change.start) + text;
      end = change.end;
    }
    const isChanged = end > 0 || added !== '';
    return isChanged ? { code: added + rewritten + code.slice(end), map: null } : undefined;
  },
});

/** Undefined for a style sheet and the like, and for an error of syntax, which Vite reports. */
function tryParse(context: PluginContext, code: string): unknown {
  try {
    return context.parse(code);
  } catch {
    return undefined;
  }
}
