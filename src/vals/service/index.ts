import { readText } from '#engine/lib/package-files.js';
import type { Service } from '#engine/service.js';
import { definitions, type Privacy } from '../collections/index.js';
import { generator } from '../control/generator.js';
import { controlRoutes, ownRoutes } from '../control/index.js';
import { summary } from '../control/summary.js';
import { Databases } from '../model/databases.js';
import { routes } from '../routes/index.js';
import { findNotImplemented } from '../routes/not-implemented.js';
import { makeOutbox } from '../sandbox/outbox-methods.js';
import { makeRowReader } from '../sandbox/row-methods.js';
import { OPTIONS, validateOptions } from './options.js';
import { toolServer } from './tools.js';
import type { Types } from './types.js';

/** The OpenAPI documents that the build has written (scripts/openapi). */
const DOCUMENTS = { api: 'openapi', 'spec-only': 'openapi-spec-only', control: 'openapi-control' } as const;

export const vals: Service<Types> = {
  name: 'vals',
  definitions,
  routes,
  findNotImplemented,
  tools: toolServer,
  ownControlRoutes: ownRoutes,
  controlRoutes,
  summary,
  generator,
  options: { entries: OPTIONS, validate: validateOptions },
  selectSettings: ({
    defaultPrivacy,
    userType,
  }: {
    readonly defaultPrivacy?: Privacy;
    readonly userType?: boolean;
  }) => ({
    defaultPrivacy,
    userType: userType || undefined,
  }),
  listFolders: ({ projects = {} }: { readonly projects?: Readonly<Record<string, string>> }) =>
    Object.entries(projects).map(([reference, folder]) => {
      const [owner, name] = reference.split('/');
      return { collection: 'projects', record: { owner, name }, folder, path: `projects.${reference}` };
    }),
  readDocument: (kind) => JSON.parse(readText(`docs/${DOCUMENTS[kind]}.json`)),
  openEngine: () => new Databases(),
  extendSandbox: (sandbox, engine) => ({ ...makeOutbox(sandbox), ...makeRowReader(sandbox, engine) }),
};
