import type { Route } from '../../api/route.js';
import type { ControlContext } from '../route.js';
import { clockRoutes } from './clock.js';
import { faultRoutes } from './faults.js';
import { healthRoutes } from './health.js';
import { historyRoutes } from './history.js';
import { openapiRoutes } from './openapi.js';
import { recordRoutes } from './records.js';
import { requestRoutes } from './requests.js';
import { sandboxRoutes } from './sandboxes.js';
import { snapshotRoutes } from './snapshots.js';
import { stateRoutes } from './state.js';

/** Every operation of the control API. */
export const controlRoutes: readonly Route<ControlContext>[] = [
  ...healthRoutes,
  ...stateRoutes,
  ...recordRoutes,
  ...snapshotRoutes,
  ...requestRoutes,
  ...historyRoutes,
  ...faultRoutes,
  ...clockRoutes,
  ...sandboxRoutes,
  ...openapiRoutes,
];
