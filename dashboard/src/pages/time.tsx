import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { control } from '../lib/api.js';
import { tables } from '../lib/collections.js';
import { capitalize, formatClock, formatNoun, formatNumber, formatTime } from '../lib/format.js';
import { isForPage } from '../lib/keys.js';
import { commits, MAX_COMMITS, namesOf } from '../lib/live.js';
import { at, pathOf, place, setQuery, travelTo } from '../lib/location.js';
import type { HistoryEntry } from '../lib/types.js';
import { CommitChanges, Counts, RewindDialog } from '../ui/commit.js';
import { ActionButton, Badge, Button, Empty, Link, Page } from '../ui/elements.js';
import { ExampleRequest } from '../ui/example-request.js';
import { Menu } from '../ui/menu.js';
import { commitsAfter, forkSandbox, isWhole, stateBefore } from '../ui/travel.js';

/** In place of the id of a commit, for the two ends of the rail. */
const NOW = 'now';
const START = 'start';

export function TimePage() {
  const list = commits.value;
  const [hovered, setHovered] = useState<string | undefined>(undefined);
  const [rewind, setRewind] = useState<string | undefined>(undefined);
  const selected = at.value ?? NOW;
  const isKnown = (id: string | undefined) => id === NOW || id === START || list.some((commit) => commit.id === id);
  const newest = list.at(-1)?.id ?? NOW;
  // What the pointer or the focus was on last; else what the pages show.
  const shown = hovered !== undefined && isKnown(hovered) ? hovered : selected === NOW ? newest : selected;
  const leave = () => {
    setHovered(undefined);
    if (selected !== NOW) travelTo(undefined);
  };
  // A state that is chosen elsewhere, such as in the banner, is shown here too.
  useEffect(() => setHovered(undefined), [selected]);
  if (list.length === 0 && selected === NOW) {
    return (
      <Page title="Time">
        <NoCommits />
      </Page>
    );
  }
  const found = filterCommits(list);
  return (
    <Page
      fills
      title="Time"
      subtitle="Each change is a commit. Choose one, and all pages show the data as they were after it."
    >
      <TimeFilters list={list} found={found.length} />
      <div class="time-split">
        <Rail list={found} selected={selected} shown={shown} onShow={setHovered} />
        <section
          class={`time-detail panel ${hovered === undefined && selected === NOW ? 'unchosen' : ''}`}
          aria-label="Commit"
        >
          <span class="narrow-only">
            <Button icon="close" kind="plain" label="Close" onClick={leave} />
          </span>
          {isKnown(shown) ? (
            <Moment id={shown} commit={list.find(({ id }) => id === shown)} onRewind={setRewind} />
          ) : (
            <Empty title={`The history has no commit ${shown}`}>
              <p>It was taken back, or is older than the last {MAX_COMMITS} commits.</p>
              <Button kind="primary" onClick={() => travelTo(undefined)}>
                Back to now
              </Button>
            </Empty>
          )}
        </section>
      </div>
      {rewind !== undefined && <RewindDialog at={rewind} onClose={() => setRewind(undefined)} />}
    </Page>
  );
}

const FILTERS = ['q', 'collection', 'user', 'route'] as const;

/** Returns the commits that the address selects: by a text in what they changed, collection, user and route. */
function filterCommits(list: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const [q, collection, user, route] = FILTERS.map((name) => place.value.query.get(name) ?? '');
  const text = (q ?? '').toLowerCase();
  return list.filter(
    (commit) =>
      [commit.id, commit.request, ...namesOf(commit)].some((name) => name.toLowerCase().includes(text)) &&
      (collection === '' || Object.values(commit.counts[collection ?? ''] ?? {}).some((count) => count > 0)) &&
      (user === '' || commit.user === user) &&
      (route === '' || commit.request === route),
  );
}

