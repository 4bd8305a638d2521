import { useMemo } from 'preact/hooks';
import { withQuery } from '../../lib/api.js';
import { formatNumber } from '../../lib/format.js';
import { commits, namesOf, requests, sandboxTime } from '../../lib/live.js';
import { place, setQuery } from '../../lib/location.js';
import { lookUp } from '../../lib/look-up.js';
import { useResource } from '../../lib/resource.js';
import { useTicks } from '../../lib/ticks.js';
import type { JournalSummary, RequestSummary } from '../../lib/types.js';
import { Button } from '../../ui/elements.js';
import { useDelayed } from '../../ui/reference-input.js';
import { completeQuery, hasTerm, KEYS, KINDS, laneOf, parseQuery, toggleTerm, writeTerm } from './query.js';

/** The parameters of earlier links, as terms. */
const EARLIER: Readonly<Record<string, (value: string) => string>> = {
  ...Object.fromEntries(
    ['method', 'route', 'user', 'status'].map((name) => [name, (value: string) => writeTerm(name, value)]),
  ),
  fault: () => 'is:fault',
  writes: () => 'is:write',
  slow: () => 'is:slow',
};

/** The filter, which is in the address. */
export function readFilter(): string {
  const { query } = place.value;
  const terms = Object.entries(EARLIER).flatMap(([name, toTerm]) => {
    const value = query.get(name);
    return value ? [toTerm(value)] : [];
  });
  return [...(query.get('q') ? [query.get('q')] : []), ...terms].join(' ');
}

/** What the addresses of requests keep. */
export const readPlace = () => ({ q: readFilter(), lanes: place.value.query.get('lanes') ?? undefined });

export const setFilter = (q: string): void =>
  setQuery({ ...Object.fromEntries(Object.keys(EARLIER).map((name) => [name, undefined])), q });

/** A time that no page is open. */
const NEVER_MS = 1_000_000_000;
const NONE_FOUND: ReadonlySet<string> = new Set();

/** Finds the requests whose bodies contain a text. */
function useFound(text = ''): ReadonlySet<string> {
  const q = useDelayed(text);
  const { data } = useResource<JournalSummary>(q === '' ? undefined : withQuery('/requests/summary', { q }), 'journal');
  return useMemo(() => (data ? new Set(data.requests.map(({ id }) => id)) : NONE_FOUND), [data]);
}

/** Returns what selects the requests of a filter. It is another function when it may select others. */
export function useFilter(filter = readFilter()): (list: readonly RequestSummary[]) => readonly RequestSummary[] {
  const query = useMemo(() => parseQuery(filter), [filter]);
  const [first, second, third] = query.texts;
  const found = [useFound(first), useFound(second), useFound(third)];
  useTicks(query.isRelative ? 1_000 : NEVER_MS);
  const now = query.isRelative ? Math.floor(sandboxTime() / 1_000) : 0;
  return useMemo(() => {
    const names = new Map(commits.value.map((commit) => [commit.id, namesOf(commit).join('\n').toLowerCase()]));
    const hasText = (id: string, text: string) =>
      names.get(id)?.includes(text) === true || found[query.texts.indexOf(text)]?.has(id) === true;
    const surroundings = { now: sandboxTime(), hasText };
    return (list) => (filter === '' ? list : list.filter((request) => query.matches(request, surroundings)));
  }, [query, now, commits.value, ...found]);
}

/** The requests that many readers look for. */
const CHIPS = { error: 'Errors', write: 'Writes', fault: 'Faults', slow: 'Slow' };

/** Values that requests have, for a key of the filter. */
function listValues(key: string): readonly string[] {
  const read: Readonly<Record<string, (request: RequestSummary) => string | undefined>> = {
    ...laneOf,
    method: ({ method }) => method,
    status: ({ status }) => (status === 0 ? 'reset' : String(status)),
    route: ({ route }) => route ?? 'none',
  };
  if (key === 'is') return Object.keys(KINDS);
  if (key === 'last') return ['30s', '1m', '5m', '1h'];
  const of = lookUp(read, key);
  return of ? [...new Set(requests.value.map((request) => of(request) ?? 'none'))].sort() : [];
}

/** The box of the filter, which completes its words, and the filters that many readers use. */
export function FilterBar() {
  const filter = readFilter();
  const { problems } = parseQuery(filter);
  return (
    <search class="toolbar request-filters">
      <input
        class="search"
        type="search"
        placeholder="Filter: status:4xx user:ada -text"
        aria-label="Filter"
        title={Object.entries(KEYS)
          .map(([key, { expected }]) => `${key}: ${expected}`)
          .join('\n')}
        aria-invalid={problems.length > 0}
        list="filter-words"
        spellcheck={false}
        value={filter}
        onInput={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      <datalist id="filter-words">
        {completeQuery(filter, listValues).map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <fieldset class="chips">
        <legend class="visually-hidden">Show only</legend>
        {Object.entries(CHIPS).map(([kind, title]) => (
          <Button
            key={kind}
            pressed={hasTerm(filter, `is:${kind}`)}
            onClick={() => setFilter(toggleTerm(filter, `is:${kind}`))}
          >
            {title} <span class="count">{formatNumber(requests.value.filter(KINDS[kind] ?? Boolean).length)}</span>
          </Button>
        ))}
      </fieldset>
      {filter !== '' && (
        <Button kind="plain" onClick={() => setFilter('')}>
          Clear filters
        </Button>
      )}
      {problems.map((problem) => (
        <p key={problem} class="field-error" role="alert">
          {problem}
        </p>
      ))}
    </search>
  );
}
