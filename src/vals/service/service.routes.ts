import type { Surface } from '#engine/api/router.js';
import * as lateBlobs from '#vals/blobs/blobs.routes.js';
import * as lateEmails from '#vals/emails/emails.routes.js';
import type { ToolName } from '#vals/lib/names.tools.js';
import * as lateLogin from '#vals/login/login.routes.js';
import { reactionRoutes } from '#vals/reactions/reactions.routes.js';
import { runRoutes } from '#vals/runs/runs.routes.js';
import * as lateSqlite from '#vals/sqlite/sqlite.routes.js';
import * as lateTelemetry from '#vals/telemetry/telemetry.routes.js';
import { meRoutes, userRoutes } from '#vals/users/users.routes.js';
import { valRoutes } from '#vals/vals/vals.routes.js';
import { versionRoutes } from '#vals/vals/versions.routes.js';
import * as lateV2 from './v2.routes.js';

/** The routes that are loaded with the service. `all.routes.ts` lists all. */
export const earlyRoutes = [meRoutes, runRoutes, reactionRoutes, valRoutes, versionRoutes, userRoutes].flat();

const loaders = {
  '/v1/email': () => lateEmails.emailRoutes,
  '/v1/blob': () => lateBlobs.blobRoutes,
  '/v1/sqlite': () => lateSqlite.sqliteRoutes,
  '/v1/telemetry': () => lateTelemetry.telemetryRoutes,
  '/v2': () => lateV2.v2Routes,
};

export const surfaces: readonly Surface[] = Object.entries(loaders).map(([path, load]) => ({ path, load }));

/** The login, which the documents of the API do not have. */
export const loginSurfaces: readonly Surface[] = [
  { path: '/oauth', load: () => lateLogin.oauthRoutes },
  { path: '/.well-known', load: () => lateLogin.wellKnownRoutes },
];

type LateRoutes = ReturnType<(typeof loaders)[keyof typeof loaders]>;
type RouteName = (typeof earlyRoutes)[number]['name'] | LateRoutes[number]['name'];

/** A name whose parameters stand for any text. */
type WithIds<N extends string> = N extends `${infer Start}{${string}}${infer End}`
  ? `${Start}${string}${WithIds<End>}`
  : N;

/**
 * A route of the API: its name, as in `POST /v1/vals` and `GET /v1/vals/{val_id}`, or a request to it with real ids and
 * a query: `GET /v1/vals/<uuid>?limit=2`. Or a tool of the service's MCP server,
 * `tool create_file`, or a request to it that calls no tool. Or one of the login.
 */
export type RouteReference =
  | RouteName
  | `tool ${ToolName}`
  | `${'POST' | 'GET' | 'DELETE'} /v3/mcp`
  | (typeof lateLogin.oauthRoutes | typeof lateLogin.wellKnownRoutes)[number]['name']
  | WithIds<RouteName>
  | `${WithIds<RouteName>}?${string}`;
