import { authorizationRoutes } from './authorization.routes.js';
import { deviceRoutes } from './device.routes.js';
import { metadataRoutes } from './metadata.routes.js';
import { tokenRoutes } from './token.routes.js';

export { wellKnownRoutes } from './metadata.routes.js';

export const oauthRoutes = [metadataRoutes, tokenRoutes, authorizationRoutes, deviceRoutes].flat();
