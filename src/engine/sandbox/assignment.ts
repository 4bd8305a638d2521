import type { Steps } from '../lib/steps.js';

/** An item that a taker may have, and what that costs, such as 0 or 1. */
export interface Candidate<T> {
  readonly item: T;
  readonly cost: number;
}

/** Costs more than any other assignment. */
const NOTHING = { item: undefined, cost: 1e9 };

/**
 * Gives as many takers as possible a separate item, at the least cost in total. In turn, each gets the cheapest item that is free or
 * that another taker can do without. Source: H. Kuhn, "The Hungarian method"
 * @param takers the candidates of each, the cheapest first
 * @returns the item of each taker; undefined for none
 */
export function* assign<T extends object>(takers: readonly (readonly Candidate<T>[])[]): Steps<(T | undefined)[]> {
  const given: Candidate<T | undefined>[] = [];
  const takerOf = new Map<T, number>();
  const lists = takers.map((candidates): readonly Candidate<T | undefined>[] => [...candidates, NOTHING]);
  for (const [first, [cheapest = NOTHING]] of lists.entries()) {
    /** What it costs to free the item of a taker. */
    const costs = new Map([[first, 0]]);
    const ways = new Map<T | undefined, { taker: number; candidate: Candidate<T | undefined>; total: number }>();
    let best: { item: T | undefined; total: number } = { item: undefined, total: Number.POSITIVE_INFINITY };
    const queue = [first];
    for (let taker = queue.shift(); taker !== undefined && best.total > cheapest.cost; taker = queue.shift()) {
      for (const candidate of lists[taker] ?? []) {
        const { item } = candidate;
        const total = (costs.get(taker) ?? 0) + candidate.cost;
        // The others have the best items already, so no way gets cheaper later.
        if (total >= best.total) break;
        if (total >= (ways.get(item)?.total ?? Number.POSITIVE_INFINITY)) continue;
        ways.set(item, { taker, candidate, total });
        const holder = item && takerOf.get(item);
        if (holder === undefined) {
          best = { item, total };
          continue;
        }
        const freed = total - (given[holder]?.cost ?? 0);
        if (freed >= (costs.get(holder) ?? Number.POSITIVE_INFINITY)) continue;
        costs.set(holder, freed);
        queue.push(holder);
      }
    }
    let way = ways.get(best.item);
    while (way) {
      const { taker, candidate } = way;
      const before = given[taker];
      given[taker] = candidate;
      if (candidate.item) takerOf.set(candidate.item, taker);
      way = before && ways.get(before.item);
    }
    yield;
  }
  return given.map(({ item }) => item);
}
