import type { Route } from '#engine/api/route.js';
import { blobRoutes, projectBlobRoutes } from '#vals/blobs/blobs.routes.js';
import { emailRoutes } from '#vals/emails/emails.routes.js';
import type { ToolName } from '#vals/lib/names.tools.js';
import { organizationRoutes } from '#vals/organizations/organizations.routes.js';
import { branchRoutes } from '#vals/projects/branches.routes.js';
import { environmentRoutes } from '#vals/projects/environment.routes.js';
import { fileRoutes } from '#vals/projects/files.routes.js';
import { projectRoutes } from '#vals/projects/projects.routes.js';
import { reactionRoutes } from '#vals/reactions/reactions.routes.js';
import { runRoutes } from '#vals/runs/runs.routes.js';
import { sqliteRoutes } from '#vals/sqlite/sqlite.routes.js';
import { telemetryRoutes } from '#vals/telemetry/telemetry.routes.js';
import { meRoutes, userRoutes } from '#vals/users/users.routes.js';
import { valRoutes } from '#vals/vals/vals.routes.js';
import { versionRoutes } from '#vals/vals/versions.routes.js';

const groups = [
  meRoutes,
  runRoutes,
  reactionRoutes,
  valRoutes,
  versionRoutes,
  userRoutes,
  emailRoutes,
  blobRoutes,
  sqliteRoutes,
  telemetryRoutes,
  projectRoutes,
  branchRoutes,
  fileRoutes,
  environmentRoutes,
  organizationRoutes,
  projectBlobRoutes,
];

export const routes: readonly Route[] = groups.flat();

type RouteName = (typeof groups)[number][number]['name'];

/** A name whose parameters stand for any text. */
type WithIds<N extends string> = N extends `${infer Start}{${string}}${infer End}`
  ? `${Start}${string}${WithIds<End>}`
  : N;

/**
 * A route of the API: its name, as in `POST /v1/vals` and `GET /v1/vals/{val_id}`, or a request to it with real ids and
 * a query: `GET /v1/vals/<uuid>?limit=2`. Or a tool of the service's MCP server,
 * `tool create_file`, or a request to it that calls no tool.
 */
export type RouteReference =
  | RouteName
  | `tool ${ToolName}`
  | `${'POST' | 'GET' | 'DELETE'} /v3/mcp`
  | `GET /.well-known/oauth-${'protected-resource' | 'authorization-server'}`
  | WithIds<RouteName>
  | `${WithIds<RouteName>}?${string}`;
