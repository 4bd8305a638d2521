import { useState } from 'preact/hooks';
import { control } from '../../lib/api.js';
import { formatNumber, formatTime } from '../../lib/format.js';
import { commits, snapshots } from '../../lib/live.js';
import { at } from '../../lib/location.js';
import type { SnapshotRecord } from '../../lib/types.js';
import { ConfirmDialog } from '../../ui/confirm.js';
import { Age, Button, Empty, Panel } from '../../ui/elements.js';
import { Form, TextField, useSubmission } from '../../ui/form.js';

export function SnapshotPanel() {
  const [asked, setAsked] = useState<{ readonly name: string; readonly verb: 'restore' | 'drop' } | undefined>(
    undefined,
  );
  const list = [...snapshots.value].reverse();
  const close = () => setAsked(undefined);
  return (
    <Panel title={list.length === 0 ? 'Snapshots' : `Snapshots: ${formatNumber(list.length)}`}>
      {list.length === 0 ? (
        <Empty title="No snapshots">
          <p>A snapshot is the whole state of this sandbox, to go back to at any time.</p>
        </Empty>
      ) : (
        <div class="table-scroll nowrap">
          <table class="sandbox-table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Taken</th>
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((snapshot) => (
                <SnapshotRow key={snapshot.name} snapshot={snapshot} onAsk={setAsked} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {at.value === undefined && <TakeForm />}
      {asked?.verb === 'restore' && (
        <ConfirmDialog
          title={`Restore ${asked.name}`}
          button="Restore"
          done={`Restored ${asked.name}.`}
          onClose={close}
          action={() => control.restoreSnapshot({ name: asked.name })}
        >
          <p>
            Records, ids, clock, faults and rate limits become those of the snapshot. What changed since then is lost,
            and so are the {formatNumber(commits.value.length)} commits of the history, unless another snapshot has it.
          </p>
        </ConfirmDialog>
      )}
      {asked?.verb === 'drop' && (
        <ConfirmDialog
          title={`Drop ${asked.name}`}
          button="Drop"
          done={`Dropped ${asked.name}.`}
          onClose={close}
          action={() => control.dropSnapshot({ name: asked.name })}
        >
          <p>Nobody can restore it any more. The current state stays as it is.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const SnapshotRow = ({
  snapshot: { name, time },
  onAsk,
}: {
  readonly snapshot: SnapshotRecord;
  readonly onAsk: (asked: { readonly name: string; readonly verb: 'restore' | 'drop' }) => void;
}) => (
  <tr>
    <td class="wraps">{name}</td>
    <td>
      {formatTime(time).slice(0, 19)}{' '}
      <span class="muted">
        <Age time={time} />
      </span>
    </td>
    <td>
      <div class="row-actions">
        {at.value === undefined && (
          <Button onClick={() => onAsk({ name, verb: 'restore' })} label={`Restore ${name}`}>
            Restore
          </Button>
        )}
        <Button icon="remove" kind="plain" label={`Drop ${name}`} onClick={() => onAsk({ name, verb: 'drop' })} />
      </div>
    </td>
  </tr>
);

function TakeForm() {
  const [name, setName] = useState('');
  const submission = useSubmission(['name']);
  const trimmed = name.trim();
  const isTaken = snapshots.value.some((snapshot) => snapshot.name === trimmed);
  const take = async () => {
    const body = trimmed === '' ? {} : { name: trimmed };
    if (await submission.run(() => control.takeSnapshot(body), 'Took a snapshot.')) setName('');
  };
  return (
    <div class="panel-foot">
      <Form
        label="Take a snapshot"
        submission={submission}
        button={isTaken ? 'Replace snapshot' : 'Take snapshot'}
        icon="camera"
        inline
        onSubmit={() => void take()}
      >
        <TextField
          label="Name of a new snapshot"
          value={name}
          onInput={setName}
          placeholder="A new name"
          error={submission.errorAt('name')}
        />
      </Form>
    </div>
  );
}
