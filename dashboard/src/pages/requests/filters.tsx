import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { withQuery } from '../../lib/api.js';
import { formatNumber } from '../../lib/format.js';
import { commits, requests } from '../../lib/live.js';
import { place, setQuery } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { JournalSummary, RequestSummary } from '../../lib/types.js';
import { Button } from '../../ui/elements.js';
import { useDelayed } from '../../ui/reference-input.js';

/** What the address selects, by name of the parameter. */
const NAMES = ['q', 'method', 'route', 'user', 'status', 'fault', 'writes', 'slow'] as const;
type Filters = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/** In place of a value that is null. */
const NONE = 'none';

const STATUSES = [
  ['error', 'Errors'],
  ['2xx', '2xx success'],
  ['3xx', '3xx redirect'],
  ['4xx', '4xx client error'],
  ['5xx', '5xx server error'],
  ['reset', 'Connection reset'],
] as const;

export function readFilters(): Filters {
  const { query } = place.value;
  return Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
}

/** Whether a request failed: with a status from 400, or without a response. */
export const isError = ({ status }: Pick<RequestSummary, 'status'>): boolean => status === 0 || status >= 400;

export const isWrite = ({ id, commit }: RequestSummary): boolean => id === commit;

/** Milliseconds from which a request is slow: an emulator responds in less, unless a fault delays it. */
const SLOW_MS = 100;

/** The requests that many readers look for, by the parameter that selects them. */
const CHIPS = [
  ['status', 'error', 'Errors', isError],
  ['writes', '1', 'Writes', isWrite],
  ['fault', '1', 'Faults', ({ fault }: RequestSummary) => fault !== null],
  ['slow', '1', 'Slow', ({ duration }: RequestSummary) => (duration ?? 0) >= SLOW_MS],
] as const;

/** Finds the requests whose path, user or bodies contain the text that is searched. Empty without one, and until it is read. */
export function useFound(): ReadonlySet<string> {
  const q = useDelayed(readFilters().q ?? '');
  const { data } = useResource<JournalSummary>(q === '' ? undefined : withQuery('/requests/summary', { q }), 'journal');
  return useMemo(() => new Set(data?.requests.map(({ id }) => id)), [data]);
}

/** Selects requests. @param found ids of those whose bodies contain the text that is searched */
export function filterRequests(
  list: readonly RequestSummary[],
  filters: Filters,
  found: ReadonlySet<string>,
): readonly RequestSummary[] {
  const { q = '', method, route, user, status, fault, writes, slow } = filters;
  if (Object.keys(filters).length === 0) return list;
  const text = q.toLowerCase();
  const names = new Map(commits.value.map((commit) => [commit.id, commit.names.join('\n').toLowerCase()]));
  return list.filter(
    (request) =>
      (request.path.toLowerCase().includes(text) ||
        request.id === text ||
        found.has(request.id) ||
        names.get(request.id)?.includes(text)) &&
      (method === undefined || request.method === method) &&
      (route === undefined || (request.route ?? NONE) === route) &&
      (user === undefined || (request.user ?? NONE) === user) &&
      (status === undefined || matchesStatus(request.status, status)) &&
      (fault === undefined || request.fault !== null) &&
      (writes === undefined || isWrite(request)) &&
      (slow === undefined || (request.duration ?? 0) >= SLOW_MS),
  );
}

/** Compares with a class such as `4xx`, a status such as `404`, `reset` or `error`. */
function matchesStatus(status: number, wanted: string): boolean {
  if (wanted === 'reset') return status === 0;
  if (wanted === 'error') return isError({ status });
  return wanted.endsWith('xx') ? status !== 0 && String(status)[0] === wanted[0] : String(status) === wanted;
}

/** Whether a phone shows more than the text that is searched. */
const isOpen = signal(false);

/** The controls that select requests. They are in the address, so that a link shows the same. */
export function FilterBar() {
  const filters = readFilters();
  const isFiltered = Object.keys(filters).length > 0;
  const clear = () => setQuery(Object.fromEntries(NAMES.map((name) => [name, undefined])));
  return (
    <search class={isOpen.value ? 'toolbar request-filters open' : 'toolbar request-filters'}>
      <input
        class="search"
        type="search"
        placeholder="Search ids, names and bodies"
        aria-label="Search ids, names and bodies"
        value={filters.q ?? ''}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
      <span class="filters-button">
        <Button
          pressed={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          Filters
        </Button>
      </span>
      <Choice name="method" label="Method" all="All methods" values={valuesOf('method')} none="" />
      <Choice name="status" label="Status" all="All statuses" values={STATUSES} none="" />
      <Choice name="route" label="Route" all="All routes" values={valuesOf('route')} none="No such route" />
      <Choice name="user" label="User" all="All users" values={valuesOf('user')} none="No user" />
      <fieldset class="chips">
        <legend class="visually-hidden">Show only</legend>
        {CHIPS.map(([name, value, title, isMatch]) => (
          <Button
            key={name}
            pressed={filters[name] === value}
            onClick={() => setQuery({ [name]: filters[name] === value ? undefined : value })}
          >
            {title} <span class="count">{formatNumber(requests.value.filter(isMatch).length)}</span>
          </Button>
        ))}
      </fieldset>
      {isFiltered && (
        <Button kind="plain" onClick={clear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

type Choices = readonly (readonly [value: string, text: string])[];

/** Values that the requests have. */
const valuesOf = (name: 'method' | 'route' | 'user'): Choices =>
  [...new Set(requests.value.map((request) => request[name] ?? NONE))].sort().map((value) => [value, value]);

function Choice({
  name,
  label,
  all,
  values,
  none,
}: {
  readonly name: (typeof NAMES)[number];
  readonly label: string;
  readonly all: string;
  readonly values: Choices;
  /** Text for requests without a value. */
  readonly none: string;
}) {
  const selected = readFilters()[name] ?? '';
  // A link may select what no request has yet.
  const isKnown = selected === '' || values.some(([value]) => value === selected);
  const choices: Choices = isKnown ? values : [...values, [selected, selected]];
  return (
    <select
      aria-label={label}
      class={selected === '' ? '' : 'active'}
      value={selected}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {value === NONE ? none : text}
        </option>
      ))}
    </select>
  );
}
