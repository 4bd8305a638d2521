import { useEffect, useState } from 'preact/hooks';
import {
  type ApiResponse,
  control,
  dashboardUrl,
  parseBody,
  sandboxName,
  sandboxUrl,
  sendToApi,
} from '../../lib/api.js';
import { sortIds } from '../../lib/format.js';
import { commits, sandboxes } from '../../lib/live.js';
import type { RequestRecord } from '../../lib/types.js';
import { Json } from '../../ui/code.js';
import { Loading } from '../../ui/commit.js';
import { Dialog } from '../../ui/dialog.js';
import { ActionButton, ErrorMessage, StatusBadge } from '../../ui/elements.js';
import { SelectField } from '../../ui/form.js';
import { hasWholeBody } from './copy-as.js';
import { toSendable } from './resend.js';

/** Begins the value of a choice that is a fork; the rest is the id of a commit, or empty for now. */
const FORK = 'fork:';

/** The sandboxes and the states to which requests can be sent: the newest state first. */
const listTargets = () => [
  { value: FORK, title: 'A fork of the current state' },
  { value: '', title: sandboxName === '' ? 'This sandbox' : 'The default sandbox' },
  ...sandboxes.value.map(({ name }) => ({
    value: name,
    title: name === sandboxName ? 'This sandbox' : `The sandbox ${name}`,
  })),
  ...commits.value
    .map(({ id, request }) => ({ value: `${FORK}${id}`, title: `${id} ${request}: a fork of the state after it` }))
    .reverse(),
  ...(commits.value.length > 0 ? [{ value: `${FORK}start`, title: 'A fork of the state at the start' }] : []),
];

interface Replay {
  /** Name of the sandbox. */
  readonly sandbox: string;
  readonly replies: readonly ApiResponse[];
}

async function replay(entries: readonly RequestRecord[], target: string): Promise<Replay> {
  const isFork = target.startsWith(FORK);
  const at = target.slice(FORK.length);
  const sandbox = isFork ? (await control.forkSandbox({ at: at === '' ? undefined : at })).name : target;
  const replies: ApiResponse[] = [];
  const url = sandboxUrl(sandbox);
  for (const entry of entries) replies.push(await sendToApi(toSendable(entry), url));
  return { sandbox, replies };
}

const readEntries = (ids: readonly string[]): Promise<RequestRecord[]> =>
  Promise.all(ids.map((id) => control.getRequest({ id })));

/** Reads requests of the journal, the oldest first. Undefined until they are read. */
export function useEntries(ids: readonly string[]) {
  const [entries, setEntries] = useState<readonly RequestRecord[] | undefined>(undefined);
  const [error, setError] = useState<Error | undefined>(undefined);
  useEffect(() => {
    readEntries(sortIds(ids)).then(setEntries, setError);
  }, []);
  return { entries, error };
}

/** Sends requests to any sandbox and any state, and shows the responses beside those of the journal. */
export function ReplayDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const { entries, error } = useEntries(ids);
  const [target, setTarget] = useState(FORK);
  const [result, setResult] = useState<Replay | undefined>(undefined);
  const cut = entries?.filter((entry) => !hasWholeBody(entry)).map(({ id }) => id) ?? [];
  return (
    <Dialog title="Send again elsewhere" onClose={onClose}>
      <div class="stack">
        <SelectField label="To" value={target} options={listTargets()} onSelect={setTarget} />
        {error && <ErrorMessage error={error} />}
        {!entries && !error && <Loading />}
        {cut.length > 0 && <p>The journal has only a part of the body of {cut.join(', ')}.</p>}
        {entries && (
          <div class="actions">
            <ActionButton
              icon="send"
              disabled={cut.length > 0}
              action={async () => setResult(await replay(entries, target))}
            >
              Send
            </ActionButton>
            {result && result.sandbox !== sandboxName && (
              <a href={`${dashboardUrl(result.sandbox)}#/requests`}>Open {result.sandbox || 'the default sandbox'}</a>
            )}
          </div>
        )}
        {result &&
          entries?.map(({ id, method, path, status, response }, i) => {
            const reply = result.replies[i];
            return (
              <section key={id} class="detail-part" aria-label={`Responses to ${id}`}>
                <h3 class="mono">
                  {id} {method} {path}
                </h3>
                <div class="sides">
                  <Side title="Recorded" status={status} body={response.body} />
                  {reply && <Side title="Now" status={reply.status} body={parseBody(reply.text)} />}
                </div>
              </section>
            );
          })}
      </div>
    </Dialog>
  );
}

const Side = ({ title, status, body }: { readonly title: string; readonly status: number; readonly body: unknown }) => (
  <div class="detail-part">
    <p>
      <StatusBadge status={status} /> {title}
    </p>
    {body === null || body === '' ? <p class="muted">It has no body.</p> : <Json value={body} />}
  </div>
);
