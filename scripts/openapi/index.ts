import { ErrorBody, ErrorWithProblems } from '#engine/api/errors.js';
import type { Route } from '#engine/api/route.js';
import { ofSpecification } from '#engine/http/parse-options.js';
import { createDocument } from '#engine/openapi/document.js';
import type { DocumentSpec, OpenApiDocument } from '#engine/openapi/types.js';
import { packageVersion } from '#engine/platform/package.js';
import { routes } from '#vals/service/all.routes.js';
import { vals } from '#vals/service/index.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { GENERAL_RULES, TOOL_RULES } from '../docs/general-rules.js';
import {
  failOn,
  findFailedExamples,
  findUndescribedTags,
  findUnlistedErrors,
  findUnlistedRoutes,
  findUnreachedErrors,
} from './check.js';
import { collectExamples, EXAMPLE_SERVER, type Examples } from './examples.js';
import { listLinks } from './links.js';
import { findPagination } from './pagination.js';

/** The OpenAPI documents, by the names of their files in `docs/`. */
export type DocumentName = 'openapi' | 'openapi-spec-only' | 'openapi-control';

/** Creates every OpenAPI document. @throws Error that lists what is missing of routes */
export async function createDocuments(): Promise<Readonly<Record<DocumentName, OpenApiDocument>>> {
  failOn(findUnlistedRoutes(routes));
  const examples = await collectExamples(routes);
  return {
    openapi: { ...describeApi(routes, examples), 'x-general-rules': GENERAL_RULES, 'x-tool-rules': TOOL_RULES },
    'openapi-spec-only': describeApi(ofSpecification(vals).routes, withoutScopes(examples)),
    'openapi-control': describeControlApi(await collectExamples(controlRoutes)),
  };
}

/** The specification has no scopes. */
const withoutScopes = (examples: Examples): Examples =>
  new Map(Array.from(examples, ([name, found]) => [name, new Map([...found].filter(([status]) => status !== 403))]));

/** For an invalid name, a closed sandbox, and one too many. */
const sandboxErrors = [400, 404, 503];

/** Every route but a GET rejects a body that is too large or not JSON, even if it takes none. */
const bodyErrors = (method: string) => (method === 'GET' ? [] : [413, 415]);

/** @throws Error that lists what is missing of the routes */
function describe(spec: Omit<DocumentSpec, 'findExample'>, examples: Examples): OpenApiDocument {
  const { routes, getTag, tags, listCommonErrors } = spec;
  failOn([
    ...findUndescribedTags(routes, getTag, tags),
    ...findFailedExamples(routes, examples),
    ...findUnlistedErrors(routes, examples, listCommonErrors),
    ...findUnreachedErrors(routes, examples, listCommonErrors),
  ]);
  return createDocument({
    ...spec,
    findExample: ({ name }, status) => examples.get(name)?.get(status),
    findPagination,
    listLinks: (route) => listLinks(route, routes),
  });
}

/** What the operations of `/v2` are about, by a part of their paths. The others are about projects. */
const PARTS = ['branches', 'files', 'environment_variables', 'orgs', 'blob'];

function nameTag({ path }: Route<never>): string {
  const parts = path.split('/');
  if (parts[1] === 'v2') return parts.find((part) => PARTS.includes(part)) ?? 'projects';
  if (parts[2] === 'sqlite') return 'sqlite';
  return parts.findLast((part) => !part.startsWith('{')) ?? '';
}

const describeApi = (routes: readonly Route[], examples: Examples) =>
  describe(
    {
      title: 'Vals',
      version: packageVersion(),
      description: API,
      server: EXAMPLE_SERVER,
      routes,
      isApi: true,
      getTag: nameTag,
      tags: {
        me: 'The caller',
        users: 'Users by id',
        alias: 'Users and vals by name',
        vals: 'Vals',
        versions: 'Versions of vals',
        runs: 'Executions of vals',
        cancel: 'Cancellation of executions',
        likes: 'Likes of vals',
        comments: 'Comments on vals',
        references: 'Imports of vals',
        email: 'Emails',
        blob: 'Bytes by key',
        sqlite: 'Databases',
        traces: 'Runs of vals as traces',
        logs: 'Lines that runs of vals logged',
        projects: 'Projects, which the paths call vals',
        branches: 'Branches of projects',
        files: 'Files of branches',
        environment_variables: 'Environment variables of projects',
        orgs: 'Organizations',
      },
      listCommonErrors: ({ method }) => [401, ...sandboxErrors, 429, ...bodyErrors(method)],
      getErrorBody: () => ErrorBody,
    },
    examples,
  );