/** The controls that select commits. They are in the address. */
function TimeFilters({ list, found }: { readonly list: readonly HistoryEntry[]; readonly found: number }) {
  const { query } = place.value;
  const choices = {
    collection: tables.value.map(({ name }) => name).filter((name) => list.some(({ counts }) => counts[name])),
    user: [...new Set(list.flatMap((commit) => commit.user ?? []))].sort(),
    route: [...new Set(list.map(({ request }) => request))].sort(),
  };
  return (
    <search class="toolbar time-filters">
      <input
        class="search"
        type="search"
        aria-label="Search records"
        placeholder="Search records"
        value={query.get('q') ?? ''}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
      {Object.entries(choices).map(([name, values]) => (
        <select
          key={name}
          aria-label={capitalize(name)}
          value={query.get(name) ?? ''}
          onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
        >
          <option value="">All {name}s</option>
          {values.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      ))}
      {FILTERS.some((name) => query.has(name)) && (
        <Button kind="plain" onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
      <span class="total muted number" role="status">
        {found === list.length ? '' : `${found} of `}
        {formatNumber(list.length)} {formatNoun(list.length, 'commits')}
      </span>
    </search>
  );
}

interface RailProps {
  readonly list: readonly HistoryEntry[];
  readonly selected: string;
  readonly shown: string;
  readonly onShow: (id: string) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** The commits from the newest to the oldest, between now and the start. */
function Rail({ list, selected, shown, onShow }: RailProps) {
  const rail = useRef<HTMLOListElement>(null);
  const later = new Set(selected === NOW ? [] : commitsAfter(selected).map(({ id }) => id));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || !rail.current || !isForPage(event)) return;
    const buttons = [...rail.current.querySelectorAll('button')];
    const index = buttons.findIndex((button) => button.matches(':focus'));
    buttons[Math.max(0, Math.min(buttons.length - 1, index + step))]?.focus();
    event.preventDefault();
  };
  const item = (id: string) => ({ id, isSelected: id === selected, isShown: id === shown, onShow });
  const named = list.map((commit) => ({ commit, names: namesOf(commit) }));
  return (
    <ol class="rail" ref={rail} onKeyDown={onKeyDown} aria-label="Commits, newest first">
      <RailItem {...item(NOW)} kind="end">
        <span class="rail-title">Now</span>
        <span class="muted">The current state</span>
      </RailItem>
      {named.toReversed().map(({ names, commit: { id, request, time, counts } }) => (
        <RailItem key={id} {...item(id)} kind={id.startsWith('r') ? 'request' : 'control'} isLater={later.has(id)}>
          <span class="rail-line">
            <span class="mono muted rail-id">{id}</span>
            <span class="mono truncate" title={request}>
              {request}
            </span>
            <time class="mono muted" dateTime={time} title={formatTime(time)}>
              {formatClock(time)}
            </time>
          </span>
          {names.length === 0 ? (
            <Counts counts={counts} />
          ) : (
            <span class="truncate muted" title={names.join('\n')}>
              {names.join(', ')}
            </span>
          )}
        </RailItem>
      ))}
      <RailItem {...item(START)} kind="end">
        <span class="rail-title">Start</span>
        <span class="muted">
          {isWhole() ? 'Before the first commit' : `Before older commits, since the last ${MAX_COMMITS} are listed`}
        </span>
      </RailItem>
    </ol>
  );
}

function RailItem({
  id,
  kind,
  isSelected,
  isShown,
  isLater = false,
  onShow,
  children,
}: {
  readonly id: string;
  readonly kind: 'end' | 'request' | 'control';
  readonly isSelected: boolean;
  readonly isShown: boolean;
  /** Whether it is after the state that the pages show. */
  readonly isLater?: boolean;
  readonly onShow: (id: string) => void;
  readonly children: ComponentChildren;
}) {
  const classes = ['rail-item', kind, isShown && 'shown', isLater && 'later'].filter(Boolean).join(' ');
  return (
    <li class={classes}>
      <button
        type="button"
        aria-pressed={isSelected}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onShow(id)}
        onFocus={() => onShow(id)}
        onClick={() => travelTo(id === NOW ? undefined : id)}
      >
        {children}
      </button>
    </li>
  );
}

/** A state, what made it, and what one can do with it. */
function Moment({
  id,
  commit,
  onRewind,
}: {
  readonly id: string;
  readonly commit: HistoryEntry | undefined;
  readonly onRewind: (at: string) => void;
}) {
  const before = stateBefore(id)?.at;
  const later = id === NOW ? 0 : commitsAfter(id).length;
  const isShown = (at.value ?? NOW) === id;
  const fork = id === NOW ? undefined : id;
  const names = commit ? namesOf(commit) : [];
  return (
    <>
      <header>
        <h2 class="detail-title">
          {commit ? (
            <span class="mono" title={names.join('\n')}>
              {names[0] ?? commit.request}
              {names.length > 1 && ` and ${names.length - 1} more`}
            </span>
          ) : id === NOW ? (
            'The current state'
          ) : (
            'The first state'
          )}
        </h2>
        {isShown && <Badge kind="warn">{id === NOW ? 'shown' : 'all pages show it'}</Badge>}
      </header>
      <div class="panel-body stack">
        {commit ? (
          <ul class="detail-facts muted">
            <li class="mono">{id}</li>
            <li class="mono">{commit.request}</li>
            {commit.user !== null && <li>by {commit.user}</li>}
            <li>{formatTime(commit.time)}</li>
            <li>
              <Counts counts={commit.counts} />
            </li>
          </ul>
        ) : (
          <p class="muted">
            {id === NOW ? 'All commits are in it.' : 'The state before the oldest commit that the history has.'}
          </p>
        )}
        <div class="actions">
          {!isShown && (
            <Button kind="primary" icon="time" onClick={() => travelTo(id === NOW ? undefined : id)}>
              See all pages as of then
            </Button>
          )}
          {commit && before !== undefined && (
            <Button icon="rewind" onClick={() => onRewind(before)}>
              {later === 0 ? 'Take back this commit' : `Take back this and ${formatNumber(later)} later`}
            </Button>
          )}
          <Menu>
            {later > 0 && (
              <Button icon="rewind" onClick={() => onRewind(id)}>
                Rewind to here
              </Button>
            )}
            <ActionButton icon="camera" done="Took a snapshot." action={() => control.takeSnapshot({ at: fork })}>
              Snapshot
            </ActionButton>
            <ActionButton icon="fork" action={() => forkSandbox(fork)}>
              Fork a sandbox
            </ActionButton>
          </Menu>
          {commit?.id.startsWith('r') && <Link to={pathOf('requests', commit.id)}>Open the request</Link>}
        </div>
      </div>
      {commit && <CommitChanges id={id} />}
    </>
  );
}

const NoCommits = () => (
  <Empty title="The history has no commit yet">
    <p>
      Each request that changes the state is a commit, and appears here. A reset and a restored snapshot clear the
      history. Send a request:
    </p>
    <ExampleRequest writes />
  </Empty>
);
