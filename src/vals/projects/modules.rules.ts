import { ApiError } from '#engine/lib/errors.js';
import { JAVASCRIPT, TYPESCRIPT } from '#engine/lib/media-types.js';
import { didYouMean } from '#engine/lib/messages.js';
import { encodePath } from '#engine/lib/target.js';
import type { Instant } from '#engine/lib/time.js';
import { readText } from '#engine/platform/package-files.js';
import { hasScope, identify, nameScopes } from '#engine/state/callers.js';
import { missingScope, unauthorized } from '#engine/state/errors.js';
import { branchNotFound, notAFile } from '#vals/lib/errors.rules.js';
import type { State } from '#vals/lib/state.collection.js';
import type { User } from '#vals/users/users.collection.js';
import { getValByName } from '#vals/vals/vals.rules.js';
import { getVersion } from '#vals/vals/versions.rules.js';
import { getTree } from './branches.rules.js';
import { getText } from './file-records.collection.js';
import { getFile } from './files.rules.js';
import { findBranchByName } from './names.collection.js';
import { type Branch, MAIN, type Project } from './project-records.collection.js';
import { getProjectByName } from './projects.rules.js';

// The modules of esm.town: vals by name, files of projects, and the standard library.

/** The modules of the standard library, by their paths on the service. Files of `dist/std`. */
const STANDARD: Readonly<Record<string, string>> = {
  sqlite: 'sqlite',
  'sqlite/global': 'sqlite',
  'sqlite/main': 'sqlite-main',
  blob: 'blob',
  'blob/main': 'blob',
  'blob/global': 'blob',
  email: 'email',
  'email/main': 'email',
  fetch: 'fetch',
  'oauth/middleware': 'oauth',
  rpc: 'rpc',
  ...Object.fromEntries(
    [
      '',
      '/index',
      '/file',
      '/is-main',
      '/parseimportmeta',
      '/serve-file',
      '/serve-immutable-file',
      '/static',
      '/test',
    ].map((file) => [`utils${file}`, 'utils']),
  ),
  api_url: 'api-url',
  'api-url': 'api-url',
  valtownbloberror: 'blob',
  valtownblobnotfounderror: 'blob',
  test: 'test',
};

/** Modules with declarations, and what these import. Those of `test` are of the whole client, so its types are inferred. */
const DECLARED = ['sqlite-requests', 'types', ...Object.values(STANDARD).filter((name) => name !== 'test')];

const TSX = 'text/tsx; charset=utf-8';
/** Media types by the ending of a path. */
const TYPES: Readonly<Record<string, string>> = {
  ts: TYPESCRIPT,
  mts: TYPESCRIPT,
  tsx: TSX,
  jsx: 'text/jsx; charset=utf-8',
  js: JAVASCRIPT,
  mjs: JAVASCRIPT,
  json: 'application/json; charset=utf-8',
};
const PLAIN = 'text/plain; charset=utf-8';

interface ModulePath {
  /** A random part of the address, by which a program that keeps modules takes it for another one. */
  readonly epoch: string | undefined;
  readonly author: string;
  /** With its version, or an extension. */
  readonly name: string;
  /** Of a file of a project. Empty for a val of /v1. */
  readonly file: string;
}

/** Splits the path of a module: `v/ada/hello`, `v/ada/site@3-main/main.ts`. @throws ApiError 404 */
export function readModulePath(path: string): ModulePath {
  const [, epoch, author = '', name = '', file = ''] =
    /^(?:([\da-f-]{36})\/)?v\/@?([^/]+)\/([^/]+)(?:\/(.*))?$/s.exec(path) ?? [];
  if (author !== '') return { epoch, author, name, file };
  throw new ApiError(404, `No module at ${path}: expected v/AUTHOR/NAME, or v/AUTHOR/PROJECT/FILE`);
}

export interface ModuleRequest extends Omit<ModulePath, 'epoch'> {
  /** Of the query. */
  readonly version: number | undefined;
  readonly token: string | undefined;
  readonly now: Instant;
}

interface Code {
  readonly code: string;
  /** Media type. */
  readonly type: string;
  /** Path of the declarations of a JavaScript module, in the form of a module path. */
  readonly declarations?: string | undefined;
}

/** A module, or the path and query of the version that an address means, percent-encoded. */
type Found = Code | { readonly location: string };

/**
 * Finds the code of a module. An address without a version leads to the one with the latest.
 * @throws ApiError 401 for an unknown token, 403 for one that may not read vals, 404 for what the caller cannot read
 */
export function findModule(state: State, request: ModuleRequest): Found {
  const { author, file, token, now } = request;
  if (author === 'std') return findStandard(request);
  const { caller, credential, expiredAt } = identify(state, token, now);
  if (token !== undefined && !caller) throw unauthorized(true, expiredAt);
  const scope = file === '' ? 'val:read' : 'project:read';
  if (!hasScope(state, credential, scope)) throw missingScope(nameScopes(state, scope));
  const user = caller && state.users.get(caller.id);
  try {
    return file === '' ? findVal(state, request, user) : findFile(state, request, user);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw missingModule(error, request);
    throw error;
  }
}

