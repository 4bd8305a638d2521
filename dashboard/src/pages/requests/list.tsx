import { signal } from '@preact/signals';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { findTool } from '../../../../src/engine/api/tool-route.js';
import { formatReasons } from '../../../../src/engine/lib/reasons.js';
import { formatClock, formatDuration, formatNumber, numberOf } from '../../lib/format.js';
import { isForPage } from '../../lib/keys.js';
import { commits, requests } from '../../lib/live.js';
import { at, navigate, pathOf, type Query } from '../../lib/location.js';
import type { HistoryEntry, RecordNames, RequestSummary } from '../../lib/types.js';
import { TotalCounts } from '../../ui/commit.js';
import { Badge, Button, Empty, Link, MethodBadge, StatusBadge } from '../../ui/elements.js';
import { ExampleRequest } from '../../ui/example-request.js';
import { Icon } from '../../ui/icons.js';
import { OtherSandboxes } from '../../ui/other-sandboxes.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { readPlace, useFilter } from './filters.js';
import { RequestPath, useNames } from './names.js';
import { describeMissing, isWrite } from './query.js';
import { choose, chosen } from './selection.js';

const ROW_HEIGHT = window.matchMedia('(max-width: 480px)').matches ? 54 : 34;
/** Rows of a list that is held: more than the journal has, so that none moves when it drops the oldest. */
const MAX_HELD = 5_000;

/** Whether the reader has the newest request in view, and wants the next ones too. */
const follows = signal(true);
/** Id of the request that the keys have moved to. */
const cursor = signal<string | undefined>(undefined);

const newestOf = (list: readonly RequestSummary[]): number => {
  const last = list.at(-1);
  return last ? numberOf(last.id) : 0;
};

/** Lists the requests; those that are on the page stay while it is held, and new ones are below them. */
function useHeld(isHeld: boolean): readonly RequestSummary[] {
  const held = useRef<readonly RequestSummary[]>([]);
  const all = requests.value;
  return useMemo(() => {
    const first = numberOf(all[0]?.id ?? 'r0');
    // After a reset the ids start again: what was held is gone.
    const isSame = isHeld && newestOf(all) >= newestOf(held.current);
    if (!isSame) held.current = all;
    else if (held.current.length < MAX_HELD) {
      held.current = [...held.current.filter(({ id }) => numberOf(id) < first), ...all];
    }
    return held.current;
  }, [all, isHeld]);
}

