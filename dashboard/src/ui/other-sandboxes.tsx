import { dashboardUrl, sandboxName } from '../lib/api.js';
import { formatNumber } from '../lib/format.js';
import { useResource } from '../lib/resource.js';
import type { SandboxRecord } from '../lib/types.js';

/** Sandboxes that are named: those that were used last. */
const MAX_NAMED = 5;

/** Says which other sandboxes have received requests, to a reader who looks for them in this one. */
export function OtherSandboxes() {
  const { data = [] } = useResource<SandboxRecord[]>('/sandboxes', 'emulator');
  const used = data
    .filter(({ name, requests }) => name !== sandboxName && requests > 0)
    .sort((a, b) => b.lastUse.localeCompare(a.lastUse));
  if (used.length === 0) return null;
  return (
    <p>
      Other sandboxes have received requests:{' '}
      {used.slice(0, MAX_NAMED).map(({ name, requests }, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <a href={`${dashboardUrl(name)}#/requests`}>{name}</a> ({formatNumber(requests)})
        </span>
      ))}
      {used.length > MAX_NAMED && ` and ${formatNumber(used.length - MAX_NAMED)} more`}.
    </p>
  );
}
