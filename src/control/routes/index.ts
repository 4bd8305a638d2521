import type { Route } from '../../api/route.js';
import type { ControlContext } from '../route.js';
import { clockRoutes } from './clock.js';
import { healthRoute, openapiRoutes } from './emulator.js';
import { faultRoutes } from './faults.js';
import { historyRoutes, snapshotRoutes } from './history.js';
import { recordRoutes } from './records.js';
import { requestRoutes } from './requests.js';
import { sandboxRoutes } from './sandboxes.js';
import { stateRoutes } from './state.js';

/** Every operation of the control API. */
export const controlRoutes: readonly Route<ControlContext>[] = [
  healthRoute,
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
