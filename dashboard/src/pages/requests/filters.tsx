import { signal } from '@preact/signals';
import { requests } from '../../lib/live.js';
import { place, setQuery } from '../../lib/location.js';
import type { RequestSummary } from '../../lib/types.js';
import { Button } from '../../ui/elements.js';

/** What the address selects, by name of the parameter. */
const NAMES = ['q', 'method', 'route', 'user', 'status', 'fault', 'writes'] as const;
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

export function filterRequests(list: readonly RequestSummary[], filters: Filters): readonly RequestSummary[] {
  const { q = '', method, route, user, status, fault, writes } = filters;
  if (Object.keys(filters).length === 0) return list;
  const text = q.toLowerCase();
  return list.filter(
    (request) =>
      request.path.toLowerCase().includes(text) &&
      (method === undefined || request.method === method) &&
      (route === undefined || (request.route ?? NONE) === route) &&
      (user === undefined || (request.user ?? NONE) === user) &&
      (status === undefined || matchesStatus(request.status, status)) &&
      (fault === undefined || request.fault !== null) &&
      (writes === undefined || isWrite(request)),
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
        placeholder="Filter by path"
        aria-label="Filter by path"
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
      <Toggle name="writes" label="Only writes" />
      <Toggle name="fault" label="Fault injected" />
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

const Toggle = ({ name, label }: { readonly name: 'fault' | 'writes'; readonly label: string }) => (
  <label class="toggle">
    <input
      type="checkbox"
      checked={readFilters()[name] !== undefined}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.checked ? 1 : undefined })}
    />
    {label}
  </label>
);
