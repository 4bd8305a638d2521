import type { ComponentChildren } from 'preact';
import { base, download, withQuery } from '../lib/api.js';
import { tables } from '../lib/collections.js';
import { formatClock, formatDuration, formatNoun, formatNumber, formatTime, numberOf } from '../lib/format.js';
import { commits, connection, requests } from '../lib/live.js';
import { at, pathOf, type Query } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { CommitSummary, RequestSummary, Summary } from '../lib/types.js';
import { useUsers } from '../lib/users.js';
import { BarChart, Shares } from '../ui/chart.js';
import { Code } from '../ui/code.js';
import { ActionButton, Age, Empty, ErrorMessage, Link, MethodBadge, Page, Panel, StatusBadge } from '../ui/elements.js';
import { OtherSandboxes } from '../ui/other-sandboxes.js';
import { commitsAfter } from '../ui/travel.js';
import { UsePanel, UsersPanel } from './overview/users.js';
import { isError } from './requests/query.js';

/** Requests and commits that are listed. */
const RECENT = 8;

export function OverviewPage() {
  const summary = useResource<Summary>(withQuery('/summary', { at: at.value }));
  const { data } = summary;
  const isUnused = requests.value.length === 0 && connection.value === 'open' && data?.requests === 0;
  const subtitle = data && (
    <>
      val-emulator {data.version}, sandbox <b>{data.sandbox === '' ? 'default' : data.sandbox}</b>
      {at.value === undefined ? '' : ', as of then'}
    </>
  );
  return (
    <Page title="Overview" subtitle={subtitle}>
      {summary.error && <ErrorMessage error={summary.error} />}
      {isUnused && at.value === undefined && <FirstSteps />}
      {data && <Counts summary={data} />}
      {at.value === undefined && <Callers path={data?.example ?? '/'} />}
      <div class="grid">
        <RecentRequests />
        <RecentCommits />
      </div>
      {/* Another service has no vals. */}
      {data && 'valTypes' in data && <Charts summary={data} />}
      {data && at.value === undefined && <Storage summary={data} />}
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
        Run it. What it sends appears under <Link to="/requests">Requests</Link>, with what each request changed. Or
        send a request yourself under <Link to="/api">API</Link>.
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

const Counts = ({ summary: { counts, requests: received, commits: kept } }: { readonly summary: Summary }) => (
  <ul class="record-counts" aria-label="Numbers of records">
    {tables.value.map(({ name, plural }) => (
      <Count key={name} to={`/data/${name}`} name={plural} value={counts[name] ?? 0} />
    ))}
    {at.value === undefined && (
      <>
        <Count to="/requests" name="requests" value={countRequests(received)} />
        <Count to="/requests" query={{ status: 'error' }} name="errors" value={countErrors()} />
        <Count to="/time" name="commits" value={kept} />
      </>
    )}
  </ul>
);

/** Requests since the start or a reset: ids count them, and arrive before the next summary. */
function countRequests(received: number): number {
  const last = requests.value.at(-1);
  return last === undefined ? received : numberOf(last.id);
}

/** Requests in the journal that failed. */
const countErrors = (): number => requests.value.filter(isError).length;

const Charts = ({ summary: { runsPerHour, valTypes, privacies } }: { readonly summary: Summary }) => (
  <div class="grid charts">
    <Panel title="Runs per hour" class="runs-chart">
      <div class="panel-body">
        <RunsChart hours={runsPerHour} />
      </div>
    </Panel>
    <Panel title="Vals by type">
      <div class="panel-body">
        {Object.keys(valTypes).length === 0 ? <p class="muted">There are no vals.</p> : <Shares values={valTypes} />}
      </div>
    </Panel>
    <Panel title="Vals by privacy">
      <div class="panel-body">
        {Object.keys(privacies).length === 0 ? <p class="muted">There are no vals.</p> : <Shares values={privacies} />}
      </div>
    </Panel>
  </div>
);

function RunsChart({ hours }: { readonly hours: Summary['runsPerHour'] }) {
  const [first] = hours;
  const last = hours.at(-1);
  if (!first || !last) return <p class="muted">There are no runs.</p>;
  const total = hours.reduce((sum, { runs }) => sum + runs, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const text = `${formatNumber(total)} runs in ${hours.length} hours, ${formatNumber(failed)} failed`;
  const shorten = (timestamp: string) => formatTime(timestamp).slice(0, 16);
  return (
    <figure class="chart-figure">
      <BarChart
        label={text}
        bars={hours.map(({ hour, runs, failed: ofThem }) => ({ label: shorten(hour), value: runs, failed: ofThem }))}
      />
      <figcaption>
        <span>{shorten(first.hour)}</span>
        <span class="chart-text">{text}</span>
        <span>{shorten(last.hour)}</span>
      </figcaption>
    </figure>
  );
}

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
          <p>
            Send one to <code>{base}</code>: it appears here at once.
          </p>
        </Empty>
      ) : (
        <ul class="recent">
          {recent.map((request) => (
            <RecentRequest key={request.id} request={request} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const RecentRequest = ({ request }: { readonly request: RequestSummary }) => {
  const { id, method, path, status, time, user, duration } = request;
  return (
    <li>
      <Link to={pathOf('requests', id)} class="recent-link">
        <StatusBadge status={status} />
        <MethodBadge method={method} />
        <span class="mono truncate" title={path}>
          {path}
        </span>
        <span class="muted truncate recent-extra">{user ?? ''}</span>
        <span class="muted number" title={formatDuration(duration)}>
          <Age time={time} />
        </span>
      </Link>
    </li>
  );
};

function RecentCommits() {
  const recent = findRecent().commits;
  return (
    <Panel title="Recent commits" actions={<SeeAll to="/time">All commits</SeeAll>}>
      {recent.length === 0 ? (
        <Empty title="No commits yet">
          <p>A request that changes records makes a commit. Each can be looked at and taken back.</p>
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
const describeCounts = (counts: CommitSummary['counts']): string =>
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

const RecentCommit = ({ commit: { id, request, time, counts, names } }: { readonly commit: CommitSummary }) => (
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

function Storage({ summary: { folder, failure } }: { readonly summary: Summary }) {
  return (
    <Panel
      title="Where data are kept"
      actions={
        <>
          <ActionButton icon="download" kind="plain" action={() => download('/state?brief=true', 'fixture.json')}>
            Fixture
          </ActionButton>
          <ActionButton icon="download" kind="plain" action={() => download('/session', 'session.ndjson')}>
            Session
          </ActionButton>
        </>
      }
    >
      <div class="panel-body stack">
        {failure !== null && <p role="alert">{failure}</p>}
        {folder === null ? (
          <p>
            In memory: they are gone when the process of the emulator ends. Download them, write them to a file with{' '}
            <code>state --out</code>, or start the emulator with <code>--data</code>, which keeps them in a folder. A
            file that is dropped on this page opens in a new sandbox.
          </p>
        ) : (
          <p>
            In the folder <code>{folder}</code>: records, clock, faults, snapshots and the last 100 commits are there
            after the next start with the same <code>--data</code>.
          </p>
        )}
        <Code
          language="bash"
          text={
            folder === null
              ? `val-emulator state --out state.json --url ${base}\nval-emulator start --data ./demo`
              : `val-emulator data export --data ${folder} --out state.json`
          }
        />
      </div>
    </Panel>
  );
}
