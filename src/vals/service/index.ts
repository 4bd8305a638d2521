import type { ToolServer } from '#engine/api/tool.js';
import { readText } from '#engine/platform/package-files.js';
import type { Service } from '#engine/service.js';
import { makeOutbox } from '#vals/emails/outbox-methods.sandbox.js';
import { TOOL_NAMES } from '#vals/lib/names.tools.js';
import { challenge, DISCOVERY } from '#vals/login/challenge.routes.js';
import { makeLogins } from '#vals/login/login.sandbox.js';
import { Databases } from '#vals/sqlite/databases.rules.js';
import { makeRowReader } from '#vals/sqlite/rows.sandbox.js';
import { generator } from './generator.control.js';
import { findNotImplemented } from './not-implemented.routes.js';
import { OPTIONS, validateOptions } from './options.js';
import { secretRoutes } from './secrets.routes.js';
import { definitions, type Privacy } from './service.collection.js';
import * as lateControl from './service.control.js';
import { earlyRoutes, loginSurfaces, surfaces } from './service.routes.js';
import type { Types } from './types.js';

/** The service's MCP server. Its tools are loaded with the first request for them. */
const toolServer: ToolServer = {
  path: '/v3/mcp',
  names: TOOL_NAMES,
  discovery: DISCOVERY,
  instructions:
    'Build vals: list_vals finds them, list_files and read_file show their code, create_file and replace_in_file change it. A val is named owner/name. This is val-emulator, which runs no code: run_file and fetch_val_endpoint return an error.',
  load: async () => (await import('./service.tools.js')).tools,
};

/** The OpenAPI documents that the build has written (scripts/openapi). */
const DOCUMENTS = { api: 'openapi', 'spec-only': 'openapi-spec-only', control: 'openapi-control' } as const;

export const vals: Service<Types> = {
  name: 'vals',
  definitions,
  routes: earlyRoutes,
  surfaces: [...surfaces, ...loginSurfaces],
  secretRoutes,
  findNotImplemented,
  tools: toolServer,
  challenge,
  get ownControlRoutes() {
    return lateControl.ownRoutes;
  },
  get controlRoutes() {
    return lateControl.controlRoutes;
  },
  get summary() {
    return lateControl.summary;
  },
  generator,
  options: { entries: OPTIONS, validate: validateOptions },
  selectSettings: ({
    defaultPrivacy,
    userType,
    login,
  }: {
    readonly defaultPrivacy?: Privacy;
    readonly userType?: boolean;
    readonly login?: string;
  }) => ({
    defaultPrivacy,
    userType: userType || undefined,
    login,
  }),
  findSecondPort: ({ loginPort }: { readonly loginPort?: number }) => loginPort,
  listFolders: ({ projects = {} }: { readonly projects?: Readonly<Record<string, string>> }) =>
    Object.entries(projects).map(([reference, folder]) => {
      const [owner, name] = reference.split('/');
      return { collection: 'projects', record: { owner, name }, folder, path: `projects.${reference}` };
    }),
  readDocument: (kind) => JSON.parse(readText(`docs/${DOCUMENTS[kind]}.json`)),
  openEngine: () => new Databases(),
  extendSandbox: (sandbox, engine) => ({
    ...makeOutbox(sandbox),
    ...makeLogins(sandbox),
    ...makeRowReader(sandbox, engine),
  }),
};
