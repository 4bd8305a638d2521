import { isObject } from '../lib/objects.js';
import { parseTarget } from '../lib/target.js';
import { parseInstant } from '../lib/time.js';
import { nameItem } from '../remote/items.js';
import type { Comparison, Difference } from './difference.js';

/** The keys of items by which lists are sorted, the latest first. */
const TIME_KEYS = ['runStartAt', 'referencedAt', 'createdAt'];
/** Lists that are sorted by something that their items do not show. */
const SORTED_OTHERWISE = /^\/v1\/(?:me\/likes|search\/vals)$/;

interface ListBody {
  readonly data: readonly unknown[];
  readonly links: Record<string, unknown>;
}

export const isList = (body: unknown): body is Record<string, unknown> & ListBody =>
  isObject(body) && Array.isArray(body.data) && isObject(body.links);

/** Compares which items two pages have, and in which order. */
export function* compareItems(theirs: ListBody, ours: ListBody, comparison: Comparison): Generator<Difference> {
  const own = new Map(ours.data.map((item) => [nameItem(item), item]));
  const found = new Map(theirs.data.map((item) => [nameItem(item), item]));
  const isCounted = ([name]: [string, unknown]) => !name.split(' ').some(comparison.isDiverged);
  const added = [...found].filter(([name]) => !own.has(name)).filter(isCounted);
  const missing = [...own].filter(([name]) => !found.has(name)).filter(isCounted);
  if (added.length > 0 || missing.length > 0) {
    const items = {
      isHidden: added.some(([name]) => name.split(' ').every(comparison.hasId)),
      bound: findBound(
        [...added, ...missing].map(([, item]) => item),
        comparison,
      ),
    };
    const [upstream, emulator] = [added, missing].map((list) => list.map(([name]) => name)).map(describeNames);
    yield { symptom: 'items', at: '$.data', upstream, emulator, items };
  }
  const order = [...found.keys()].filter((name) => own.has(name));
  const ownOrder = [...own.keys()].filter((name) => found.has(name));
  if (order.join() !== ownOrder.join()) {
    yield { symptom: 'order', at: '$.data', upstream: order.join(', '), emulator: ownOrder.join(', ') };
  }
}

const describeNames = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : names.join(', ');

/** Finds the bound of the window on which one of the items lies. */
function findBound(items: readonly unknown[], { target }: Comparison): 'since' | 'until' | undefined {
  const { query } = parseTarget(target);
  const times = new Set(items.map((item) => parseInstant(readTime(item) ?? '')));
  return (['since', 'until'] as const).find((name) => {
    const bound = parseInstant(query.get(name) ?? '');
    return bound !== undefined && times.has(bound);
  });
}

function readTime(item: unknown): string | undefined {
  const value = isObject(item) ? TIME_KEYS.map((key) => item[key]).find((time) => time !== undefined) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Checks the order of a list alone, if the emulator has other items. */
export function* checkOrder({ data }: ListBody, path: string): Generator<Difference> {
  if (SORTED_OTHERWISE.test(path)) return;
  const times = data.map(readTime);
  const instants = times.map((time) => parseInstant(time ?? ''));
  const i = instants.findIndex((instant, at) => (instants[at - 1] ?? Number.POSITIVE_INFINITY) < (instant ?? 0));
  if (i < 0) return;
  yield { symptom: 'order', at: '$.data', upstream: `${times[i - 1]}, ${times[i]}`, emulator: 'the latest first' };
}

const LINKS = ['self', 'next', 'prev'];

/** Compares the links of two pages, without their bases. */
export function* compareLinks(theirs: ListBody, ours: ListBody, hasSameItems: boolean): Generator<Difference> {
  for (const name of LINKS) {
    const [upstream, emulator] = [theirs.links[name], ours.links[name]];
    const isOnOneSide = (upstream === undefined) !== (emulator === undefined);
    const isDifferent =
      isOnOneSide || typeof upstream !== 'string' || typeof emulator !== 'string'
        ? isOnOneSide && hasSameItems
        : normalizeLink(upstream) !== normalizeLink(emulator);
    if (isDifferent) return yield { symptom: 'links', at: '$.links', upstream, emulator };
  }
}

/** Writes a link as path and sorted query. */
function normalizeLink(link: string): string {
  if (!URL.canParse(link)) return link;
  const { pathname, searchParams } = new URL(link);
  searchParams.sort();
  return `${pathname.replace(/^.*?(?=\/v\d+\/)/, '')}?${searchParams}`;
}
