import { findPlace, findToken, findUrl, readJson, readProblem, readVariable, SERVED, send } from './place.js';

/** What an address says of the file of a project: the `import.meta.url` of a val. */
export interface ValInfo {
  readonly owner: string;
  readonly username: string;
  readonly name: string;
  /** Of the branch. 0 for an address without one, such as a folder's address: the latest. */
  readonly version: number;
  readonly branch: string;
  /** The path of the file in the project. */
  readonly path: string;
  readonly links: { readonly self: { readonly val: string; readonly project: string } };
}

/** A file or a directory of a project, as the API lists it. */
export interface ProjectFile {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly version: number;
  readonly links: {
    readonly self: string;
    readonly html: string;
    readonly module: string;
    readonly endpoint?: string;
    readonly email?: string;
  };
}

interface Project extends ValInfo {
  /** Of the emulator or the sandbox that has it. */
  readonly url: string;
  readonly token: string;
}

const MAIN = 'main';
const IMMUTABLE = '/__immutable/';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/javascript',
  mts: 'text/javascript',
  tsx: 'text/javascript',
  jsx: 'text/javascript',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  svg: 'image/svg+xml',
};
const PLAIN = 'text/plain; charset=utf-8';

/** Returns the media type of a file by its ending. Code of TypeScript and JSX is served as JavaScript. */
export function getContentType(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(TYPES, ending) && TYPES[ending]) || PLAIN;
}

/** Reads the folders that are projects of the emulator, by their addresses. */
function readFolders(): [string, string][] {
  const value: unknown = JSON.parse(readVariable('VAL_EMULATOR_PROJECTS') ?? '{}');
  return Object.entries(typeof value === 'object' && value !== null ? value : {});
}

/** Returns the address to use without one: of the val that runs, else of the only folder that is a project. */
function findAddress(): string {
  const entry = readVariable('VALTOWN_ENTRYPOINT');
  if (entry !== undefined) return entry;
  const [folder, ...others] = readFolders();
  if (folder && others.length === 0) return folder[0];
  throw new Error('std/utils: no val is known. Pass import.meta.url, or set VALTOWN_ENTRYPOINT to it.');
}

