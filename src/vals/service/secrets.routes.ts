import { listSecretRoutes } from '#engine/api/secret-routes.js';
import { routes } from './all.routes.js';

/** The bundle has the value alone, and not the routes. */
export const secretRoutes = listSecretRoutes(routes);
