import { setImmediate as nextTurn } from 'node:timers/promises';
import { UUID_PATTERN } from '#engine/lib/ids.js';
import { takeFirst } from '#engine/lib/matching.js';
import type { Emulator } from '../../emulator.js';
import { compareBodies, type Difference, describeDifference, nameDifference } from '../conformance/compare.js';
import type { ReportEntry } from '../conformance/report.js';
import type { ReadPage } from './pages.js';
import { isPage } from './shapes.js';

/** Limit of differences of one document: items in another order differ in all keys. */
const MAX_PROBLEMS = 10;

interface DriftOptions {
  /** Documents of the service. */
  readonly pages: readonly ReadPage[];
  /** URL of the service: its links begin with it. */
  readonly base: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares the pulled documents with the responses of an emulator that has the fixtures.
 * @returns an entry for each route, and each key of it that differs; and how many documents and whole lists are equal
 */
export async function findDrift(emulator: Emulator, { pages, base, signal }: DriftOptions) {
  const [me] = emulator.users;
  const headers = { authorization: `Bearer ${me?.token}` };
  const differences = new Map<string, ReportEntry>();
  const passed = new Map<string, number>();
  const known = new Map(
    pages
      .filter(({ status }) => status === 200)
      .map((page) => [page.target, { ...page, json: withoutBase(page.json, base) }]),
  );
  // The emulator's pages follow from its links.
  const followed = new Set([...known.values()].map(({ json }) => (isPage(json) ? json.links.next : undefined)));
  const targets = [...known.keys()].filter((target) => !followed.has(target));
  for (const target of targets) {
    // Signals arrive between two turns.
    await nextTurn();
    signal?.throwIfAborted();
    let isShortened = false;
    const theirTypes = new Set<string>();
    const theirs = await readWhole(target, (next) => {
      const page = known.get(next);
      isShortened ||= page?.isShortened ?? false;
      if (page) theirTypes.add(normalizeType(page.mediaType));
      return page?.json;
    });
    let status = 200;
    const ourTypes = new Set<string>();
    const ours = await readWhole(target, async (next) => {
      const response = await emulator.fetch(next, { headers });
      if (!response.ok) status = response.status;
      ourTypes.add(normalizeType(response.headers.get('content-type')));
      return withoutBase(await response.json(), emulator.url);
    });
    const route = toRoute(target);
    const problems: Difference[] =
      status === 200
        ? [
            ...compareTypes(theirTypes, ourTypes),
            // Without private vals, the pages are others.
            ...takeFirst(
              compareBodies(theirs, ours, { isSame: (_, __, path) => isShortened && path === '$.pages' }),
              MAX_PROBLEMS,
            ),
          ]
        : [{ kind: 'status', path: 'status', theirs: 200, ours: status }];
    if (problems.length === 0) passed.set(route, (passed.get(route) ?? 0) + 1);
    for (const difference of problems) {
      const id = `${route}/${difference.kind}/${difference.path}`;
      const rule = nameDifference(difference, `GET ${target}`);
      const about: ReportEntry = {
        id,
        rule,
        group: 'drift',
        outcome: 'different',
        reason: describeDifference(difference),
      };
      const { count = 0, ...entry } = differences.get(id) ?? about;
      differences.set(id, { ...entry, count: count + 1 });
    }
  }
  const entries: ReportEntry[] = [
    ...differences.values(),
    ...[...passed].map(([route, count]) => ({
      ...{ id: route, rule: `${route} is the same`, group: 'drift', count },
      outcome: 'passed' as const,
    })),
  ];
  const equal = [...passed.values()].reduce((sum, count) => sum + count, 0);
  return { entries, equal, compared: targets.length };
}

/** Compares the media types of all pages of a document, with their parameters. */
function compareTypes(...types: readonly ReadonlySet<string>[]): Difference[] {
  const [theirs, ours] = types.map((each) => [...each].sort().join(' and '));
  return theirs === ours ? [] : [{ kind: 'header', path: 'content-type', theirs, ours }];
}

/** Writes a media type in the one way that HTTP has for equal ones: without spaces and quotes, in lower case. */
const normalizeType = (type: string | null): string =>
  (type ?? 'no media type')
    .toLowerCase()
    .replaceAll(/\s*;\s*/g, '; ')
    .replaceAll('"', '');

/** Reads a document, or all pages of a list as one with the links of each. */
async function readWhole(target: string, read: (target: string) => unknown): Promise<unknown> {
  const data: unknown[] = [];
  const pages: unknown[] = [];
  for (let next: string | null | undefined = target; next; ) {
    const json = await read(next);
    if (!isPage(json)) return json ?? { data, links: {}, pages };
    data.push(...json.data);
    pages.push(json.links);
    next = json.links.next;
  }
  return { data, links: {}, pages };
}

const withoutBase = (json: unknown, base: string): unknown =>
  json === undefined ? undefined : JSON.parse(JSON.stringify(json).replaceAll(`"${base}/`, '"/'));

/** Returns the route of a path, without ids. */
export const toRoute = (target: string): string =>
  target
    .replace(/\?.*/s, '')
    .replaceAll(UUID_PATTERN, '{id}')
    .replace(/\/versions\/\d+$/, '/versions/{version}');
