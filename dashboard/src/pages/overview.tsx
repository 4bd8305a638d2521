import type { ComponentChildren } from 'preact';
import { findTool } from '../../../src/engine/api/tool-route.js';
import { formatReasons, isRefused } from '../../../src/engine/lib/reasons.js';
import { base, withQuery } from '../lib/api.js';
import { tables } from '../lib/collections.js';
import { formatClock, formatDuration, formatNoun, formatNumber, formatTime } from '../lib/format.js';
import { commits, connection, namesOf, requests, sandboxTime } from '../lib/live.js';
import { at, pathOf, type Query } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import { useTicks } from '../lib/ticks.js';
import type { HistoryEntry, RequestSummary, Summary } from '../lib/types.js';
import { useUsers } from '../lib/users.js';
import { Age, Empty, ErrorMessage, Link, MethodBadge, Page, Panel, StatusBadge } from '../ui/elements.js';
import { ExampleRequest } from '../ui/example-request.js';
import { OtherSandboxes } from '../ui/other-sandboxes.js';
import { commitsAfter } from '../ui/travel.js';
import { UsePanel, UsersPanel } from './overview/users.js';
import { RequestPath, useNames } from './requests/names.js';
import { isWrite } from './requests/query.js';

/** Requests and commits that are listed. */
const RECENT = 8;
/** Minutes by the clock of the sandbox in which an error is new. */
const NEW_MINUTES = 5;
/** Milliseconds between two looks at the clock, by which errors get old. */
const TICK_MS = 5_000;

export function OverviewPage() {
  const summary = useResource<Summary>(withQuery('/summary', { at: at.value }));
  const { data } = summary;
  const isNow = at.value === undefined;
  const isUnused = isNow && requests.value.length === 0 && connection.value === 'open' && data?.requests === 0;
  const subtitle = data && (
    <>
      val-emulator {data.version}, sandbox <b>{data.sandbox === '' ? 'default' : data.sandbox}</b>
      {isNow ? '' : ', as of then'}
    </>
  );
  return (
    <Page title="Overview" subtitle={subtitle}>
      {summary.error && <ErrorMessage error={summary.error} />}
      {isUnused && (
        <>
          <FirstSteps />
          <Callers path={data?.example ?? '/'} />
        </>
      )}
      {isNow && !isUnused && <NewErrors />}
      <div class="grid">
        <RecentRequests />
        <RecentCommits />
      </div>
      {isNow && !isUnused && (
        <details class="stack">
          <summary>Connect another program: users, tokens and the base URL</summary>
          <Callers path={data?.example ?? '/'} />
        </details>
      )}
      {data && <Counts summary={data} />}
    </Page>
  );
}

/** Who a program can be. Tokens have no history: an earlier state shows none. */
function Callers({ path }: { readonly path: string }) {
  const users = useUsers();
  return (
    <div class="grid">
      {users.error && <ErrorMessage error={users.error} />}
      {users.data && <UsersPanel users={users.data} />}
      {users.data && <UsePanel users={users.data} path={path} />}
    </div>
  );
}

/** The requests that failed in the last minutes, the newest first, each with its reason. */
function NewErrors() {
  useTicks(TICK_MS);
  const since = sandboxTime() - NEW_MINUTES * 60_000;
  const found = requests.value.filter((each) => isRefused(each) && Date.parse(each.time) >= since).reverse();
  if (found.length === 0) return null;
  const title = `${formatNumber(found.length)} ${formatNoun(found.length, 'errors')} in the last ${NEW_MINUTES} minutes`;
  const all = (
    <Link to="/requests" query={{ q: `status:error last:${NEW_MINUTES}m` }}>
      All of them
    </Link>
  );
  return (
    <Panel title={title} actions={all}>
      <RequestList requests={found.slice(0, RECENT)} />
    </Panel>
  );
}

/** What to do in an emulator that no program has called yet. */
const FirstSteps = () => (
  <Panel title="First steps">
    <ol class="steps panel-body">
      <li>
        Choose <b>a user</b> below. Each has a token that a program sends.
      </li>
      <li>
        Give your program the base URL <code>{base}</code> and the token: <b>Use it</b> has both for your tool.
      </li>
      <li>
        Run it. What it sends appears here and under <Link to="/requests">Requests</Link>, with what each request
        changed. Or send a request yourself, under <Link to="/api">API</Link> or from a terminal:
        <ExampleRequest />
        <OtherSandboxes />
      </li>
    </ol>
  </Panel>
);

const Count = ({
  to,
  query = {},
  name,
  value,
}: {
  readonly to: string;
  readonly query?: Query;
  /** In the plural. */
  readonly name: string;
  readonly value: number;
}) => (
  <li>
    <Link to={to} query={query} class="count-link">
      <b class="number">{formatNumber(value)}</b>
      <span>{formatNoun(value, name)}</span>
    </Link>
  </li>
);

