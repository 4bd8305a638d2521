import type { Route } from '../api/route.js';
import { clockRoutes } from '../clock/clock.control.js';
import type { Definitions } from '../definition/definitions.js';
import { faultRoutes } from '../faults/faults.control.js';
import type { Generator } from '../fixtures/generator.js';
import { rateLimitRoutes } from '../rate-limit/rate-limit.control.js';
import { collectionRoutes } from './collections.js';
import { documentRoutes } from './documents.js';
import { eventRoutes } from './events.js';
import { makeExportRoutes } from './export.js';
import { comparisonRoutes, historyRoutes } from './history.js';
import { makeRecordWriteRoutes } from './record-writes.js';
import { makeRecordRoutes } from './records.js';
import { requestRoutes } from './requests.js';
import type { ControlContext } from './route.js';
import { sandboxRoutes } from './sandboxes.js';
import { makeSeedRoutes } from './seed.js';
import { snapshotRoutes } from './snapshots.js';
import { makeStateRoutes } from './state.js';
import { statusRoutes } from './status.js';
import { findRoutes } from './ui/find.js';
import { nameRoutes } from './ui/names.js';
import { makeRecordFileRoutes } from './ui/record-files.js';
import { signInRoutes } from './ui/sign-in.js';
import { makeSummaryRoutes, type SummaryPart } from './ui/summary.js';

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
