import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { findTool } from '../../../../src/engine/api/tool-route.js';
import { base } from '../../lib/api.js';
import { formatClock, formatDuration, formatNumber } from '../../lib/format.js';
import { isForPage } from '../../lib/keys.js';
import { commits, numberOf, requests } from '../../lib/live.js';
import { at, navigate, pathOf, place } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { CommitSummary, RequestSummary, Summary } from '../../lib/types.js';
import { useUsers } from '../../lib/users.js';
import { Code } from '../../ui/code.js';
import { TotalCounts } from '../../ui/commit.js';
import { Badge, Button, Empty, Link, MethodBadge, StatusBadge } from '../../ui/elements.js';
import { Icon } from '../../ui/icons.js';
import { OtherSandboxes } from '../../ui/other-sandboxes.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { filterRequests, isWrite, readFilters, useFound } from './filters.js';
import { choose, chosen } from './selection.js';

const ROW_HEIGHT = 34;

/** The list as it was when updates were paused, or when the reader scrolled away from the newest request. */
const held = signal<readonly RequestSummary[] | undefined>(undefined);
export const isPaused = signal(false);
/** Id of the request that the keys have moved to. */
const cursor = signal<string | undefined>(undefined);

export function setPaused(paused: boolean): void {
  isPaused.value = paused;
  held.value = paused ? requests.value : undefined;
}

const newestOf = (list: readonly RequestSummary[]): number => {
  const last = list.at(-1);
  return last ? numberOf(last.id) : 0;
};

/** The requests, newest first. @param selected id of the request that is open */
export function RequestList({ selected }: { readonly selected: string | undefined }) {
  const container = useRef<HTMLDivElement>(null);
  const filters = readFilters();
  const source = held.value ?? requests.value;
  const query = place.value.query.toString();
  const found = useFound();
  const shown = useMemo(() => filterRequests(source, filters, found).toReversed(), [source, query, found]);
  const added = held.value ? countNew(held.value, found) : 0;
  const current = cursor.value ?? selected;
  const currentIndex = shown.findIndex(({ id }) => id === current);
  const scrollTarget = useRef<number | undefined>(undefined);
  if (scrollTarget.current === undefined && currentIndex >= 0) scrollTarget.current = currentIndex;

  useEffect(() => {
    cursor.value = selected;
  }, [selected]);
  // After a reset the ids start again: what was held is gone.
  useEffect(() => {
    if (held.value && newestOf(requests.value) < newestOf(held.value)) held.value = undefined;
  }, [requests.value]);

  const moveTo = (index: number) => {
    const request = shown[Math.max(0, Math.min(shown.length - 1, index))];
    if (!request) return;
    cursor.value = request.id;
    scrollTarget.current = shown.indexOf(request);
    if (selected !== undefined) navigate(pathOf('requests', request.id), filters);
    else focusSoon(container.current, request.id);
  };

  // Before the browser paints: a key is for what is shown.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isForPage(event)) return;
      const { key } = event;
      if (key === 'ArrowDown' || key === 'j') moveTo(currentIndex + 1);
      else if (key === 'ArrowUp' || key === 'k') moveTo(currentIndex < 0 ? 0 : currentIndex - 1);
      else if (key === 'Escape' && selected !== undefined) {
        navigate('/requests', filters);
        focusSoon(container.current, selected);
      } else if (key === 'Enter' && current !== undefined && event.target === document.body) {
        navigate(pathOf('requests', current), filters);
      } else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  const onScroll = ({ target }: Event) => {
    if (!(target instanceof HTMLElement) || !target.matches('.virtual-list') || isPaused.value) return;
    const isAtTop = target.scrollTop < ROW_HEIGHT / 2;
    if (isAtTop) held.value = undefined;
    else held.value ??= requests.value;
  };
  const showNew = () => {
    held.value = isPaused.value ? requests.value : undefined;
    container.current?.querySelector('.virtual-list')?.scrollTo(0, 0);
  };

  const commitsById = useMemo(() => new Map(commits.value.map((commit) => [commit.id, commit])), [commits.value]);
  if (source.length === 0) return <NoRequests />;
  return (
    <div class="request-list" ref={container} onScrollCapture={onScroll}>
      {added > 0 && (
        <div class="new-requests">
          <Button kind="primary" onClick={showNew}>
            {added >= 1_000 ? '1,000 or more' : formatNumber(added)} new
          </Button>
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title="No request matches the filters">
          <p>{formatNumber(source.length)} requests were received.</p>
        </Empty>
      ) : (
        <VirtualList
          label="Requests, newest first"
          count={shown.length}
          rowHeight={ROW_HEIGHT}
          scrollTo={scrollTarget.current}
          header={<ListHeader />}
          renderRow={(index) => {
            const request = shown[index];
            if (!request) return null;
            const isCurrent = request.id === current;
            const commit = isWrite(request) ? commitsById.get(request.id) : undefined;
            return (
              <RequestRow
                request={request}
                commit={commit}
                isSelected={request.id === selected}
                isCurrent={isCurrent}
                filters={filters}
              />
            );
          }}
        />
      )}
    </div>
  );
}

