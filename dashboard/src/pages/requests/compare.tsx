import type { RequestRecord } from '../../lib/types.js';
import { Loading } from '../../ui/commit.js';
import { Dialog } from '../../ui/dialog.js';
import { FieldsDiff } from '../../ui/diff.js';
import { ErrorMessage } from '../../ui/elements.js';
import { useEntries } from './replay.js';

/** The parts of a request that another one can share. */
const toComparable = ({ status, user, fault, delay, outcome, request, response }: RequestRecord) => ({
  ...{ id: '', status, user, fault, delay, outcome, 'request body': request.body, 'response body': response.body },
  ...Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) => (name === 'date' ? [] : [[`response ${name}`, value]])),
  ),
});

/** What differs between two requests. */
export function Comparison({ before, after }: { readonly before: RequestRecord; readonly after: RequestRecord }) {
  const [old, now] = [toComparable(before), toComparable(after)];
  if (JSON.stringify(old) === JSON.stringify(now)) return <p>Both are the same, except for their times.</p>;
  return (
    <>
      <p>These parts differ:</p>
      <FieldsDiff before={old} after={now} />
    </>
  );
}

/** What differs between any two requests. */
export function CompareDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const { entries, error } = useEntries(ids);
  const [before, after] = entries ?? [];
  return (
    <Dialog title={`Compare ${ids.join(' with ')}`} onClose={onClose}>
      <div class="stack">
        {error && <ErrorMessage error={error} />}
        {!entries && !error && <Loading />}
        {before && after && <Comparison before={before} after={after} />}
      </div>
    </Dialog>
  );
}
