import { effect, signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { formatNumber } from '../../lib/format.js';
import { requests, revisions } from '../../lib/live.js';
import { Button } from '../../ui/elements.js';
import { CompareDialog } from './compare.js';
import { useFilter } from './filters.js';
import { ReplayDialog } from './replay.js';
import { TestDialog } from './test-dialog.js';

/** Requests of a test at most: each is sent once to try the test. */
const MAX_CHOSEN = 50;

/** The ids of the requests that are checked. */
export const chosen = signal<ReadonlySet<string>>(new Set());
// Ids stand for other requests then.
effect(() => {
  if (revisions.lists.value > 0) chosen.value = new Set();
});

export function choose(ids: readonly string[], isChecked: boolean): void {
  const next = new Set(chosen.value);
  for (const id of ids) {
    if (isChecked) next.add(id);
    else next.delete(id);
  }
  chosen.value = next;
}

/** Says which requests are checked, and makes a test of them. */
export function ChosenBar() {
  const [dialog, setDialog] = useState<'test' | 'replay' | 'compare' | undefined>(undefined);
  const close = () => setDialog(undefined);
  const filter = useFilter();
  const entries = requests.value.filter(({ id }) => chosen.value.has(id));
  const ids = entries.map(({ id }) => id);
  const matching = filter(requests.value)
    .slice(-MAX_CHOSEN)
    .map(({ id }) => id);
  if (entries.length === 0) return null;
  return (
    <div class="selection-bar">
      <span role="status">Selected: {formatNumber(entries.length)}</span>
      {entries.length < matching.length && (
        <Button kind="plain" onClick={() => choose(matching, true)}>
          Select {matching.length === MAX_CHOSEN ? `the last ${MAX_CHOSEN}` : `all ${matching.length}`} that match
        </Button>
      )}
      <Button
        kind="plain"
        onClick={() => {
          chosen.value = new Set();
        }}
      >
        Clear selection
      </Button>
      {entries.length === 2 && <Button onClick={() => setDialog('compare')}>Compare</Button>}
      <Button icon="send" disabled={entries.length > MAX_CHOSEN} onClick={() => setDialog('replay')}>
        Send again elsewhere
      </Button>
      <Button icon="check" kind="primary" disabled={entries.length > MAX_CHOSEN} onClick={() => setDialog('test')}>
        {entries.length > MAX_CHOSEN ? `At most ${MAX_CHOSEN} in a test` : 'Turn into a test'}
      </Button>
      {dialog === 'compare' && <CompareDialog ids={ids} onClose={close} />}
      {dialog === 'replay' && <ReplayDialog ids={ids} onClose={close} />}
      {dialog === 'test' && <TestDialog ids={ids} onClose={close} />}
    </div>
  );
}
