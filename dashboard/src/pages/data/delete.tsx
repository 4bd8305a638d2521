import { send } from '../../lib/api.js';
import { formatNoun, formatNumber } from '../../lib/format.js';
import { navigate, pathOf } from '../../lib/location.js';
import { type CollectionName, pluralOf, type RecordDetail } from '../../lib/types.js';
import { ConfirmDialog } from '../../ui/confirm.js';
import { nameOf, SINGULAR } from './columns.js';

/** Related records that are deleted with a record. */
const DELETED_WITH: Readonly<Partial<Record<CollectionName, readonly string[]>>> = {
  users: ['vals', 'runs', 'likes', 'comments', 'blobs', 'sqlite', 'emails'],
  vals: ['versions', 'runs', 'likes', 'comments'],
};

/** Consequences that are no records. */
const NOTES: Readonly<Partial<Record<CollectionName, string>>> = {
  users: 'What others have on these vals goes with them: likes and comments.',
  vals: 'Vals that import it keep their code; the import then leads to nothing.',
  versions: 'If it is the latest, the one before becomes the latest. The only version of a val stays.',
  runs: 'Runs that it started stay.',
};

interface DeleteDialogProps {
  readonly collection: CollectionName;
  readonly detail: RecordDetail;
  readonly onClose: () => void;
}

/** Asks before a record is deleted, and says what goes with it. */
export function DeleteDialog({ collection, detail: { record, related }, onClose }: DeleteDialogProps) {
  const others = (DELETED_WITH[collection] ?? []).flatMap((name) => {
    const total = related[name]?.total ?? 0;
    return total === 0 ? [] : [`${formatNumber(total)} ${formatNoun(total, pluralOf(name))}`];
  });
  return (
    <ConfirmDialog
      title={`Delete this ${SINGULAR[collection]}?`}
      button="Delete"
      done={`Deleted the ${SINGULAR[collection]}.`}
      onClose={onClose}
      action={async () => {
        await send('DELETE', `/records${pathOf(collection, record.id)}`);
        navigate(pathOf('data', collection));
      }}
    >
      <p>
        <b>{nameOf(collection, record)}</b>
      </p>
      {others.length > 0 && <p>Deleted with it: {others.join(', ')}.</p>}
      {NOTES[collection] !== undefined && <p class="muted">{NOTES[collection]}</p>}
      <p class="muted">The page Time can take it back.</p>
    </ConfirmDialog>
  );
}