/** How many records there are, and requests of one span: those that the page has. */
const Counts = ({ summary: { counts } }: { readonly summary: Summary }) => {
  const [first] = requests.value;
  return (
    <>
      <section>
        <h2>Records</h2>
        <ul class="record-counts" aria-label="Numbers of records">
          {tables.value.map(({ name, plural }) => (
            <Count key={name} to={`/data/${name}`} name={plural} value={counts[name] ?? 0} />
          ))}
        </ul>
      </section>
      {at.value === undefined && first && (
        <section>
          <h2>
            Requests since {first.id}, {formatTime(first.time)}
          </h2>
          <ul class="record-counts" aria-label="Numbers of requests">
            <Count to="/requests" name="requests" value={requests.value.length} />
            <Count to="/requests" query={{ q: 'status:error' }} name="errors" value={countRequests(isRefused)} />
            <Count to="/requests" query={{ q: 'is:write' }} name="writes" value={countRequests(isWrite)} />
          </ul>
        </section>
      )}
    </>
  );
};

const countRequests = (matches: (request: RequestSummary) => boolean): number => requests.value.filter(matches).length;

const SeeAll = ({ to, children }: { readonly to: string; readonly children: ComponentChildren }) => (
  <Link to={to}>{children}</Link>
);

/** The newest requests and commits; as of an earlier state, those that led to it. */
function findRecent() {
  const later = new Set(at.value === undefined ? [] : commitsAfter(at.value).map(({ id }) => id));
  return {
    requests: requests.value
      .filter(({ commit }) => commit === null || !later.has(commit))
      .slice(-RECENT)
      .reverse(),
    commits: commits.value
      .filter(({ id }) => !later.has(id))
      .slice(-RECENT)
      .reverse(),
  };
}

function RecentRequests() {
  const recent = findRecent().requests;
  return (
    <Panel title="Recent requests" actions={<SeeAll to="/requests">All requests</SeeAll>}>
      {recent.length === 0 ? (
        <Empty title="No requests yet">
          <p>A request appears here as soon as a program sends it.</p>
        </Empty>
      ) : (
        <RequestList requests={recent} />
      )}
    </Panel>
  );
}

/** Lists requests: each with who sent it, or why it failed. */
const RequestList = ({ requests }: { readonly requests: readonly RequestSummary[] }) => {
  const names = useNames(requests);
  return (
    <ul class="recent">
      {requests.map((request) => {
        const { id, method, path, route, status, message, time, user, duration } = request;
        const extra = formatReasons(request) || (user ?? '');
        return (
          <li key={id}>
            <Link to={pathOf('requests', id)} class={`recent-link ${isRefused(request) ? 'failed' : ''}`}>
              <StatusBadge status={status} message={message} />
              <MethodBadge method={findTool(route) === undefined ? method : 'tool'} />
              <span class="mono truncate" title={path}>
                {findTool(route) ?? <RequestPath request={request} names={names} />}
              </span>
              <span class="muted truncate recent-extra" title={extra}>
                {extra}
              </span>
              <span class="muted number" title={formatDuration(duration)}>
                <Age time={time} />
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
};

function RecentCommits() {
  const recent = findRecent().commits;
  return (
    <Panel title="Recent commits" actions={<SeeAll to="/time">All commits</SeeAll>}>
      {recent.length === 0 ? (
        <Empty title="No commits yet">
          <p>A request that changes records makes a commit, which can be looked at and undone.</p>
        </Empty>
      ) : (
        <ul class="recent">
          {recent.map((commit) => (
            <RecentCommit key={commit.id} commit={commit} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const SIGNS = { added: '+', changed: '~', removed: '−' } as const;

/** Describes what a commit changed: `+1 val, ~2 runs`. */
const describeCounts = (counts: HistoryEntry['counts']): string =>
  Object.entries(counts)
    .flatMap(([name, { added, changed, removed }]) => {
      const parts = Object.entries({ added, changed, removed } as const).flatMap(([kind, count]) =>
        count > 0 && (kind === 'added' || kind === 'changed' || kind === 'removed')
          ? [`${SIGNS[kind]}${formatNumber(count)}`]
          : [],
      );
      const noun = formatNoun(added + changed + removed, name);
      return parts.length === 0 ? [] : [`${parts.join(' ')} ${noun}`];
    })
    .join(', ') || 'no records';

function RecentCommit({ commit }: { readonly commit: HistoryEntry }) {
  const { id, request, time, counts } = commit;
  const names = namesOf(commit);
  return (
    <li>
      <Link to="/time" query={{ at: id }} class="recent-link commit" title={`Show the state after ${id}`}>
        <span class="mono muted">{id}</span>
        <span class="mono truncate" title={request}>
          {request}
        </span>
        <span class="muted truncate recent-extra" title={names.join('\n')}>
          {names[0] ?? describeCounts(counts)}
          {names.length > 1 && ` and ${names.length - 1} more`}
        </span>
        <span class="muted number" title={formatClock(time)}>
          <Age time={time} />
        </span>
      </Link>
    </li>
  );
}
