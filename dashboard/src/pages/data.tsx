import { useEffect } from 'preact/hooks';
import { withQuery } from '../lib/api.js';
import { findTable, hasVals, pluralOf, tables } from '../lib/collections.js';
import { capitalize, formatNumber } from '../lib/format.js';
import { at, href, pathOf, place } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { Summary } from '../lib/types.js';
import { Empty, Link, Page } from '../ui/elements.js';
import { CollectionPage } from './data/collection.js';
import { RecordDetails } from './data/detail.js';

/** The records of the sandbox: a table for each collection, and a page for each record. */
export function DataPage() {
  const [, name = '', id] = place.value.segments;
  const collection = findTable(name)?.name;
  const first = hasVals.value ? 'vals' : (tables.value[0]?.name ?? 'none');
  useEffect(() => {
    if (name === '') window.location.replace(href(`/data/${first}`));
  }, [name]);
  if (name === '') return null;
  if (collection && id !== undefined)
    return <RecordDetails key={`${collection} ${id}`} collection={collection} id={id} />;
  if (collection) {
    return <CollectionPage collection={collection} navigation={<DataNavigation current={collection} />} />;
  }
  return (
    <Page title="Data">
      <DataNavigation current="" />
      <Empty title={`There is no collection ${JSON.stringify(name)}`}>
        <Link to={`/data/${first}`}>Go to the {pluralOf(first)}</Link>
      </Empty>
    </Page>
  );
}

/** Links to the tables, each with the number of its records. */
function DataNavigation({ current }: { readonly current: string }) {
  const { data } = useResource<Summary>(withQuery('/summary', { at: at.value }));
  return (
    <nav class="data-navigation" aria-label="Collections">
      {tables.value.map(({ name, plural }) => (
        <Link key={name} to={pathOf('data', name)} current={name === current}>
          {capitalize(plural)}
          <span class="count">{data && formatNumber(data.counts[name] ?? 0)}</span>
        </Link>
      ))}
    </nav>
  );
}
