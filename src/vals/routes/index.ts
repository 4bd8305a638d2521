import type { Route } from '#engine/api/route.js';
import type { ToolName } from '../tools/names.js';
import { blobRoutes, projectBlobRoutes } from './blob.js';
import { branchRoutes } from './branches.js';
import { emailRoutes } from './email.js';
import { environmentRoutes } from './environment.js';
import { fileRoutes } from './files.js';
import { organizationRoutes } from './organizations.js';
import { projectRoutes } from './projects.js';
import { reactionRoutes } from './reactions.js';
import { runRoutes } from './runs.js';
import { sqliteRoutes } from './sqlite.js';
import { telemetryRoutes } from './telemetry.js';
import { meRoutes, userRoutes } from './users.js';
import { valRoutes } from './vals.js';
import { versionRoutes } from './versions.js';

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
