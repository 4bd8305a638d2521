import type { TUnsafe } from 'typebox';
import type { ForPage } from '#engine/control/route.js';
import { makeControlRoutes } from '#engine/control/routes.js';
import { blobRoutes } from '#vals/blobs/blobs.control.js';
import { emailRoutes } from '#vals/emails/emails.control.js';
import { loginControlRoutes } from '#vals/login/login.control.js';
import { moduleRoutes } from '#vals/projects/modules.control.js';
import { sqliteRoutes } from '#vals/sqlite/sqlite.control.js';
import { generator } from './generator.control.js';
import { definitions, type ExportedFixtures } from './service.collection.js';
import { summary } from './summary.control.js';

export { summary };

const common = makeControlRoutes({ definitions, generator, summary });

const recordRoutes = [...emailRoutes, ...blobRoutes, ...sqliteRoutes, ...loginControlRoutes];

/** Operations that other services do not have. */
export const ownRoutes = [...recordRoutes, ...moduleRoutes];

type Common = (typeof common)[number];
/** The engine does not know the types of the records. */
type GetState = Omit<Extract<Common, { id: 'getState' }>, 'response'> & {
  readonly response: TUnsafe<ExportedFixtures>;
};

/** The type of each operation of the control client: all but the operations of the page, and the modules, which programs import by their addresses. */
export type ControlOperation = Exclude<Common | (typeof recordRoutes)[number], { id: 'getState' } | ForPage> | GetState;

export const controlRoutes = [...common, ...ownRoutes];
