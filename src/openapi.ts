import { type DocumentSpec, type OpenApiDocument, openApiDocument } from './contract/openapi.js';
import type { Route } from './contract/route.js';
import type { ApiName } from './control/route.js';
import { controlRoutes } from './control/routes/index.js';
import { packageVersion } from './domain/version.js';
import { collectExamples, type Examples } from './examples.js';
import { servedRoutes } from './routes/index.js';

/** @param server where the API is reached */
export async function describe(name: ApiName, server: string, specOnly: boolean): Promise<OpenApiDocument> {
  const document = name === 'api' ? await describeApi(servedRoutes(specOnly)) : await describeControl();
  return { ...document, servers: [{ url: server }] };
}

const describeApi = async (routes: readonly Route[]) =>
  openApiDocument({
    title: 'Vals',
    version: packageVersion(),
    description: API,
    routes,
    isApi: true,
    tagOf: ({ path }) => path.split('/').findLast((segment) => !segment.startsWith('{')) ?? '',
    tags: {
      me: 'The caller',
      users: 'Users by id',
      alias: 'Users and vals by name',
      vals: 'Vals',
      versions: 'Versions of vals',
      runs: 'Executions of vals',
      likes: 'Likes of vals',
      comments: 'Comments on vals',
      references: 'Imports of vals',
    },
    early: ({ request }) => [401, 429, ...(request.body ? [413, 415] : [])],
    exampleOf: lookUp(await collectExamples(routes)),
  });

const describeControl = async () =>
  openApiDocument({
    title: 'val-emulator',
    version: packageVersion(),
    description: CONTROL,
    routes: controlRoutes,
    isApi: false,
    tagOf: ({ path }) => path.split('/')[2] ?? '',
    tags: {
      health: 'Whether it answers',
      reset: 'Back to the seed data',
      seed: 'Other seed data',
      state: 'All records',
      users: 'Users and their tokens',
      vals: 'More vals',
      runs: 'More runs',
      likes: 'More likes',
      comments: 'More comments',
      snapshots: 'States to come back to',
      requests: 'The journal of requests',
      history: 'What was written',
      rewind: 'Writes taken back',
      faults: 'Requests that fail on purpose',
      clock: 'What time it is',
      sandboxes: 'Worlds of their own',
      'openapi.json': 'Documents like this one',
      'openapi-control.json': 'This document',
    },
    early: ({ request }) => (request.body ? [413, 415] : []),
    exampleOf: lookUp(await collectExamples(controlRoutes)),
  });

const lookUp =
  <Reach>(examples: Examples): DocumentSpec<Reach>['exampleOf'] =>
  ({ name }, status) =>
    examples.get(name)?.get(status);

const API = 'x';
const CONTROL = 'y';
