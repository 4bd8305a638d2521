import type { Route } from '#engine/api/route.js';
import { earlyRoutes, surfaces } from './service.routes.js';

/** All routes of the API, in the order of its documents. */
export const routes: readonly Route[] = [...earlyRoutes, ...surfaces.flatMap(({ load }) => load())];