/** Names the lines that map or seed a module. A test needs one of them. */
function missingModule({ message }: ApiError, { author, name, file }: ModuleRequest): ApiError {
  const plain = name.replace(/@.*$/, '');
  const path = [author, plain, file].filter((part) => part !== '').join('/');
  const own = `"https://esm.town/v/${path}": "./test/${(file || plain).replace(/^.*\/|\.\w+$/g, '')}.ts"`;
  const [bare = plain] = plain.split('.');
  const seeded =
    file === ''
      ? `"vals": [{ "author": "${author}", "name": "${bare}", "code": "…" }]`
      : `"projects": [{ "owner": "${author}", "name": "${plain}", "files": { "${file}": "…" } }]`;
  return new ApiError(
    404,
    `${message} at https://esm.town/v/${path}. Map it to a module of yours in imports: ${own}; or seed it in fixtures: ${seeded}`,
  );
}

function findStandard({ name, file }: ModuleRequest): Code {
  const path = [name.replace(/@.*$/, ''), file].filter((part) => part !== '').join('/');
  const known = path.toLowerCase().replace(/\.[jt]sx?$/, '');
  if (path === 'test.ts') return HELPER;
  const declared = /^types\/(.+)\.d$/.exec(known)?.[1];
  if (declared !== undefined && DECLARED.includes(declared)) return readDeclarations(declared);
  const module = Object.hasOwn(STANDARD, known) ? STANDARD[known] : undefined;
  if (module !== undefined) {
    const declarations = DECLARED.includes(module) ? `v/std/types/${module}.d.ts` : undefined;
    return { code: readText(`dist/std/${module}.js`), type: JAVASCRIPT, declarations };
  }
  const hint = didYouMean(known, Object.keys(STANDARD));
  const line = `"https://esm.town/v/std/${path}": "./test/${path.replace(/\W.*$/, '')}.ts"`;
  throw new ApiError(404, `std/${path} is not emulated.${hint} Map it to a module of yours in imports: ${line}`);
}

/** The types that are global on the service, which a program has with any module of the standard library. */
const refer = (path: string): string => `/// <reference types="${path}" />\n`;

/** The helper for tests in TypeScript, with these types. */
const HELPER: Code = { code: `${refer('./types/types.d.ts')}export * from './test.js';\n`, type: TYPESCRIPT };

/** Deno finds the declarations of others by their own endings. */
function readDeclarations(name: string): Code {
  const text = readText(`dist/types/tools/std/${name}.d.ts`).replaceAll(/(from '\.\/[\w-]+)\.js'/g, "$1.d.ts'");
  return { code: name === 'types' ? text : refer('./types.d.ts') + text, type: TYPESCRIPT };
}

function findVal(state: State, { author, name, version }: ModuleRequest, caller: User | undefined): Found {
  const [, plain = name, ending, at] = /^([^.@]+)(?:\.([jt]sx?))?(?:@(\d+))?$/.exec(name) ?? [];
  const val = getValByName(state, author, plain, caller);
  const wanted = version ?? (at === undefined ? undefined : Number(at));
  if (wanted === undefined) return { location: `${encodePath(`${author}/${name}`)}?v=${val.latest.version}` };
  const { code } = getVersion(state, val, wanted);
  // A val has no extension by which JSX is known.
  const isTsx = /@jsx(?:ImportSource)?\b/.test(code);
  return { code, type: (ending !== undefined && TYPES[ending]) || (isTsx ? TSX : TYPESCRIPT) };
}

function findFile(state: State, { author, name, file, version }: ModuleRequest, caller: User | undefined): Found {
  const [, plain = name, at, branchName = MAIN] = /^(.+?)@(?:(\d+)(?:-|$))?(.+)?$/.exec(name) ?? [];
  const project = getProjectByName(state, author, plain, caller);
  const branch = getBranchByName(state, project, branchName);
  const wanted = version ?? (at === undefined ? undefined : Number(at));
  const found = getFile(getTree(state, branch, wanted ?? branch.version), file);
  if (found.hash === null) throw notAFile(file);
  if (wanted === undefined)
    return { location: encodePath(`${author}/${plain}@${branch.version}-${branch.name}/${file}`) };
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return { code: getText(state, found), type: (Object.hasOwn(TYPES, ending) && TYPES[ending]) || PLAIN };
}

/** @throws ApiError 404 */
function getBranchByName(state: State, project: Project, name: string): Branch {
  const branch = findBranchByName(state, project.id, name);
  if (!branch) throw branchNotFound(`${project.id}@${name}`);
  return branch;
}