function countNew(list: readonly RequestSummary[], found: ReadonlySet<string>): number {
  const newest = newestOf(list);
  return filterRequests(
    requests.value.filter(({ id }) => numberOf(id) > newest),
    readFilters(),
    found,
  ).length;
}

/** Moves the focus to a row once it is in the document. */
function focusSoon(container: HTMLElement | null, id: string): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      container?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`)?.focus({ preventScroll: true }),
    ),
  );
}

const ListHeader = () => (
  <div class="request-row request-head" aria-hidden="true">
    <span class="check" />
    <span>Status</span>
    <span>Method</span>
    <span>Path</span>
    <span class="medium">Changes</span>
    <span class="medium">Fault</span>
    <span class="wide">User</span>
    <span class="wide number">Duration</span>
    <span class="medium number">Time</span>
  </div>
);

function RequestRow({
  request,
  commit,
  isSelected,
  isCurrent,
  filters,
}: {
  readonly request: RequestSummary;
  readonly commit: CommitSummary | undefined;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly filters: Readonly<Record<string, string>>;
}) {
  const { id, status, method, path, user, duration, time, fault, route, arguments: args } = request;
  const tool = findTool(route);
  const classes = ['row', isSelected && 'selected', isCurrent && 'current', at.value === id && 'at'];
  return (
    <div class={classes.filter(Boolean).join(' ')} data-id={id}>
      <input
        class="row-check"
        type="checkbox"
        aria-label={`Select ${id}`}
        checked={chosen.value.has(id)}
        onChange={({ currentTarget }) => choose([id], currentTarget.checked)}
      />
      <Link to={pathOf('requests', id)} query={filters} class="request-row" current={isSelected}>
        <span class="check" />
        <span>
          <StatusBadge status={status} />
        </span>
        <MethodBadge method={method} />
        <span class="mono truncate" title={tool === undefined ? path : args}>
          {tool ?? path}
          {tool !== undefined && <span class="muted"> {args}</span>}
        </span>
        <span class="medium">
          {isWrite(request) && (
            <span class="write-mark" title="It changed the state">
              {commit && Object.keys(commit.counts).length > 0 ? <TotalCounts counts={commit.counts} /> : 'wrote'}
            </span>
          )}
        </span>
        <span class="medium">
          {route === null && <Badge kind="warn">no route</Badge>}
          {fault !== null && (
            <span class="fault-mark" title={`Fault ${fault} was injected`}>
              <Icon name="faults" />
              <span class="truncate">{fault}</span>
              <span class="visually-hidden"> injected</span>
            </span>
          )}
        </span>
        <span class="wide truncate">{user ?? <span class="muted">–</span>}</span>
        <span class="wide number muted">{formatDuration(duration)}</span>
        <span class="medium number muted">{formatClock(time)}</span>
      </Link>
    </div>
  );
}

function NoRequests() {
  const { data: summary } = useResource<Summary>('/summary');
  const users = useUsers();
  const token = users.data?.[0]?.token ?? 'TOKEN';
  return (
    <Empty title="No requests yet">
      <p>Send one, from your test or from a terminal. It appears here at once.</p>
      <OtherSandboxes />
      <div class="empty-code">
        <Code language="bash" text={`curl -H 'Authorization: Bearer ${token}' ${base}${summary?.example ?? '/'}`} />
      </div>
    </Empty>
  );
}
