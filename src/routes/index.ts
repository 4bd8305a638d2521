import type { Route } from '../contract/route.js';
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

/** The routes that an emulator has: all of them, or those of the specification alone. */
export const servedRoutes = (specOnly: boolean): readonly Route[] =>
  specOnly ? routes.filter(({ companion }) => !companion) : routes;
