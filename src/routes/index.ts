import type { Route } from '../api/route.js';
import { aliasRoutes } from './alias.js';
import { commentRoutes } from './comments.js';
import { likeRoutes } from './likes.js';
import { meRoutes } from './me.js';
import { referenceRoutes } from './references.js';
import { runRoutes } from './runs.js';
import { userRoutes } from './users.js';
import { valRoutes } from './vals.js';
import { versionRoutes } from './versions.js';

/** Every operation of the /v1 API. */
export const routes: readonly Route[] = [
  ...meRoutes,
  ...runRoutes,
  ...likeRoutes,
  ...commentRoutes,
  ...referenceRoutes,
  ...valRoutes,
  ...versionRoutes,
  ...userRoutes,
  ...aliasRoutes,
];

/** Returns all routes, or only those of the specification. */
export const selectRoutes = (specOnly: boolean): readonly Route[] =>
  specOnly ? routes.filter(({ unofficial }) => !unofficial) : routes;
