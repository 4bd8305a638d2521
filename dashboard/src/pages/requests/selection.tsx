import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { formatNumber } from '../../lib/format.js';
import { requests } from '../../lib/live.js';
import { Button } from '../../ui/elements.js';
import { useFilter } from './filters.js';
import { TestDialog } from './test-dialog.js';

/** Requests of a test at most: each is sent once to try the test. */
const MAX_CHOSEN = 50;

/** The ids of the requests that are checked. */
export const chosen = signal<ReadonlySet<string>>(new Set());

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
  const [isWriting, setWriting] = useState(false);
  const filter = useFilter();
  const entries = requests.value.filter(({ id }) => chosen.value.has(id));
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
      <Button icon="check" kind="primary" disabled={entries.length > MAX_CHOSEN} onClick={() => setWriting(true)}>
        {entries.length > MAX_CHOSEN ? `At most ${MAX_CHOSEN} in a test` : 'Turn into a test'}
      </Button>
      {isWriting && <TestDialog ids={entries.map(({ id }) => id)} onClose={() => setWriting(false)} />}
    </div>
  );
}