const describeControlApi = (examples: Examples) =>
  describe(
    {
      title: 'val-emulator',
      version: packageVersion(),
      description: CONTROL_API,
      server: EXAMPLE_SERVER,
      routes: controlRoutes,
      isApi: false,
      getTag: ({ path }) => path.split(/[/.-]/)[2] ?? '',
      tags: {
        health: 'Whether the emulator works',
        ready: 'Readiness for requests',
        metrics: 'Numbers for Prometheus',
        sign: 'Sign a page in and out',
        cluster: 'The emulators that share a store',
        interception: 'How unchanged programs reach the emulator',
        reset: 'Return to the seed data',
        seed: 'Load other seed data',
        state: 'All records',
        collections: 'Kinds of records',
        names: 'Names of records by their ids',
        find: 'Records by id, name or path',
        users: 'Users and their tokens',
        tokens: 'Add tokens with scopes',
        organizations: 'Add organizations',
        memberships: 'Add users to organizations',
        projects: 'Add projects',
        branches: 'Add branches of projects',
        commits: 'Add commits to branches',
        environment: 'Add environment variables of projects',
        responses: 'Add responses of files, which tools run',
        vals: 'Add vals',
        runs: 'Add runs',
        likes: 'Add likes',
        comments: 'Add comments',
        login: 'Log users in without a page',
        emails: 'Emails that programs have sent',
        blobs: 'Blobs',
        rows: 'Rows of databases',
        sqlite: 'Databases',
        snapshots: 'Named states to restore',
        requests: 'The journal of requests',
        history: 'The last commits',
        rewind: 'Take back commits',
        faults: 'Injected errors and delays',
        chaos: 'Faults by name, which end after a time',
        events: 'What happens, as it happens',
        session: 'A sandbox as a file',
        rate: 'Requests of a token in a window of time',
        clock: 'The time of the sandbox',
        sandboxes: 'Isolated copies of the data',
        export: 'Records as fixtures',
        summary: 'The sandbox in numbers',
        esm: 'The modules of vals',
        records: 'Records of each collection',
        fork: 'Copies of a sandbox',
        forks: 'Many sandboxes with a state, and their scores',
        diff: 'Differences of states, and their score',
        openapi: 'The OpenAPI documents',
      },
      listCommonErrors: ({ method }) => [...sandboxErrors, ...bodyErrors(method)],
      getErrorBody: (status) => (status === 400 || status === 422 ? ErrorWithProblems : ErrorBody),
    },
    examples,
  );

const API = `The vals API as implemented by val-emulator. \`x-origin\` is \`specification\` for the routes in the specification of
the API, and \`unofficial\` for other routes that published programs call. \`x-rules\` gives the source of each rule:
the specification, the public record of the service, or a choice of this project. A rule begins with its id. Rules of all
operations are in \`x-general-rules\`, and rules of the MCP server in \`x-tool-rules\`. Of that record, vals and what belongs to
them are of November 2024; email, blobs, SQLite, telemetry and projects are of June 2026. \`x-pagination\` says where a
list has its items and its next page.

- **Tokens** are sent as \`Authorization: Bearer <token>\`. An unknown token is a 401, even where a token is optional.
  Where \`security\` names a scope, a token without it gets a 403. The own token of a user has all.
- **Lists** are pages: \`data\`, and absolute \`links\` to the neighboring pages. \`next\` is absent on the last page,
  \`prev\` on the first. Of telemetry, each page with items has a \`next\`.
- **Times** are RFC 3339. Responses use UTC with milliseconds; parameters accept any offset.
- **Errors** have one shape; \`statusCode\` repeats the status. A record that the caller may not see or change is a 404,
  never a 403, which is about the scopes of the token.
- Unknown parameters and fields are ignored.
`;

const CONTROL_API = `The control API of the emulator. It needs no token and accepts requests from this machine and from hosts in the option
\`allowedHosts\` only. A request acts on the default sandbox, or on the sandbox that it names by the prefix
\`/_sandbox/<name>\` or the header \`X-Emulator-Sandbox\`. Unknown parameters and fields are errors.
`;
