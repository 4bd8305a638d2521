import { useState } from 'preact/hooks';
import { findTool, nameRequest, readArguments, readCallResponse } from '../../../../src/engine/api/tool-route.js';
import { formatReasons } from '../../../../src/engine/lib/reasons.js';
import { formatClock, formatNumber } from '../../lib/format.js';
import { commits, namesOf, requests } from '../../lib/live.js';
import { pathOf } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { RequestRecord as JournalRecord, RequestSummary } from '../../lib/types.js';
import { Json } from '../../ui/code.js';
import { Counts } from '../../ui/commit.js';
import { Button, Empty, Link, StatusBadge } from '../../ui/elements.js';
import { RowsView } from '../../ui/rows.js';
import { readFilter, useFilter } from './filters.js';
import { isWrite } from './query.js';

/** Requests that are shown at first, and with each "earlier": each reads its bodies. */
const SHOWN = 30;

/** The requests of the filter as a conversation: what a program asked, the response that it got, and what that changed. */
export function Conversation() {
  const filter = useFilter();
  const [count, setCount] = useState(SHOWN);
  const found = filter(requests.value);
  const shown = found.slice(-count);
  const earlier = found.length - shown.length;
  if (found.length === 0) return <Empty title={readFilter() ? 'No request matches the filters' : 'No requests yet'} />;
  return (
    <div class="conversation">
      <div class="stack">
        {earlier > 0 && <Button onClick={() => setCount(count + SHOWN)}>{formatNumber(earlier)} earlier</Button>}
        <ol aria-label="Conversation, oldest first">
          {shown.map((request) => (
            <Turn key={request.id} request={request} />
          ))}
        </ol>
      </div>
    </div>
  );
}

function Turn({ request }: { readonly request: RequestSummary }) {
  const { id, route, user, program, time, status, message, outcome } = request;
  const { data } = useResource<JournalRecord>(pathOf('requests', id), 'lists');
  const tool = findTool(route);
  const asked = tool === undefined ? data?.request.body : readArguments(data?.request.body);
  const received = tool === undefined ? data?.response.body : readCallResponse(data?.response.body);
  const commit = isWrite(request) ? commits.value.find((each) => each.id === id) : undefined;
  const reasons = formatReasons(request);
  return (
    <li class="turn">
      <div class="turn-call">
        <p class="muted">
          {program ?? user ?? 'a program'} <time dateTime={time}>{formatClock(time)}</time>
        </p>
        <h2 class="mono">{nameRequest(request)}</h2>
        {hasContent(asked) && <Json value={asked} />}
      </div>
      <div class="turn-response">
        <p class="muted">
          <StatusBadge status={status} message={message} isAborted={outcome === 'aborted'} />{' '}
          <Link to={pathOf('requests', id)} class="mono">
            {id}
          </Link>
        </p>
        {reasons && <p class="cause">{reasons}</p>}
        {hasContent(received) && <Json value={received} />}
        {isWrite(request) && (
          <p class="turn-effect">
            Changed {commit ? <Counts counts={commit.counts} /> : 'the state'}
            {commit && <span class="mono">{namesOf(commit).join(', ')}</span>}
          </p>
        )}
        {data && data.rows.length > 0 && <RowsView rows={data.rows} at={id} />}
      </div>
    </li>
  );
}

const hasContent = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  !(typeof value === 'object' && Object.keys(value).length === 0);
