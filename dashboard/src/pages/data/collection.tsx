import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { send, withQuery } from '../../lib/api.js';
import { pluralOf, singularOf } from '../../lib/collections.js';
import { capitalize, formatNoun, formatNumber } from '../../lib/format.js';
import { at, place } from '../../lib/location.js';
import type { RecordPage } from '../../lib/types.js';
import { ActionButton, Button, Empty, ErrorMessage, Page } from '../../ui/elements.js';
import { AddDialog } from './add.js';
import { ExportDialog } from './export.js';
import { clearFilters, Filters, isFiltered } from './filters.js';
import { getList, listPath } from './records.js';
import { clearSelection, select, selectedCount, selection } from './selection.js';
import { RecordTable } from './table.js';

/** Records that "Select all" selects at most. */
const MAX_SELECTED = 5_000;
const PAGE = 1_000;

interface CollectionPageProps {
  readonly collection: string;
  readonly navigation: ComponentChildren;
}

export function CollectionPage({ collection, navigation }: CollectionPageProps) {
  const [isAdding, setAdding] = useState(false);
  const path = listPath(collection, place.value.query);
  const list = getList(path);
  useEffect(() => list.follow(), [list]);
  // The rows of before are shown until there are others.
  const last = useRef({ collection, list });
  if (list.total.value !== undefined) last.current = { collection, list };
  const shown = last.current.collection === collection ? last.current.list : list;
  const total = shown.total.value;
  const error = list.error.value;
  const isBroken = error !== undefined && (error.status !== 0 || total === undefined);
  return (
    <Page
      title="Data"
      windowTitle={capitalize(pluralOf(collection))}
      fills
      actions={
        at.value === undefined && (
          <Button icon="add" kind="primary" onClick={() => setAdding(true)}>
            Add {singularOf(collection)}
          </Button>
        )
      }
    >
      {navigation}
      <search class="toolbar">
        <Filters collection={collection} first={shown.get(0)} />
        <span class="total muted number" role="status">
          {total !== undefined && !isBroken && `${formatNumber(total)} ${formatNoun(total, pluralOf(collection))}`}
        </span>
      </search>
      {isBroken ? (
        <ErrorMessage error={error} />
      ) : total === 0 ? (
        <NoRecords collection={collection} onAdd={() => setAdding(true)} />
      ) : (
        total !== undefined && <RecordTable collection={collection} list={shown} total={total} />
      )}
      <SelectionBar collection={collection} path={path} total={total ?? 0} />
      {isAdding && <AddDialog collection={collection} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function NoRecords({ collection, onAdd }: { readonly collection: string; readonly onAdd: () => void }) {
  if (isFiltered(collection)) {
    return (
      <Empty title={`No ${pluralOf(collection)} match`}>
        <Button onClick={() => clearFilters(collection)}>Clear filters</Button>
      </Empty>
    );
  }
  return (
    <Empty title={`There are no ${pluralOf(collection)}`}>
      {at.value === undefined ? (
        <>
          <p>Add one here, or send a request to the API.</p>
          <Button icon="add" onClick={onAdd}>
            Add {singularOf(collection)}
          </Button>
        </>
      ) : (
        <p>There were none at this point in time.</p>
      )}
    </Empty>
  );
}

/** Says what is selected, and exports it. */
function SelectionBar({
  collection,
  path,
  total,
}: {
  readonly collection: string;
  readonly path: string;
  readonly total: number;
}) {
  const [isExporting, setExporting] = useState(false);
  const count = selectedCount.value;
  const selectedHere = selection.value[collection]?.size ?? 0;
  const selectAll = async () => {
    for (let offset = 0; offset < Math.min(total, MAX_SELECTED); offset += PAGE) {
      const { records } = await send<RecordPage>('GET', withQuery(path, { offset, limit: PAGE }));
      select(
        collection,
        records.map(({ id }) => id),
        true,
      );
    }
  };
  if (count === 0) return null;
  const kinds = Object.entries(selection.value).flatMap(([name, { size }]) => {
    return size === 0 ? [] : [`${formatNumber(size)} ${formatNoun(size, pluralOf(name))}`];
  });
  return (
    <div class="selection-bar">
      <span role="status">Selected: {kinds.join(', ')}</span>
      {selectedHere < Math.min(total, MAX_SELECTED) && (
        <ActionButton kind="plain" action={selectAll}>
          Select{' '}
          {total > MAX_SELECTED
            ? `the first ${formatNumber(MAX_SELECTED)} that match`
            : `all ${formatNumber(total)} that match`}
        </ActionButton>
      )}
      <Button kind="plain" onClick={clearSelection}>
        Clear selection
      </Button>
      <Button icon="download" onClick={() => setExporting(true)}>
        Export as a fixture
      </Button>
      {isExporting && <ExportDialog onClose={() => setExporting(false)} />}
    </div>
  );
}
