import { type DocumentSpec, type OpenApiDocument, openApiDocument } from './contract/openapi.js';
import type { Route } from './contract/route.js';
import type { ApiName } from './control/route.js';
import { controlRoutes } from './control/routes/index.js';
import { packageVersion } from './domain/version.js';
import { collectExamples, type Examples } from './examples.js';
import { servedRoutes } from './routes/index.js';

/** @param server where the API is reached */
export async function documentOf(name: ApiName, server: string, specOnly: boolean): Promise<OpenApiDocument> {
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
    tagOf: ({ path }) => path.split(/[/.-]/)[2] ?? '',
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
      openapi: 'This document, and that of the API',
    },
    early: ({ request }) => (request.body ? [413, 415] : []),
    exampleOf: lookUp(await collectExamples(controlRoutes)),
  });

const lookUp =
  <Reach>(examples: Examples): DocumentSpec<Reach>['exampleOf'] =>
  ({ name }, status) =>
    examples.get(name)?.get(status);

const API = `The vals API as val-emulator answers it. Each operation tells where its rules come from, and \`x-origin\` whether it
is in the specification of the API (\`specified\`) or beside it, because published programs call it (\`companion\`).

- **Tokens** come as \`Authorization: Bearer <token>\`. One that nobody holds is a 401, also where none is needed.
- **Lists** answer with a page in \`data\` and absolute \`links\` to its neighbours: \`next\` is missing on the last page,
  \`prev\` on the first.
- **Times** are RFC 3339. Answers have them in UTC with milliseconds; parameters may have any offset.
- **Errors** have one shape, told apart by \`statusCode\`. What a caller may not see or change is a 404, never a 403.
- Parameters and fields that are not known are ignored.
`;

const CONTROL = `The emulator's own API. It needs no token and answers only this machine, and hosts that were let in by the option
\`allowedHosts\`. A request acts on the main sandbox, or on the one that it names by the prefix \`/_sandbox/<name>\` or the
header \`X-Emulator-Sandbox\`.
`;