/** Returns the part of an address that names a val, and the emulator that it names. */
function splitAddress(address: string): { readonly url: string | undefined; readonly named: string } {
  const [served, url] = SERVED.exec(address) ?? [];
  if (served !== undefined) return { url, named: address.slice(served.length).replace(/^[\da-f-]{36}\//, '') };
  const [, named] = /^https:\/\/esm\.town\/(v\/.*)$/s.exec(address) ?? [];
  if (named !== undefined) return { url: undefined, named };
  const [folder, project] =
    readFolders()
      .filter(([each]) => address.startsWith(each))
      .sort(([one], [other]) => other.length - one.length)[0] ?? [];
  if (folder === undefined) {
    const advice = 'Let the emulator have its folder: val-emulator exec --project ada/site=./site -- COMMAND';
    throw new Error(`std/utils: ${address} is of no project of an emulator. ${advice}.`);
  }
  return { url: findUrl('std/utils'), named: `v/${project}/${address.slice(folder.length)}` };
}

function parse(address: string): ValInfo & { readonly url: string | undefined } {
  const { url, named } = splitAddress(address);
  const [, owner, slug = '', file] = /^v\/@?([^/]+)\/([^/?#]+)(?:\/([^?#]*))?/.exec(named) ?? [];
  if (owner === undefined || file === undefined) {
    throw new Error(`std/utils: ${address} is no file of a project, and a val of /v1 has no others.`);
  }
  const [, name = slug, version, branch = MAIN] = /^(.+?)@(?:(\d+)(?:-|$))?(.+)?$/.exec(slug) ?? [];
  const link = `https://www.val.town/x/${owner}/${name}`;
  return {
    ...{ owner, username: owner, name, version: Number(version ?? 0) },
    ...{ branch: decodeURIComponent(branch), path: decodeURIComponent(file) },
    ...{ links: { self: { val: link, project: link } }, url },
  };
}

/** Returns what an address says of a val. @param address `import.meta.url`. Default: of the val that runs */
export function parseVal(address: string = findAddress()): ValInfo {
  const { url: _, ...info } = parse(address);
  return info;
}

/** The former name of `parseVal`. */
export const parseProject = (address?: string): ValInfo => parseVal(address);

/** Returns the project of an address, in the state of the emulator or the sandbox that has served it. */
function findProject(address: string): Project {
  const info = parse(address);
  const used = findPlace('std/utils', address);
  const url = info.url ?? used.url;
  return { ...info, url, token: url === used.url ? used.token : findToken() };
}

const trim = (path: string): string => path.replace(/^\/+|\/+$/g, '');
const encode = (path: string): string => trim(path).split('/').map(encodeURIComponent).join('/');

function ask({ url, token }: Pick<Project, 'url' | 'token'>, target: string, accept?: string): Promise<Response> {
  const headers = new Headers(accept === undefined ? {} : { accept });
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  return send(url + target, { headers });
}

/** Asks for a file. @param accept a media type, by which the emulator gives TypeScript or JavaScript */
function fetchFile(path: string, project: Project, accept: string): Promise<Response> {
  const { owner, name, version, branch } = project;
  const at = `${version === 0 ? '' : `${version}-`}${encodeURIComponent(branch)}`;
  return ask(project, `/_emulator/esm/v/${owner}/${name}@${at}/${encode(path)}`, accept);
}

const failToFetch = async (path: string, response: Response): Promise<Error> =>
  new Error(
    `Failed to fetch file ${path}: ${response.status === 404 ? 'not found' : (await readProblem(response)).message}`,
  );

/**
 * Reads a file of a val.
 * @param address `import.meta.url` of a file of the val. Default: of the val that runs
 * @throws Error `Failed to fetch file …`
 */
export async function readFile(path: string, address: string = findAddress()): Promise<string> {
  const response = await fetchFile(path, findProject(address), 'application/typescript');
  if (!response.ok) throw await failToFetch(path, response);
  return await response.text();
}

/** Asks the API. @throws Error with the message of a refusal */
async function askApi<T>(project: Project, target: string): Promise<T> {
  const response = await ask(project, target);
  if (!response.ok) throw new Error(`std/utils: ${(await readProblem(response)).message}`);
  return await readJson(response);
}

/** Returns the id of a val. */
export async function getValId(address: string = findAddress()): Promise<string> {
  const project = findProject(address);
  const { id } = await askApi<{ id: string }>(project, `/v2/alias/vals/${project.owner}/${project.name}`);
  return id;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly links: { readonly next?: string };
}

/** Reads all pages of a list. */
async function list<T>(project: Project, root: string, path: string): Promise<T[]> {
  const items: T[] = [];
  let next: string | undefined = root + path;
  while (next !== undefined) {
    const { data, links }: Page<T> = await askApi(project, next);
    items.push(...data);
    next = links.next?.slice(links.next.indexOf(root));
  }
  return items;
}

/** Lists the files and directories in a directory of a val. */
export async function listFilesByPath(path: string, address: string = findAddress()): Promise<ProjectFile[]> {
  const project = findProject(address);
  const root = `/v2/vals/${await getValId(address)}`;
  const branches =
    project.branch === MAIN
      ? []
      : await list<{ readonly id: string; readonly name: string }>(project, root, '/branches?limit=100');
  const branch = branches.find(({ name }) => name === project.branch);
  const query = new URLSearchParams({ path: trim(path), recursive: 'true', limit: '100' });
  if (branch) query.set('branch_id', branch.id);
  if (project.version !== 0) query.set('version', String(project.version));
  return await list(project, root, `/files?${query}`);
}

/** Lists all files and directories of a val. */
export const listFiles = (address: string = findAddress()): Promise<ProjectFile[]> => listFilesByPath('', address);

/** Returns an address of a file. @throws Error if it has none */
async function getLink(path: string, address: string, link: 'endpoint' | 'email', kind: string): Promise<string> {
  const [file] = await listFilesByPath(path, address);
  const found = file?.path === trim(path) ? file.links[link] : undefined;
  if (found !== undefined) return found;
  throw new Error(`std/utils: ${path} has the type ${file?.type ?? 'directory'}; expected ${kind}.`);
}

/** Returns the endpoint of a file of the type `http`. */
export const httpEndpoint = (path: string, address: string = findAddress()): Promise<string> =>
  getLink(path, address, 'endpoint', 'http');

/** Returns the address of a file of the type `email`. */
export const emailAddress = (path: string, address: string = findAddress()): Promise<string> =>
  getLink(path, address, 'email', 'email');

/** Reads code as JavaScript. @param url `https://esm.town/v/ada/site/main.ts`, or an `import.meta.url` */
export async function fetchTranspiledJavaScript(url: string): Promise<string> {
  const { url: base, named } = splitAddress(url);
  const place = findPlace('std/utils', url);
  const response = await ask(base === undefined ? place : { ...place, url: base }, `/_emulator/esm/${named}`, SCRIPT);
  if (!response.ok) throw await failToFetch(url, response);
  return await response.text();
}

const SCRIPT = 'text/javascript';

/** Makes the response with a file: a 404 without one, and JavaScript of TypeScript and JSX. */
async function respond(path: string, project: Project, headers: Readonly<Record<string, string>>): Promise<Response> {
  const response = await fetchFile(path, project, SCRIPT);
  if (response.ok) {
    return new Response(await response.text(), { headers: { 'content-type': getContentType(path), ...headers } });
  }
  // A 400 is of a path that no file can have.
  if (![400, 404].includes(response.status)) throw await failToFetch(path, response);
  return new Response(`File not found: ${path}`, { status: 404, headers: { 'content-type': PLAIN } });
}

/** The path of a file, or of a request for one. */
function toPath(target: string | Request): string {
  if (typeof target === 'string') return target;
  const { pathname } = new URL(target.url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    // No file has such a path.
    return pathname;
  }
}

/** Serves a file of a val. @param target its path, or a request for it */
export const serveFile = async (target: string | Request, address: string = findAddress()): Promise<Response> =>
  respond(toPath(target), findProject(address), {});

/** Returns the path of a file that `serveImmutableFile` serves: with the version of the val. */
export const immutableFileUrl = (path: string, address: string = findAddress()): string =>
  `${IMMUTABLE}${parse(address).version}/${encode(path)}`;

/**
 * Serves a file of a path of `immutableFileUrl`, which programs may keep. A path of another version is a 404, and one without a
 * version leads to the path with it.
 */
export async function serveImmutableFile(target: string | Request, address: string = findAddress()): Promise<Response> {
  const project = findProject(address);
  const path = toPath(target);
  const [, version, file] = /^\/__immutable\/(\d+)\/(.+)$/s.exec(path) ?? [];
  if (file === undefined) {
    const headers = { location: immutableFileUrl(path, address), 'cache-control': 'no-cache' };
    return new Response(null, { status: 302, headers });
  }
  if (Number(version) === project.version) {
    return await respond(file, project, { 'cache-control': 'public, max-age=31536000, immutable' });
  }
  const text = `File not found: ${file} of version ${version}; the val has version ${project.version}`;
  return new Response(text, { status: 404, headers: { 'content-type': PLAIN } });
}

/** Makes an HTTP val of the files of a val. `/` is `/index.html`. */
export function staticHTTPServer(address: string = findAddress()): (request: Request) => Promise<Response> {
  return async (request) => {
    const path = toPath(request);
    return await serveFile(path === '/' ? '/index.html' : path, address);
  };
}

/** Whether a file is the one that runs, which `VALTOWN_ENTRYPOINT` names. */
export const isMain = (address: string): boolean => address === readVariable('VALTOWN_ENTRYPOINT');

/** Not emulated: what it takes and returns is not public. */
export function testServer(): never {
  throw new Error('std/utils: testServer() is not emulated. Run the tests by val-emulator exec --deno -- deno test.');
}
