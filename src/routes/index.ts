import type { Route } from '../api/route.js';
import { reactionRoutes } from './reactions.js';
import { runRoutes } from './runs.js';
import { meRoutes, userRoutes } from './users.js';
import { valRoutes } from './vals.js';
import { versionRoutes } from './versions.js';

/** Every operation of the /v1 API. */
export const routes: readonly Route[] = [
  meRoutes,
  runRoutes,
  reactionRoutes,
  valRoutes,
  versionRoutes,
  userRoutes,
].flat();

export const selectRoutes = (specOnly: boolean): readonly Route[] =>
  specOnly ? routes.filter(({ unofficial }) => !unofficial) : routes;