/** The requests, oldest first. Rows stay where they are while the pointer, the focus or a choice is on them. */
export function RequestList({ selected }: { readonly selected: string | undefined }) {
  const container = useRef<HTMLDivElement>(null);
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), []);
  const [below, setBelow] = useState(0);
  const filters = readPlace();
  const filter = useFilter();
  const isHeld = !follows.value || isOver || hasFocus || selected !== undefined || chosen.value.size > 0;
  const source = useHeld(isHeld);
  const shown = useMemo(() => filter(source), [source, filter]);
  const names = useNames(shown.slice(range.first, range.last + 1));
  /** Number of the newest request that was in view. */
  const seen = useRef(0);
  if (!isHeld || seen.current === 0) seen.current = newestOf(source);
  const current = cursor.value ?? selected;
  const currentIndex = shown.findIndex(({ id }) => id === current);
  const scrollTarget = useRef<number | undefined>(undefined);
  /** The opened request that was scrolled into view. */
  const shownRequest = useRef<string | undefined>(undefined);
  if (!isHeld || (selected === undefined && shownRequest.current !== undefined)) {
    scrollTarget.current = undefined;
    shownRequest.current = undefined;
  } else if (selected !== shownRequest.current) {
    const index = shown.findIndex(({ id }) => id === selected);
    // It may have been opened before the list was read.
    if (index >= 0) [scrollTarget.current, shownRequest.current] = [index, selected];
  }

  useEffect(() => {
    cursor.value = selected;
  }, [selected]);

  const measure = () => {
    const list = container.current?.querySelector('.virtual-list');
    const hidden = list ? Math.round((list.scrollHeight - list.scrollTop - list.clientHeight) / ROW_HEIGHT) : 0;
    if (hidden <= 0) seen.current = newestOf(source);
    const added = shown.length - 1 - shown.findLastIndex(({ id }) => numberOf(id) <= seen.current);
    setBelow(Math.min(hidden, added));
    return hidden;
  };
  useLayoutEffect(() => void measure());

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
      const step = STEPS[key];
      if (step !== undefined) moveTo(currentIndex < 0 ? shown.length - 1 : currentIndex + step);
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

  const lastTop = useRef(0);
  const onScroll = ({ target }: Event) => {
    if (!(target instanceof HTMLElement) || !target.matches('.virtual-list')) return;
    // Without the reader, a list scrolls down only.
    const isMoved = isHeld || target.scrollTop < lastTop.current;
    lastTop.current = target.scrollTop;
    if (measure() <= 0) follows.value = true;
    else if (isMoved) follows.value = false;
  };
  const showNew = () => {
    const list = container.current?.querySelector('.virtual-list');
    list?.scrollTo(0, list.scrollHeight);
  };

  const commitsById = useMemo(() => new Map(commits.value.map((commit) => [commit.id, commit])), [commits.value]);
  if (source.length === 0) return <NoRequests />;
  return (
    <div
      class="request-list"
      ref={container}
      onScrollCapture={onScroll}
      onPointerEnter={({ pointerType }) => setOver(pointerType === 'mouse')}
      onPointerLeave={() => setOver(false)}
      onFocusIn={({ target }) => setFocus(isInRow(target))}
      onFocusOut={({ relatedTarget }) => setFocus(isInRow(relatedTarget))}
    >
      {below > 0 && (
        <div class="new-requests">
          <Button kind="primary" onClick={showNew}>
            {below >= 1_000 ? '1,000 or more' : formatNumber(below)} new
          </Button>
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title="No request matches the filters">
          <p>{formatNumber(source.length)} requests were received.</p>
        </Empty>
      ) : (
        <VirtualList
          label="Requests, oldest first"
          count={shown.length}
          rowHeight={ROW_HEIGHT}
          scrollTo={isHeld ? scrollTarget.current : shown.length - 1}
          onRange={onRange}
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
                names={names}
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

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

const isInRow = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.row') !== null;

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
    <span class="medium">Effect</span>
    <span class="wide">User</span>
    <span class="wide number">Duration</span>
    <span class="medium number">Time</span>
  </div>
);

function RequestRow({
  request,
  commit,
  names,
  isSelected,
  isCurrent,
  filters,
}: {
  readonly request: RequestSummary;
  readonly commit: HistoryEntry | undefined;
  readonly names: RecordNames;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly filters: Query;
}) {
  const { id, status, message, method, path, user, duration, time, fault, route, outcome, arguments: args } = request;
  const missing = describeMissing(request);
  const cause = formatReasons(request);
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
          <StatusBadge status={status} message={message} isAborted={outcome === 'aborted'} />
        </span>
        <MethodBadge method={tool === undefined ? method : 'tool'} />
        <span class="truncate">
          <span class="mono" title={tool === undefined ? path : args}>
            {tool === undefined ? <RequestPath request={request} names={names} /> : tool}
          </span>{' '}
          <span class="cause muted" title={cause}>
            {cause}
          </span>
          {tool !== undefined && <span class="mono muted"> {args}</span>}
        </span>
        <span class="medium effect">
          {isWrite(request) && (
            <span class="write-mark" title="It changed the state">
              {commit && Object.keys(commit.counts).length > 0 ? <TotalCounts counts={commit.counts} /> : 'wrote'}
            </span>
          )}
          {missing !== undefined && <Badge kind="warn">{missing}</Badge>}
          {outcome === 'aborted' && <Badge kind="warn">aborted</Badge>}
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

const NoRequests = () => (
  <Empty title="No requests yet">
    <p>Send one, from your test or from a terminal. It appears here at once.</p>
    <OtherSandboxes />
    <ExampleRequest />
  </Empty>
);
