import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { withQuery } from '../../lib/api.js';
import { findTable, pluralOf, singularOf } from '../../lib/collections.js';
import { capitalize, formatNumber } from '../../lib/format.js';
import { at, pathOf, place, setQuery } from '../../lib/location.js';
import { useLast, useResource } from '../../lib/resource.js';
import type { RecordDetail, RelatedRecords } from '../../lib/types.js';
import { Button, Empty, ErrorMessage, Link, Page, Panel, Properties, Tabs } from '../../ui/elements.js';
import { Menu } from '../../ui/menu.js';
import { AddDialog } from './add.js';
import type { Content, TableAddress } from './content.js';
import { DeleteDialog } from './delete.js';
import { hasDraft, RecordEditor } from './editor.js';
import { RecordHistory } from './history.js';
import { SmallTable } from './small-table.js';
import { nameOf, viewOf } from './views.js';

/** A record with all that belongs to it. */
export function RecordDetails({ collection, id }: { readonly collection: string; readonly id: string }) {
  const path = withQuery(`/records${pathOf(collection, id)}`, { at: at.value });
  const { data: found, error, reload } = useResource<RecordDetail>(path);
  const last = useLast(found);
  // A text that is being edited stays when another program deletes its record.
  const data = found ?? (at.value === undefined && hasDraft(id) ? last : undefined);
  const back = (
    <Link to={pathOf('data', collection)} class="back">
      {capitalize(pluralOf(collection))}
    </Link>
  );
  if (error?.status === 404 && !data) {
    return (
      <Page title={capitalize(singularOf(collection))} subtitle={back}>
        <Empty title={`This ${singularOf(collection)} does not exist`}>
          <p>{error.message}</p>
        </Empty>
        {at.value === undefined && (
          <Panel title="History">
            <div class="panel-body">
              <RecordHistory collection={collection} id={id} />
            </div>
          </Panel>
        )}
      </Page>
    );
  }
  if (!data) {
    return (
      <Page title={capitalize(singularOf(collection))} subtitle={back}>
        {error && <ErrorMessage error={error} />}
      </Page>
    );
  }
  return <LoadedRecord collection={collection} detail={data} back={back} reload={reload} />;
}

type Open = 'delete' | string;

interface LoadedRecordProps {
  readonly collection: string;
  readonly detail: RecordDetail;
  readonly back: ComponentChildren;
  readonly reload: () => void;
}

function LoadedRecord({ collection, detail, back, reload }: LoadedRecordProps) {
  const { record } = detail;
  const [isEditing, setEditing] = useState(() => hasDraft(record.id));
  const [open, setOpen] = useState<Open | undefined>(undefined);
  const close = () => setOpen(undefined);
  const isNow = at.value === undefined;
  const content = viewOf(collection).describe(record, detail);
  const history = {
    id: 'history',
    title: 'History',
    content: <RecordHistory collection={collection} id={record.id} />,
  };
  const actions = isNow && !isEditing && (
    <>
      <Button icon="edit" kind="primary" onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Menu>
        {(viewOf(collection).added ?? []).map((added) => (
          <Button key={added} icon="add" onClick={() => setOpen(added)}>
            Add {singularOf(added)}
          </Button>
        ))}
        <Button icon="remove" kind="danger" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </Menu>
    </>
  );
  return (
    <Page title={nameOf(collection, record)} subtitle={back} actions={actions}>
      {isEditing && isNow ? (
        <RecordEditor
          collection={collection}
          record={record}
          onClose={() => {
            setEditing(false);
            reload();
          }}
        />
      ) : (
        <>
          <Panel title={capitalize(singularOf(collection))} class="record-panel">
            <div class="panel-body">
              <Properties items={content.properties} />
            </div>
          </Panel>
          <RecordTabs content={{ ...content, parts: [...(content.parts ?? []), history] }} detail={detail} />
        </>
      )}
      {open === 'delete' && <DeleteDialog collection={collection} detail={detail} onClose={close} />}
      {open !== undefined && open !== 'delete' && (
        <AddDialog
          collection={open}
          onClose={close}
          initial={collection === 'vals' ? { val: nameOf('vals', record) } : { author: nameOf('users', record) }}
        />
      )}
    </Page>
  );
}

/** The parts of a record and the records that belong to it, one at a time. */
function RecordTabs({ content, detail }: { readonly content: Content; readonly detail: RecordDetail }) {
  const { parts = [], related: tables = {} } = content;
  const shown = Object.entries(tables).flatMap(([name, link]) => {
    const related = detail.related[name];
    return related ? [{ id: name, related, link }] : [];
  });
  const tabs = [
    ...parts.map(({ id, title }) => ({ id, title })),
    ...shown.map(({ id, related }) => ({
      id,
      title: (
        <>
          {capitalize(pluralOf(id))} <span class="count">{formatNumber(related.total)}</span>
        </>
      ),
    })),
  ];
  const wanted = place.value.query.get('tab');
  const selected = tabs.find(({ id }) => id === wanted)?.id ?? tabs[0]?.id;
  if (selected === undefined) return null;
  const part = parts.find(({ id }) => id === selected);
  const related = shown.find(({ id }) => id === selected);
  return (
    <Panel title={<span class="visually-hidden">{capitalize(selected)}</span>} class="tabs-panel">
      <div class="tabs-bar">
        <Tabs label="Parts of the record" tabs={tabs} selected={selected} onSelect={(tab) => setQuery({ tab })} />
      </div>
      <div class={part ? 'panel-body' : ''}>
        {part?.content}
        {related && <RelatedTable name={selected} related={related.related} link={related.link} />}
      </div>
    </Panel>
  );
}

interface RelatedTableProps {
  readonly name: string;
  readonly related: RelatedRecords;
  /** Where all of them are, if a table can select them. */
  readonly link: TableAddress | undefined;
}

function RelatedTable({ name, related: { collection, total, records }, link }: RelatedTableProps) {
  if (total === 0 || !findTable(collection)) return <Empty title={`No ${pluralOf(name)}`} />;
  return (
    <>
      <SmallTable
        collection={collection}
        columns={viewOf(collection).columns}
        records={records}
        label={capitalize(pluralOf(name))}
      />
      {total > records.length && (
        <p class="panel-body muted">
          These are {formatNumber(records.length)} of {formatNumber(total)}.{' '}
          {link && (
            <Link to={link.path} query={link.query}>
              Show all {formatNumber(total)}
            </Link>
          )}
        </p>
      )}
      {link && total <= records.length && total > 1 && (
        <p class="panel-body">
          <Link to={link.path} query={link.query}>
            Show in the table
          </Link>
        </p>
      )}
    </>
  );
}
