import type { Route } from '../api/route.js';
import type { Definitions } from '../definition/definitions.js';
import type { Generator } from '../seed/generator.js';
import { clockRoutes } from './clock.js';
import { collectionRoutes } from './collections.js';
import { comparisonRoutes } from './comparison.js';
import { documentRoutes } from './documents.js';
import { eventRoutes } from './events.js';
import { makeExportRoutes } from './export.js';
import { faultRoutes } from './faults.js';
import { findRoutes } from './find.js';
import { historyRoutes } from './history.js';
import { nameRoutes } from './names.js';
import { rateLimitRoutes } from './rate-limit.js';
import { makeRecordFileRoutes } from './record-files.js';
import { makeRecordWriteRoutes } from './record-writes.js';
import { makeRecordRoutes } from './records.js';
import { requestRoutes } from './requests.js';
import type { ControlContext } from './route.js';
import { sandboxRoutes } from './sandboxes.js';
import { makeSeedRoutes } from './seed.js';
import { signInRoutes } from './sign-in.js';
import { snapshotRoutes } from './snapshots.js';
import { makeStateRoutes } from './state.js';
import { statusRoutes } from './status.js';
import { makeSummaryRoutes, type SummaryPart } from './summary.js';

interface ControlSource<S extends object> {
  readonly definitions: Definitions;
  readonly generator?: Generator | undefined;
  readonly summary: SummaryPart<S>;
}

/** Makes the operations of the control API that every service has. */
export const makeControlRoutes = <S extends object>({ definitions, generator, summary }: ControlSource<S>) => [
  ...statusRoutes,
  ...signInRoutes,
  ...makeSeedRoutes(generator),
  ...makeStateRoutes(definitions),
  ...snapshotRoutes,
  ...requestRoutes,
  ...historyRoutes,
  ...rateLimitRoutes,
  ...faultRoutes,
  ...clockRoutes,
  ...eventRoutes,
  ...sandboxRoutes,
  ...comparisonRoutes,
  ...documentRoutes,
  ...makeSummaryRoutes(summary),
  ...collectionRoutes,
  ...makeRecordRoutes(definitions),
  ...nameRoutes,
  ...findRoutes,
  ...makeRecordFileRoutes(definitions),
  ...makeRecordWriteRoutes(definitions),
  ...makeExportRoutes(definitions),
];

export const listControlRoutes = ({
  ownControlRoutes,
  ...source
}: ControlSource<object> & {
  readonly ownControlRoutes: readonly Route<ControlContext>[];
}): Route<ControlContext>[] => [...makeControlRoutes(source), ...ownControlRoutes];
