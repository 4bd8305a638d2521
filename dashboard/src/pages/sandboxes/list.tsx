import { useEffect, useState } from 'preact/hooks';
import { control, dashboardUrl, root, sandboxName } from '../../lib/api.js';
import { formatAge, formatBytes, formatNumber, formatTime } from '../../lib/format.js';
import { sandboxes as live, requests } from '../../lib/live.js';
import { at, href } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { SandboxRecord } from '../../lib/types.js';
import { ConfirmDialog } from '../../ui/confirm.js';
import { Badge, Button, CopyButton, ErrorMessage, Panel } from '../../ui/elements.js';
import { Form, TextField, useSubmission } from '../../ui/form.js';

/** Milliseconds between two reads: other sandboxes send no events to this page. */
const INTERVAL_MS = 3_000;
/** Sandboxes that are listed at once. */
const LISTED = 200;
/** More than this get a filter. */
const MANY = 8;

const open = (name: string): void => {
  window.location.href = dashboardUrl(name);
};

/** Reads the sandboxes with their use, now and then, and when one is added or closed. */
function useSandboxes() {
  const resource = useResource<SandboxRecord[]>('/sandboxes', 'journal');
  const { reload } = resource;
  const names = live.value;
  useEffect(() => {
    reload();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [names]);
  return resource;
}

export function SandboxList() {
  const { data, error } = useSandboxes();
  const [filter, setFilter] = useState('');
  const [closing, setClosing] = useState<Closing | undefined>(undefined);
  const sorted = [...(data ?? live.value)].sort((a, b) => b.lastUse.localeCompare(a.lastUse));
  const found = sorted.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <Panel
      title={`Sandboxes: ${formatNumber(sorted.length + 1)}`}
      actions={
        <>
          {sorted.length > MANY && (
            <input
              type="search"
              aria-label="Filter sandboxes by name"
              placeholder="Filter by name"
              value={filter}
              onInput={({ currentTarget }) => setFilter(currentTarget.value)}
            />
          )}
          {sorted.length > 0 && (
            <Button kind="danger" onClick={() => setClosing({ prefix: filter.trim() })}>
              Close by prefix
            </Button>
          )}
        </>
      }
    >
      {error && <ErrorMessage error={error} />}
      <CreateForms />
      <div class="table-scroll nowrap cards">
        <table class="sandbox-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Requests
              </th>
              <th scope="col" class="number">
                Size of requests
              </th>
              <th scope="col">Owner</th>
              <th scope="col">Created</th>
              <th scope="col">Last use</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <DefaultRow />
            {found.slice(0, LISTED).map((sandbox) => (
              <SandboxRow
                key={sandbox.name}
                sandbox={sandbox}
                onClose={() => setClosing({ name: sandbox.name, requests: sandbox.requests })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {found.length > LISTED && (
        <p class="list-rest muted">{formatNumber(found.length - LISTED)} more: filter by name to find them.</p>
      )}
      {filter !== '' && found.length === 0 && <p class="list-rest muted">No sandbox has this in its name.</p>}
      {closing && 'name' in closing && <CloseDialog {...closing} onClose={() => setClosing(undefined)} />}
      {closing && 'prefix' in closing && (
        <ClosePrefixDialog sandboxes={sorted} prefix={closing.prefix} onClose={() => setClosing(undefined)} />
      )}
    </Panel>
  );
}

/** What is about to be closed. */
type Closing = { readonly name: string; readonly requests: number } | { readonly prefix: string };

const Current = () => <Badge kind="changed">this one</Badge>;

/** The default sandbox, which is always there. */
const DefaultRow = () => (
  <tr>
    <td>
      <span class="sandbox-name">
        <span>default</span>
        {sandboxName === '' && <Current />}
      </span>
    </td>
    <td class="number" data-label="Requests">
      {sandboxName === '' && formatNumber(requests.value.length)}
    </td>
    <td class="muted wraps" colSpan={4}>
      For requests without the name of a sandbox
    </td>
    <td>
      <div class="row-actions">
        <CopyButton text={root} label="Copy the base URL of the default sandbox" />
        {sandboxName !== '' && <Button onClick={() => open('')}>Open</Button>}
      </div>
    </td>
  </tr>
);

const SandboxRow = ({
  sandbox: { name, url, requests, journalSize, owner, forkedFrom, createdAt, lastUse, expiresAt, kept },
  onClose,
}: {
  readonly sandbox: SandboxRecord;
  readonly onClose: () => void;
}) => (
  <tr>
    <td>
      <span class="sandbox-name">
        <span>{name}</span>
        {name === sandboxName && <Current />}
        {kept && <Badge kind="added">kept</Badge>}
      </span>
      {forkedFrom && <Source {...forkedFrom} />}
    </td>
    <td class="number" data-label="Requests">
      {formatNumber(requests)}
    </td>
    <td
      class="number"
      data-label="Size of requests"
      title={`${formatNumber(journalSize)} bytes of paths, headers and bodies`}
    >
      {formatBytes(journalSize)}
    </td>
    <td data-label="Owner">{owner ?? '–'}</td>
    <td data-label="Created">
      <Age time={createdAt} />
    </td>
    <td data-label="Last use">
      <Age time={lastUse} more={expiresAt === null ? '' : `; expires at ${formatTime(expiresAt)}`} />
    </td>
    <td>
      <div class="row-actions">
        <CopyButton text={url} label={`Copy the base URL of ${name}`} />
        {name !== sandboxName && (
          <Button onClick={() => open(name)} label={`Open ${name}`}>
            Open
          </Button>
        )}
        <Button icon="close" kind="plain" label={`Close ${name}`} onClick={onClose} />
      </div>
    </td>
  </tr>
);

/** The state that a sandbox was forked from. */
const Source = ({ sandbox, commit }: NonNullable<SandboxRecord['forkedFrom']>) => (
  <span class="sandbox-source muted">
    Fork of{' '}
    <a href={`${dashboardUrl(sandbox)}${href('/time', { at: commit ?? 'start' })}`}>
      {sandbox || 'default'} at {commit ?? 'its start'}
    </a>
  </span>
);

const Age = ({ time, more = '' }: { readonly time: string; readonly more?: string }) => (
  <time dateTime={time} title={formatTime(time) + more}>
    {formatAge(time, Date.now())}
  </time>
);

function CreateForms() {
  const [name, setName] = useState('');
  const submission = useSubmission();
  const title = name.trim() === '' ? undefined : name.trim();
  const go = async (make: () => Promise<{ readonly name: string }>) => {
    await submission.run(async () => open((await make()).name));
  };
  return (
    <div class="panel-form">
      <Form
        label="Create a sandbox"
        submission={submission}
        button="Create"
        icon="add"
        inline
        onSubmit={() => void go(() => control.openSandbox({ name: title }))}
        more={
          <Button
            icon="fork"
            disabled={submission.isBusy}
            label={`Make a sandbox with ${at.value === undefined ? 'the state of this one' : 'the state as of then'}`}
            onClick={() => void go(() => control.forkSandbox({ name: title, at: at.value }))}
          >
            Fork this one
          </Button>
        }
      >
        <TextField
          label="Name of a new sandbox"
          value={name}
          onInput={setName}
          placeholder="A new name"
          hint="1–64 of A–Z a–z 0–9 . _ -"
        />
      </Form>
    </div>
  );
}

const CloseDialog = ({
  name,
  requests,
  onClose,
}: {
  readonly name: string;
  readonly requests: number;
  readonly onClose: () => void;
}) => (
  <ConfirmDialog
    title={`Close ${name}`}
    button="Close the sandbox"
    done={`Closed ${name}.`}
    onClose={onClose}
    action={async () => {
      await control.closeSandbox({ name });
      if (name === sandboxName) open('');
    }}
  >
    <p>
      Its records, faults, clock, snapshots, history and {formatNumber(requests)} recorded requests are lost. Late
      requests to it get a 404. The name can be used again.
    </p>
  </ConfirmDialog>
);

function ClosePrefixDialog({
  sandboxes,
  prefix: initial,
  onClose,
}: {
  readonly sandboxes: readonly SandboxRecord[];
  readonly prefix: string;
  readonly onClose: () => void;
}) {
  const [prefix, setPrefix] = useState(initial);
  const names = sandboxes.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  return (
    <ConfirmDialog
      title="Close sandboxes by prefix"
      disabled={names.length === 0}
      button={names.length === 1 ? 'Close 1 sandbox' : `Close ${formatNumber(names.length)} sandboxes`}
      done="Closed the sandboxes."
      onClose={onClose}
      action={async () => {
        await control.closeSandboxes({ prefix });
        if (sandboxName !== '' && sandboxName.startsWith(prefix)) open('');
      }}
    >
      <TextField
        label="Names that begin with"
        value={prefix}
        onInput={setPrefix}
        placeholder="Empty for all named sandboxes"
      />
      <p>
        {names.length === 0
          ? 'No name begins with this.'
          : `The data of ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${formatNumber(names.length - 5)} more` : ''} are lost.`}
      </p>
    </ConfirmDialog>
  );
}
