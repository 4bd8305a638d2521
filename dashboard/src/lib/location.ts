import { computed, signal } from '@preact/signals';

/** The page that the address shows: `#/requests/r17?at=w3`. */
interface Place {
  /** `/requests/r17`, with the characters of ids escaped. */
  readonly path: string;
  /** `['requests', 'r17']` */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

function readHash(): Place {
  const [path = '', query = ''] = window.location.hash.slice(1).split(/\?(.*)/s);
  const segments = path.split('/').filter(Boolean).map(decodeURIComponentSafely);
  return { path: pathOf(...segments), segments, query: new URLSearchParams(query) };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const place = signal(readHash());
window.addEventListener('hashchange', () => {
  place.value = readHash();
});

/** Id of the commit whose state all pages show; undefined for the current state. */
export const at = computed(() => place.value.query.get('at') ?? undefined);

/** Makes the address of a page. It keeps the commit that the pages show, unless the query has another `at`. */
export function href(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ at: at.value, ...query })) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return `#${path}${text === '' ? '' : `?${text}`}`;
}

export function navigate(path: string, query?: Query): void {
  window.location.hash = href(path, query);
  // The event comes later, maybe after the next key.
  place.value = readHash();
}

/** Changes parameters of the current page, without a new entry in the history of the browser. */
export function setQuery(query: Query): void {
  const current = Object.fromEntries(place.value.query);
  const hash = href(place.value.path, { ...current, ...query });
  window.history.replaceState(null, '', hash);
  place.value = readHash();
}

/** Shows the state after a commit on all pages; without an id, the current state. The browser can go back from it. */
export const travelTo = (commit: string | undefined): void =>
  navigate(place.value.path, { ...Object.fromEntries(place.value.query), at: commit });

/** Makes a path of segments, with the characters of ids escaped. */
export function pathOf(...segments: readonly (string | number)[]): string {
  return `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`;
}
