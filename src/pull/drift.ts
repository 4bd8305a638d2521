import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Emulator } from '../emulator.js';
import { UUID_PATTERN } from '../lib/ids.js';
import { compareExactly } from '../lib/matching.js';
import { isObject } from '../lib/objects.js';
import { nameItem } from '../remote/items.js';
import type { ReportEntry } from '../remote/report.js';
import type { ReadPage } from './pages.js';
import { isPage } from './shapes.js';

/** Differences of one document that are reported: items in another order differ in all keys. */
const MAX_PROBLEMS = 10;

/** What a service has responded to a request: a document, or a whole list. */
interface PulledDocument {
  readonly target: string;
  readonly json: unknown;
}

/** All pages of a list. */
interface List {
  readonly items: readonly unknown[];
  /** The links of each page. Undefined if private vals are left out, since the pages are others then. */
  readonly links?: readonly unknown[] | undefined;
}

interface DriftOptions {
  /** What was read. */
  readonly pages: readonly ReadPage[];
  /** URL of the service, which its links begin with. */
  readonly base: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks an emulator with the pulled fixtures for everything that was read.
 * @returns an entry for each route, and each key of it that differs; and how many documents and whole lists are equal
 */
export async function findDrift(emulator: Emulator, { pages, base, signal }: DriftOptions) {
  const [me] = emulator.users;
  const headers = { authorization: `Bearer ${me?.token}` };
  const differences = new Map<string, { readonly entry: ReportEntry; count: number }>();
  const passed = new Map<string, number>();
  const documents = joinLists(pages, base);
  for (const { target, json } of documents) {
    // Signals arrive between two turns.
    await nextTurn();
    signal?.throwIfAborted();
    const route = toRoute(target);
    const found = await fetchFrom(emulator, target, headers);
    const problems = compare(json, found);
    if (problems.length === 0) passed.set(route, (passed.get(route) ?? 0) + 1);
    for (const problem of problems.slice(0, MAX_PROBLEMS)) {
      const id = `${route} ${problem.replace(/: expected .*/s, '').replaceAll(/\[\d+\]/g, '[]')}`;
      const rule = `GET ${target} is the same`;
      const known = differences.get(id) ?? {
        entry: { id, rule, group: 'drift', outcome: 'different' as const, reason: problem },
        count: 0,
      };
      differences.set(id, { ...known, count: known.count + 1 });
    }
  }
  const entries: ReportEntry[] = [
    ...[...differences.values()].map(({ entry, count }) => ({ ...entry, count })),
    ...[...passed].map(([route, count]) => ({
      ...{ id: route, rule: `${route} is the same`, group: 'drift', count },
      outcome: 'passed' as const,
    })),
  ];
  const equal = [...passed.values()].reduce((sum, count) => sum + count, 0);
  return { entries, equal, compared: documents.length };
}

/** Joins the pages of each list, and leaves out the base of links. */
function joinLists(pages: readonly ReadPage[], base: string): PulledDocument[] {
  const known = new Map(
    pages
      .filter(({ status }) => status === 200)
      .map((page) => [page.target, { ...page, json: withoutBase(page.json, base) }]),
  );
  // A page that another one links to is asked for with that one.
  const followed = new Set([...known.values()].map(({ json }) => (isPage(json) ? json.links.next : undefined)));
  return [...known.values()].flatMap(({ target, json }) => {
    if (!isPage(json)) return [{ target, json }];
    if (followed.has(target)) return [];
    const items: unknown[] = [];
    const links: unknown[] = [];
    let isShortened = false;
    for (let next: string | null | undefined = target; next; ) {
      const page = known.get(next);
      if (!isPage(page?.json)) break;
      items.push(...page.json.data);
      links.push(page.json.links);
      isShortened ||= page.isShortened ?? false;
      next = page.json.links.next;
    }
    return [{ target, json: { items, ...(!isShortened && { links }) } satisfies List }];
  });
}

/** Reads a document, or a whole list, from the emulator. */
async function fetchFrom(emulator: Emulator, target: string, headers: Record<string, string>): Promise<unknown> {
  const items: unknown[] = [];
  const links: unknown[] = [];
  for (let next: string | null | undefined = target; next; ) {
    const response = await emulator.fetch(next, { headers });
    const json = withoutBase(await response.json(), emulator.url);
    if (!response.ok) return { status: response.status };
    if (!isPage(json)) return json;
    items.push(...json.data);
    links.push(json.links);
    next = json.links.next;
  }
  return { items, links } satisfies List;
}

const withoutBase = (json: unknown, base: string): unknown =>
  json === undefined ? undefined : JSON.parse(JSON.stringify(json).replaceAll(`"${base}/`, '"/'));

function compare(wanted: unknown, found: unknown): string[] {
  if (isObject(found) && typeof found.status === 'number') return [`status: expected 200, found ${found.status}`];
  if (!isList(wanted) || !isList(found)) return compareExactly(wanted, found);
  const { length } = wanted.items;
  if (length !== found.items.length) return [`length: expected ${length}, found ${found.items.length}`];
  const problems = compareListItems(wanted.items, found.items);
  return wanted.links === undefined ? problems : [...problems, ...compareExactly(wanted.links, found.links)];
}

/** Compares the items of two lists. The same ones in another order are one difference. */
function compareListItems(wanted: readonly unknown[], found: readonly unknown[]): string[] {
  const byName = new Map(found.map((item) => [nameItem(item), item]));
  const names = wanted.map(nameItem);
  const at = names.findIndex((name, i) => name !== nameItem(found[i]));
  const isMixed = at >= 0 && names.every((name) => byName.has(name));
  if (!isMixed) return compareExactly(wanted, found);
  const sorted = names.map((name) => byName.get(name));
  return [
    `order: expected [${at}] to be ${names[at]}, found ${nameItem(found[at])}`,
    ...compareExactly(wanted, sorted),
  ];
}

const isList = (value: unknown): value is List => isObject(value) && Array.isArray(value.items);

/** Returns the route of a path, without ids. */
export const toRoute = (target: string): string =>
  target
    .replace(/\?.*/s, '')
    .replaceAll(UUID_PATTERN, '{id}')
    .replace(/\/versions\/\d+$/, '/versions/{version}');
