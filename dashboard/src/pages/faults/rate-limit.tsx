import { useState } from 'preact/hooks';
import { control, withQuery } from '../../lib/api.js';
import { formatNumber, formatSpan, toDuration } from '../../lib/format.js';
import { at } from '../../lib/location.js';
import { type Resource, useResource } from '../../lib/resource.js';
import type { RateLimitStatus, Summary } from '../../lib/types.js';
import { ActionButton, ErrorMessage, Panel } from '../../ui/elements.js';
import { Form, TextField, useSubmission } from '../../ui/form.js';

/** Windows that are listed. */
const LISTED = 100;

/** The rate limit: that of now with its windows, or that of an earlier state. */
export const RateLimitPanel = () => (at.value === undefined ? <CurrentLimit /> : <PastLimit />);

function PastLimit() {
  const { data, error } = useResource<Summary>(withQuery('/summary', { at: at.value }));
  return (
    <Panel title="Rate limit">
      <div class="panel-body">
        {error && <ErrorMessage error={error} />}
        {data && <p>{describeLimit(data.rateLimit)}</p>}
      </div>
    </Panel>
  );
}

const describeLimit = (rateLimit: { readonly limit: number; readonly window: number } | null): string =>
  rateLimit === null
    ? 'There is no rate limit.'
    : `Each user may send ${formatNumber(rateLimit.limit)} requests in ${formatSpan(rateLimit.window)}.`;

function CurrentLimit() {
  const status = useResource<RateLimitStatus>('/rate-limit', 'journal');
  const { data } = status;
  const current =
    data && data.limit !== null && data.window !== null ? { limit: data.limit, window: data.window } : null;
  return (
    <Panel
      title="Rate limit"
      actions={
        current && (
          <ActionButton
            action={() => control.setRateLimit({ limit: null }).then(status.reload)}
            done="Switched the rate limit off."
          >
            Switch off
          </ActionButton>
        )
      }
    >
      <div class="panel-body stack">
        {status.error && <ErrorMessage error={status.error} />}
        {data && <p>{describeLimit(current)}</p>}
        {data && <LimitForm key={`${data.limit} ${data.window}`} current={current} status={status} />}
        <p class="muted">
          A request beyond the limit gets a 429 with Retry-After. A window begins with the first request of a user and
          follows the clock of the sandbox: moving the clock forward ends it.
        </p>
      </div>
      {data && data.windows.length > 0 && <Windows status={data} />}
    </Panel>
  );
}

function LimitForm({
  current,
  status,
}: {
  readonly current: { readonly limit: number; readonly window: number } | null;
  readonly status: Resource<RateLimitStatus>;
}) {
  const [limit, setLimit] = useState(current ? String(current.limit) : '100');
  const [window, setWindow] = useState(current ? toDuration(current.window) : '1m');
  const submission = useSubmission(['limit', 'window']);
  const number = Number(limit);
  const set = async () => {
    // The emulator explains a value that is not a number.
    const body: object = {
      limit: limit.trim() === '' || Number.isNaN(number) ? limit : number,
      window: /^\d+$/.test(window.trim()) ? Number(window) : window.trim(),
    };
    if (await submission.run(() => control.setRateLimit(body), 'Set the rate limit.')) status.reload();
  };
  return (
    <Form
      label="Set the rate limit"
      submission={submission}
      button="Set"
      kind={current ? undefined : 'primary'}
      inline
      onSubmit={() => void set()}
    >
      <TextField label="Requests" value={limit} onInput={setLimit} error={submission.errorAt('limit')} />
      <TextField
        label="Window"
        value={window}
        hint="Such as 10s, 1m or 1h"
        onInput={setWindow}
        error={submission.errorAt('window')}
      />
    </Form>
  );
}

const Windows = ({ status: { windows, limit } }: { readonly status: RateLimitStatus }) => (
  <div class="table-scroll nowrap">
    <table>
      <caption class="visually-hidden">Windows of the rate limit</caption>
      <thead>
        <tr>
          <th scope="col">User</th>
          <th scope="col" class="number">
            Requests
          </th>
          <th scope="col" class="number">
            Remaining
          </th>
          <th scope="col" class="number">
            Ends in
          </th>
        </tr>
      </thead>
      <tbody>
        {windows.slice(0, LISTED).map(({ user, requests, remaining, reset }) => (
          <tr key={user}>
            <td>{user ?? <span class="muted">without a token</span>}</td>
            <td class="number">
              {formatNumber(requests)}
              {limit !== null && <span class="muted"> of {formatNumber(limit)}</span>}
            </td>
            <td class="number">{formatNumber(remaining)}</td>
            <td class="number">{formatSpan(reset * 1_000)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {windows.length > LISTED && <p class="list-rest muted">{formatNumber(windows.length - LISTED)} more.</p>}
  </div>
);
