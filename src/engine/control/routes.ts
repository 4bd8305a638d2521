import { blobRoutes } from '#vals/control/blobs.js';
import { emailRoutes } from '#vals/control/emails.js';
import { importRoutes } from '#vals/control/import-graph.js';
import { sqliteRoutes } from '#vals/control/sqlite.js';
import { clockRoutes } from './clock.js';
import { documentRoutes } from './documents.js';
import { eventRoutes } from './events.js';
import { exportRoutes } from './export.js';
import { faultRoutes } from './faults.js';
import { historyRoutes } from './history.js';
import { rateLimitRoutes } from './rate-limit.js';
import { recordWriteRoutes } from './record-writes.js';
import { recordRoutes } from './records.js';
import { requestRoutes } from './requests.js';
import { sandboxRoutes } from './sandboxes.js';
import { seedRoutes } from './seed.js';
import { snapshotRoutes } from './snapshots.js';
import { stateRoutes } from './state.js';
import { statusRoutes } from './status.js';
import { summaryRoutes } from './summary.js';

/** Every operation of the control API. */
export const controlRoutes = [
  ...statusRoutes,
  ...seedRoutes,
  ...stateRoutes,
  ...snapshotRoutes,
  ...requestRoutes,
  ...emailRoutes,
  ...blobRoutes,
  ...sqliteRoutes,
  ...historyRoutes,
  ...rateLimitRoutes,
  ...faultRoutes,
  ...clockRoutes,
  ...eventRoutes,
  ...sandboxRoutes,
  ...documentRoutes,
  ...summaryRoutes,
  ...importRoutes,
  ...recordRoutes,
  ...recordWriteRoutes,
  ...exportRoutes,
];

/** The type of each of these routes. */
export type ControlOperation = (typeof controlRoutes)[number];
