import { definitions as ofVals } from '#vals/collections/index.js';
import { blobRoutes } from '#vals/control/blobs.js';
import { emailRoutes } from '#vals/control/emails.js';
import { importRoutes } from '#vals/control/import-graph.js';
import { sqliteRoutes } from '#vals/control/sqlite.js';
import type { Route } from '../api/route.js';
import type { Definitions } from '../definition/definitions.js';
import { clockRoutes } from './clock.js';
import { collectionRoutes } from './collections.js';
import { documentRoutes } from './documents.js';
import { eventRoutes } from './events.js';
import { makeExportRoutes } from './export.js';
import { faultRoutes } from './faults.js';
import { makeHistoryRoutes } from './history.js';
import { rateLimitRoutes } from './rate-limit.js';
import { makeRecordWriteRoutes } from './record-writes.js';
import { makeRecordRoutes } from './records.js';
import { requestRoutes } from './requests.js';
import type { ControlContext } from './route.js';
import { sandboxRoutes } from './sandboxes.js';
import { seedRoutes } from './seed.js';
import { snapshotRoutes } from './snapshots.js';
import { makeFurtherAddRoutes, makeStateRoutes } from './state.js';
import { statusRoutes } from './status.js';
import { summaryRoutes } from './summary.js';

const makeRoutes = (definitions: Definitions) => [
  ...statusRoutes,
  ...seedRoutes,
  ...makeStateRoutes(definitions),
  ...snapshotRoutes,
  ...requestRoutes,
  ...emailRoutes,
  ...blobRoutes,
  ...sqliteRoutes,
  ...makeHistoryRoutes(definitions),
  ...rateLimitRoutes,
  ...faultRoutes,
  ...clockRoutes,
  ...eventRoutes,
  ...sandboxRoutes,
  ...documentRoutes,
  ...summaryRoutes,
  ...importRoutes,
  ...collectionRoutes,
  ...makeRecordRoutes(definitions),
  ...makeRecordWriteRoutes(definitions),
  ...makeExportRoutes(definitions),
];

/** Every operation of the control API of the vals service. */
export const controlRoutes = makeRoutes(ofVals);

/** The type of each of these routes. */
export type ControlOperation = (typeof controlRoutes)[number];

/** Returns every operation of the control API of a service. */
export const selectControlRoutes = (definitions: Definitions): readonly Route<ControlContext>[] =>
  definitions === ofVals ? controlRoutes : [...makeRoutes(definitions), ...makeFurtherAddRoutes(definitions)];
