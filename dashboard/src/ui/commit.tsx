import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { formatClock, formatNumber } from '../lib/format.js';
import { pathOf } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { ChangeCounts, CommitDetail } from '../lib/types.js';
import { Dialog } from './dialog.js';
import { ChangeView } from './diff.js';
import { ActionButton, Button, ErrorMessage } from './elements.js';
import { RowsView } from './rows.js';
import { toast } from './toast.js';
import { commitsAfter, stateBefore, takeBack } from './travel.js';

// What commits did, and how to take them back.

/** Changes that are shown at first: a diff of a thousand records is slow to draw. */
const SHOWN_CHANGES = 25;

/** Says that something is read. It appears after a moment, so that a fast read does not flicker. */
export const Loading = () => (
  <p class="loading muted" role="status">
    Loading…
  </p>
);

const SIGNS = [
  ['added', '+'],
  ['changed', '~'],
  ['removed', '−'],
] as const;

const CountsOf = ({ counts }: { readonly counts: ChangeCounts }) => (
  <>
    {SIGNS.map(([kind, sign]) =>
      counts[kind] > 0 ? (
        <span key={kind} class={`sign-count ${kind}`} title={`${formatNumber(counts[kind])} ${kind}`}>
          {sign}
          {formatNumber(counts[kind])}
          <span class="visually-hidden"> {kind} </span>
        </span>
      ) : null,
    )}
  </>
);

/** Records that a commit added, changed and removed, by collection: `vals +1 ~2`. */
export function Counts({ counts }: { readonly counts: Readonly<Record<string, ChangeCounts>> }) {
  const entries = Object.entries(counts).filter(([, { added, changed, removed }]) => added + changed + removed > 0);
  if (entries.length === 0) return <span class="muted">no records</span>;
  return (
    <span class="change-counts">
      {entries.map(([collection, each]) => (
        <span key={collection} class="count-group">
          <span class="muted">{collection}</span> <CountsOf counts={each} />
        </span>
      ))}
    </span>
  );
}

/** The same as a sum of all collections. */
export function TotalCounts({ counts }: { readonly counts: Readonly<Record<string, ChangeCounts>> }) {
  const sum = (kind: keyof ChangeCounts) => Object.values(counts).reduce((total, each) => total + each[kind], 0);
  return <CountsOf counts={{ added: sum('added'), changed: sum('changed'), removed: sum('removed') }} />;
}

export function CommitChanges({ id }: { readonly id: string }) {
  const { data, error, isLoading } = useResource<CommitDetail>(pathOf('history', id));
  const [shown, setShown] = useState({ id, count: SHOWN_CHANGES });
  const count = shown.id === id ? shown.count : SHOWN_CHANGES;
  if (error?.status === 404) {
    return (
      <p class="panel-body muted">
        The history no longer has {id}: it was taken back, or is older than the last 2,000 commits.
      </p>
    );
  }
  if (error) {
    return (
      <div class="panel-body">
        <ErrorMessage error={error} />
      </div>
    );
  }
  if (isLoading || !data) {
    return (
      <div class="panel-body">
        <Loading />
      </div>
    );
  }
  const { changes, total } = data;
  if (total === 0) {
    return <p class="panel-body muted">It changed no records, but other state, such as the rate limit.</p>;
  }
  const hidden = Math.min(total, changes.length) - count;
  return (
    <>
      {changes.slice(0, count).map((change) => (
        <Fragment key={`${change.collection}/${change.id}`}>
          <ChangeView change={change} before={stateBefore(id)?.at} others={changes} />
          <RowsView rows={change.rows} id={change.id} at={id} />
        </Fragment>
      ))}
      {hidden > 0 && (
        <p class="panel-body">
          <Button onClick={() => setShown({ id, count: count + 200 })}>
            Show {formatNumber(Math.min(hidden, 200))} more of {formatNumber(total)}
          </Button>
        </p>
      )}
      {hidden <= 0 && total > changes.length && (
        <p class="panel-body muted">
          The first {formatNumber(changes.length)} of {formatNumber(total)} changed records are shown.
        </p>
      )}
    </>
  );
}

/** Asks before commits are taken back, and says which. @param at the state to go back to */
export function RewindDialog({ at, onClose }: { readonly at: string; readonly onClose: () => void }) {
  const gone = commitsAfter(at).toReversed();
  const goal = at === 'start' ? 'before the first commit of the history' : `after ${at}`;
  return (
    <Dialog
      title={`Rewind to the state ${goal}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton
            kind="danger"
            icon="rewind"
            disabled={gone.length === 0}
            action={async () => {
              const first = gone.at(-1);
              if (!first) return;
              const undo = await takeBack(first.id);
              toast(`Took back ${gone.length === 1 ? 'one commit' : `${gone.length} commits`}.`, 'success', undo);
              onClose();
            }}
          >
            {gone.length === 1 ? 'Take back one commit' : `Take back ${gone.length} commits`}
          </ActionButton>
        </>
      }
    >
      <div class="stack">
        <p>
          {gone.length === 0
            ? 'There is no later commit: the state is the current one.'
            : 'These commits are taken back, with records, ids, clock, faults and rate limits. The list of requests stays.'}
        </p>
        {gone.length > 0 && (
          <ul class="commit-list">
            {gone.map(({ id, request, time, counts }) => (
              <li key={id}>
                <span class="mono muted">{id}</span>
                <span class="mono truncate">{request}</span>
                <Counts counts={counts} />
                <span class="mono muted">{formatClock(time)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
