import { type Static, Type } from 'typebox';
import { Reply } from '#engine/control/reply.js';
import { type ControlContext, controlRoute } from '#engine/control/route.js';
import { JAVASCRIPT, TYPESCRIPT } from '#engine/lib/media-types.js';
import { mapOf, record } from '#engine/schema/schema.js';
import { readToken } from '#engine/state/callers.js';
import { getValsStateAt } from '#vals/lib/state-at.control.js';
import type { ModuleRequest } from './modules.rules.js';

const importMap = record('ImportMap', { imports: mapOf(Type.String()) });
/** An import map, as programs in Deno and in browsers read it. */
export interface ImportMap extends Static<typeof importMap> {}
const ImportMap = Type.Unsafe<ImportMap>(importMap);

/** The addresses of the modules of vals, and of what tests import by name. */
const MODULES = 'https://esm.town/';
const HELPER = 'val-emulator/std/test';
const GLOBALS = 'val-emulator/std/types';

/** Not kept: Deno keeps modules whatever their headers say, and other programs read the current state. */
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** What decides between TypeScript and JavaScript. */
const VARY = 'accept, user-agent';

/** Finds a module in the current state of a sandbox. @throws ApiError */
async function respond(
  { sandbox, request }: ControlContext,
  path: string,
  version: number | undefined,
): Promise<Reply> {
  // Loaded late: few programs test vals.
  const { findModule, readModulePath } = await import('./modules.rules.js');
  const { epoch, ...wanted } = readModulePath(path);
  const { state } = getValsStateAt(sandbox, undefined);
  const asked: ModuleRequest = {
    ...wanted,
    version,
    now: sandbox.now,
    token: readToken(request.header('authorization')),
  };
  const found = findModule(state, asked);
  const base = `${request.base}/_emulator/esm/${epoch === undefined ? '' : `${epoch}/`}`;
  if ('code' in found) {
    const { needsTranspiler, takesTypeScript, transpile } = await import('./transpile.control.js');
    const isOriginal =
      path.endsWith('.d.ts') ||
      !needsTranspiler(found.type) ||
      takesTypeScript(request.header('user-agent'), request.header('accept'));
    if (!isOriginal) {
      const code = transpile(path, found.code, found.type);
      return new Reply({ ...HEADERS, 'content-type': JAVASCRIPT, vary: VARY }, code);
    }
    const types = found.declarations && { 'x-typescript-types': base + found.declarations };
    return new Reply({ ...HEADERS, 'content-type': found.type, vary: VARY, ...types }, found.code);
  }
  const location = `${base}v/${found.location}`;
  return new Reply({ ...HEADERS, location, 'content-length': '0' });
}

export const moduleRoutes = [
  controlRoute('GET', '/_emulator/esm/import-map.json', 'Get the import map for vals and the standard library', {
    id: 'getImportMap',
    response: ImportMap,
    headers: HEADERS,
    errors: [403],
    handle({ emulator, request }) {
      const modules = `${request.base}/_emulator/esm/${emulator.makeId()}/`;
      const types = `${modules}v/std/types/types.d.ts`;
      return { imports: { [MODULES]: modules, [HELPER]: `${modules}v/std/test.ts`, [GLOBALS]: types } };
    },
  }),
  controlRoute('GET', '/_emulator/esm/{path}', 'Get the code of a val, a file or a module of the standard library', {
    id: 'getModule',
    takesRest: true,
    redirects: true,
    params: Type.Object({
      path: Type.String({
        description: 'As on esm.town, slashes included: `v/ada/hello`. Its first part may be random',
      }),
    }),
    query: Type.Object({
      v: Type.Optional(Type.Integer({ minimum: 0, description: 'Version. Default: a redirect to the latest one' })),
    }),
    response: Type.String({
      description: 'The code: TypeScript for Deno and for Accept: application/typescript, else JavaScript',
    }),
    mediaType: TYPESCRIPT,
    errors: [400, 401, 403, 404, 501],
    example: { params: { path: 'v/ada/hello' }, query: { v: '0' } },
    handle: ({ params: { path }, query: { v }, ...context }) => respond(context, path, v),
  }),
];
