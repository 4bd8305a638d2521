import { findTool, nameRequest } from '../../../../src/engine/api/tool-route.js';
import { formatStatus } from '../../../../src/engine/lib/reasons.js';
import { dashboardUrl, withQuery } from '../../lib/api.js';
import { findTable, singularOf } from '../../lib/collections.js';
import { capitalize } from '../../lib/format.js';
import { commits, namesOf, requests, sandboxes } from '../../lib/live.js';
import { at, navigate, pathOf } from '../../lib/location.js';
import { listOperations, type OpenApiDocument } from '../../lib/openapi.js';
import { useResource } from '../../lib/resource.js';
import type { FoundRecord } from '../../lib/types.js';
import { parseQuery } from '../../pages/requests/query.js';
import type { IconName } from '../icons.js';
import { navigation } from '../navigation.js';
import { useDelayed } from '../reference-input.js';

/** What the palette lists. */
export interface Item {
  readonly icon: IconName;
  readonly title: string;
  readonly hint: string;
  /** Whether it completes the text, and keeps the palette open. Default: false */
  readonly completes?: boolean;
  readonly run: () => unknown;
}

/** Items of a kind that are listed. */
const LISTED = 6;
/** Letters from which a part of a path finds requests and operations. */
const SHORTEST_PART = 2;

const goTo = (icon: IconName, hint: string, title: string, path: string, query = {}): Item => ({
  ...{ icon, hint, title },
  run: () => navigate(path, query),
});

export const listPages = (): readonly Item[] =>
  navigation.value.map(({ section, title, icon }) => goTo(icon, 'Page', title, `/${section}`));

/** How well a name matches, the best first: it is the text, begins with it, or has it. */
const rankName = (name: string, wanted: string): number => {
  const index = name.toLowerCase().indexOf(wanted);
  return index < 0 ? Number.POSITIVE_INFINITY : index > 0 ? 2 : name.length > wanted.length ? 1 : 0;
};

/** Sorts by the match; among equal ones the shorter name, which has less beside the text, is first. */
const byMatch = <T>(list: readonly T[], nameOf: (each: T) => string, wanted: string): readonly T[] =>
  list.toSorted((a, b) => {
    const [first, second] = [nameOf(a), nameOf(b)];
    return rankName(first, wanted) - rankName(second, wanted) || first.length - second.length;
  });

/** The page of a record, with one of its files. Emails have a page of their own. */
const toRecord = ({ collection, id, name, file }: FoundRecord): Item =>
  findTable(collection)
    ? goTo(
        'data',
        file === undefined ? capitalize(singularOf(collection)) : `File of ${name}`,
        file ?? name,
        pathOf('data', collection, id),
        { file },
      )
    : goTo('mail', capitalize(singularOf(collection)), name, pathOf('mail', id));

function findRequests(text: string): Item[] {
  const query = /^(?:[1-5]\d\d|[1-5]xx)$/.test(text) ? `status:${text}` : text;
  const { matches, problems } = parseQuery(query);
  const surroundings = { now: Date.now(), hasText: () => false };
  const found = requests.value.filter(
    (each) => (problems.length === 0 && matches(each, surroundings)) || findTool(each.route)?.includes(text),
  );
  const listed = found
    .slice(-LISTED)
    .reverse()
    .map((request) => {
      const { id, status, route } = request;
      const tool = findTool(route);
      return goTo(
        'requests',
        tool ? 'Tool call' : 'Request',
        `${id} ${nameRequest(request)} ${status === 0 ? 'reset' : formatStatus(request)}`,
        pathOf('requests', id),
      );
    });
  return found.length <= LISTED || problems.length > 0
    ? listed
    : [...listed, goTo('requests', `${found.length} in all`, `Requests with ${query}`, '/requests', { q: query })];
}

interface Found {
  readonly items: readonly Item[];
  /** Whether the records are among them. */
  readonly isComplete: boolean;
}

/** Finds pages, records, files, requests, commits, sandboxes and operations, the best match first. */
export function useFound(text: string, document: OpenApiDocument | undefined): Found {
  const q = useDelayed(text);
  const { data = [], isLoading } = useResource<readonly FoundRecord[]>(
    q === '' ? undefined : withQuery('/find', { q, at: at.value }),
  );
  if (text === '') return { items: [], isComplete: true };
  const wanted = text.toLowerCase();
  const includes = (name: string) => name.toLowerCase().includes(wanted);
  const records = data.map(toRecord);
  const requested = text.length < SHORTEST_PART ? [] : findRequests(wanted);
  const made = commits.value
    .filter((commit) => commit.id === wanted || namesOf(commit).some(includes))
    .slice(-LISTED)
    .map((commit) => {
      const { id, request } = commit;
      return goTo('time', 'Commit', `${id} ${namesOf(commit)[0] ?? request}`, '/time', { at: id });
    });
  const operations = document && text.length >= SHORTEST_PART ? listOperations(document) : [];
  const isId = /^r\d+$/.test(wanted);
  const items = [
    ...(isId ? [...requested, ...made] : []),
    ...listPages().filter(({ title }) => includes(title)),
    ...records,
    ...sandboxes.value
      .filter(({ name }) => includes(name))
      .map(
        ({ name }): Item => ({
          ...{ icon: 'sandboxes', hint: 'Sandbox', title: name },
          run: () => window.location.assign(dashboardUrl(name)),
        }),
      ),
    ...byMatch(
      operations.filter(({ route, summary = '', operationId }) => [route, summary, operationId].some(includes)),
      ({ route }) => route,
      wanted,
    )
      .slice(0, LISTED)
      .map(({ method, path, route, summary = '' }) =>
        goTo('api', summary, route, pathOf('api', method, ...path.slice(1).split('/'))),
      ),
    ...(isId ? [] : [...requested, ...made]),
  ];
  // What has exactly this name is before all that has it within.
  const exact = items.filter(({ title }) => title.toLowerCase() === wanted);
  const listed = exact.length === 0 ? items : [...exact, ...items.filter((item) => !exact.includes(item))];
  return { items: listed, isComplete: q === text && !isLoading };
}
