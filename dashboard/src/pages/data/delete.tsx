import { send } from '../../lib/api.js';
import { listReferring, pluralOf, singularOf } from '../../lib/collections.js';
import { formatNoun, formatNumber } from '../../lib/format.js';
import { navigate, pathOf } from '../../lib/location.js';
import type { RecordDetail } from '../../lib/types.js';
import { ConfirmDialog } from '../../ui/confirm.js';
import { nameOf, viewOf } from './views.js';

interface DeleteDialogProps {
  readonly collection: string;
  readonly detail: RecordDetail;
  readonly onClose: () => void;
}

/** Asks before a record is deleted, and says what goes with it. */
export function DeleteDialog({ collection, detail: { record, related }, onClose }: DeleteDialogProps) {
  const { note } = viewOf(collection);
  const others = listReferring(collection).flatMap((name) => {
    const total = related[name]?.total ?? 0;
    return total === 0 ? [] : [`${formatNumber(total)} ${formatNoun(total, pluralOf(name))}`];
  });
  return (
    <ConfirmDialog
      title={`Delete this ${singularOf(collection)}?`}
      button="Delete"
      done={`Deleted the ${singularOf(collection)}.`}
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
      {note !== undefined && <p class="muted">{note}</p>}
      <p class="muted">The page Time can take it back.</p>
    </ConfirmDialog>
  );
}
