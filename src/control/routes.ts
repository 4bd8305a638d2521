import { blobRoutes } from './blobs.js';
import { clockRoutes } from './clock.js';
import { documentRoutes } from './documents.js';
import { emailRoutes } from './emails.js';
import { eventRoutes } from './events.js';
import { exportRoutes } from './export.js';
import { faultRoutes } from './faults.js';
import { historyRoutes } from './history.js';
import { importRoutes } from './import-graph.js';
import { rateLimitRoutes } from './rate-limit.js';
import { recordWriteRoutes } from './record-writes.js';
import { recordRoutes } from './records.js';
import { requestRoutes } from './requests.js';
import { sandboxRoutes } from './sandboxes.js';
import { seedRoutes } from './seed.js';
import { snapshotRoutes } from './snapshots.js';
import { sqliteRoutes } from './sqlite.js';
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
