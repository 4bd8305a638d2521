import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { withQuery } from '../../lib/api.js';
import { formatTime } from '../../lib/format.js';
import { commits } from '../../lib/live.js';
import { pathOf, travelTo } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { HistoryEntry } from '../../lib/types.js';
import { Loading, RewindDialog } from '../../ui/commit.js';
import { ChangeView } from '../../ui/diff.js';
import { ActionButton, Button, Empty, ErrorMessage, Link } from '../../ui/elements.js';
import { RowsView } from '../../ui/rows.js';
import { forkSandbox, stateBefore } from '../../ui/travel.js';

/** The commits that touched a record, newest first: who sent each, what it changed, and the way back. */
export function RecordHistory({ collection, id }: { readonly collection: string; readonly id: string }) {
  const { data, error } = useResource<readonly HistoryEntry[]>(
    withQuery('/history', { record: `${collection}/${id}` }),
  );
  const [rewind, setRewind] = useState<string | undefined>(undefined);
  if (error && error.status !== 404) return <ErrorMessage error={error} />;
  if (!data && !error) return <Loading />;
  const entries = data?.toReversed() ?? [];
  if (entries.length === 0) {
    return (
      <Empty title="No commit of the history touched it">
        <p>It comes from the seed data, or was changed before the last 2,000 commits.</p>
      </Empty>
    );
  }
  return (
    <ol class="record-history" aria-label="Commits that touched it, newest first">
      {entries.map(({ id: commit, request, time, user, changes }) => {
        const before = stateBefore(commit)?.at;
        return (
          <li key={commit} class="record-entry">
            <p class="record-commit">
              <span class="mono muted">{commit}</span> <span class="mono">{request}</span>
              {user !== null && <span>by {user}</span>}
              <span class="muted">{formatTime(time)}</span>
            </p>
            <div class="actions">
              {commit.startsWith('r') && <Link to={pathOf('requests', commit)}>Open the request</Link>}
              {before !== undefined && (
                <>
                  <Button icon="time" onClick={() => travelTo(before)}>
                    State before
                  </Button>
                  <ActionButton icon="fork" action={() => forkSandbox(before)}>
                    Fork before it
                  </ActionButton>
                  <Button icon="rewind" onClick={() => setRewind(before)}>
                    Take back
                  </Button>
                </>
              )}
            </div>
            {changes.map((change) => (
              <Fragment key={change.id}>
                <ChangeView change={change} before={before} />
                <RowsView rows={change.rows} id={id} at={commit} />
              </Fragment>
            ))}
          </li>
        );
      })}
      {entries.at(-1)?.changes[0]?.type !== 'added' && (
        <li class="muted">Older changes were made before {commits.value[0]?.id ?? 'the history'}.</li>
      )}
      {rewind !== undefined && <RewindDialog at={rewind} onClose={() => setRewind(undefined)} />}
    </ol>
  );
}
