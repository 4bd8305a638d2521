import { useState } from 'preact/hooks';
import { withQuery } from '../lib/api.js';
import { faults as armed } from '../lib/live.js';
import { at, place } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { FaultRecord } from '../lib/types.js';
import { ErrorMessage, Page } from '../ui/elements.js';
import { PastNote } from '../ui/past.js';
import { ChaosPanel } from './faults/chaos.js';
import { FaultForm } from './faults/form.js';
import { FaultList } from './faults/list.js';
import { RateLimitPanel } from './faults/rate-limit.js';

export function FaultsPage() {
  const isPast = at.value !== undefined;
  const past = useResource<FaultRecord[]>(isPast ? withQuery('/faults', { at: at.value }) : undefined);
  const faults = isPast ? past.data : armed.value;
  const [isArming, setArming] = useState(place.value.query.has('route'));
  return (
    <Page
      title="Faults and limits"
      subtitle="Make requests fail, wait or break, as the service may, and see what your program does."
    >
      {isPast && <PastNote>These are the faults as of then. Arm and disarm faults in the current state.</PastNote>}
      {past.error && <ErrorMessage error={past.error} />}
      {!isPast && <FaultForm isOpen={isArming} onOpen={setArming} />}
      {faults && <FaultList faults={faults} isReadOnly={isPast} />}
      {!isPast && <ChaosPanel />}
      <RateLimitPanel />
    </Page>
  );
}
