import { signal } from '@preact/signals';
import { withQuery } from '../../lib/api.js';
import { formatTime } from '../../lib/format.js';
import { at, place, setQuery } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { RecordPage, Row } from '../../lib/types.js';
import { Empty, ErrorMessage, Field, Tabs } from '../../ui/elements.js';
import { LinesDiff, SideBySide } from '../../ui/lines.js';
import { textOf } from './columns.js';
import { SmallTable } from './small-table.js';
import { versions } from './views/versions.js';

/** Versions that can be compared: the newest. */
const MAX_VERSIONS = 200;

type View = 'sides' | 'lines';
const view = signal<View>(window.matchMedia('(max-width: 760px)').matches ? 'lines' : 'sides');

/** Two versions of a val beside each other, and the list of all. */
export function CompareVersions({ valId }: { readonly valId: string }) {
  const where = JSON.stringify({ valId });
  const query = { where, sort: 'version', order: 'desc', limit: MAX_VERSIONS, at: at.value };
  const { data, error } = useResource<RecordPage>(withQuery('/records/versions', query));
  if (error) return <ErrorMessage error={error} />;
  if (!data) return null;
  const { records, total } = data;
  const [latest, previous] = records;
  if (!latest) return <Empty title="No versions" />;
  return (
    <div class="stack">
      {previous ? (
        <Comparison versions={records} />
      ) : (
        <p class="muted">There is one version only: nothing to compare.</p>
      )}
      <div class="boxed">
        <SmallTable collection="versions" columns={versions.columns} records={records} label="Versions" />
      </div>
      {total > records.length && (
        <p class="muted">
          These are the newest {records.length} of {total}.
        </p>
      )}
    </div>
  );
}

/** @param versions newest first */
function Comparison({ versions }: { readonly versions: readonly Row[] }) {
  const find = (name: string) => versions.findIndex(({ version }) => String(version) === place.value.query.get(name));
  const toIndex = Math.max(0, find('to'));
  const foundFrom = find('from');
  const fromIndex = foundFrom >= 0 ? foundFrom : Math.min(toIndex + 1, versions.length - 1);
  const before = textOf(versions[fromIndex]?.code);
  const after = textOf(versions[toIndex]?.code);
  const choose = (name: 'from' | 'to', index: number) => (
    <select
      value={textOf(versions[index]?.version)}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      {versions.map((version) => (
        <option key={version.id} value={textOf(version.version)}>
          {textOf(version.version)} · {formatTime(textOf(version.createdAt))}
        </option>
      ))}
    </select>
  );
  return (
    <>
      <div class="compare-bar">
        <Field label="Version">{choose('from', fromIndex)}</Field>
        <Field label="Compared with">{choose('to', toIndex)}</Field>
        <Tabs
          label="How to compare"
          tabs={[
            { id: 'sides', title: 'Side by side' },
            { id: 'lines', title: 'Changed lines' },
          ]}
          selected={view.value}
          onSelect={(next) => {
            view.value = next;
          }}
        />
      </div>
      {before === after ? (
        <p class="muted">Both have the same code.</p>
      ) : view.value === 'sides' ? (
        <SideBySide before={before} after={after} />
      ) : (
        <LinesDiff before={before} after={after} />
      )}
    </>
  );
}
