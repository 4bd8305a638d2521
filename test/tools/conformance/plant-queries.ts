import { routes } from '#vals/service/all.routes.js';
import { type Change, inItems, inLinks, type PlantClass, querying, without } from './plant-changes.js';

// Differences of what a query means.

const having = (name: string, isPart: (route: string) => boolean = () => true): string[] =>
  routes
    .filter(({ query, name: route }) => JSON.stringify(query ?? {}).includes(`"${name}"`) && isPart(route))
    .map(({ name }) => name);
const isByTime = (route: string): boolean => /\/v[12]\/vals$|\/telemetry\/|\/v2\/orgs$/.test(route);
const SEARCH = 'GET /v1/search/vals';

/** Lists the found vals that a search in another way finds. */
const searching =
  (isFound: (val: string, name: string, query: string) => boolean): Change =>
  (reply, request) => {
    const query = request.url.searchParams.get('query') ?? '';
    return inItems((items) =>
      items.filter((item) => {
        const name = Object(item).name;
        return isFound(JSON.stringify(item), String(name), query);
      }),
    )(reply, request);
  };
/** Keeps some parameters of a link. */
const keeping = (link: string, ...names: readonly string[]): Change =>
  inLinks(link, ({ [link]: address = '' }) => {
    const url = new URL(address);
    for (const name of [...url.searchParams.keys()]) if (!names.includes(name)) url.searchParams.delete(name);
    return { [link]: url.href };
  });

export const QUERY_CLASSES: Readonly<Record<string, PlantClass>> = {
  searches: {
    on: [SEARCH],
    changes: {
      'in the case of the query': searching((val, _, query) => val.includes(query)),
      'by names alone': searching((_, name, query) => name.toLowerCase().includes(query.toLowerCase())),
      'by the begin of names': searching((_, name, query) => name.toLowerCase().startsWith(query.toLowerCase())),
    },
  },
  windows: {
    on: having('since'),
    changes: { 'since is ignored': without('since'), 'until is ignored': without('until') },
  },
  offsets: {
    on: having('offset', (route) => !isByTime(route)),
    changes: {
      'an offset is ignored': without('offset'),
      'a limit is ignored': without('limit'),
    },
  },
  pages: {
    // A version checks limit and offset, and ignores them.
    on: having('offset', (route) => !isByTime(route) && !route.endsWith('{version}')),
    changes: {
      'an offset counts pages': querying((parameters) => {
        const [offset, limit] = ['offset', 'limit'].map((name) => Number(parameters.get(name) ?? 0));
        if (offset && limit && limit > 1) parameters.set('offset', String(offset * limit));
      }),
    },
  },
  'parameters of links': {
    on: having('since', (route) => !isByTime(route)),
    changes: { 'the next page has limit and offset alone': keeping('next', 'limit', 'offset') },
  },
  relationships: { on: having('relationship'), changes: { 'a relationship is ignored': without('relationship') } },
  'versions of files': {
    on: having('version', (route) => route.startsWith('GET ')),
    changes: { 'a version is ignored': without('version') },
  },
  'branches of files': {
    on: having('branch_id', (route) => route.startsWith('GET ')),
    changes: { 'a branch is ignored': without('branch_id') },
  },
  folders: {
    on: having('recursive', (route) => route.startsWith('GET ')),
    changes: {
      'recursive is ignored': without('recursive'),
      'recursive by default': querying((parameters) => parameters.set('recursive', 'true')),
    },
  },
  'privacy of lists': {
    on: having('privacy', (route) => route.startsWith('GET ')),
    changes: { 'privacy is ignored': without('privacy') },
  },
};
