import { expect, test } from 'vitest';
import { finish } from '#engine/lib/steps.js';
import { assign, type Candidate } from '#engine/sandbox/assignment.js';
import { random } from '../../support/random.js';
import { sized } from '../../support/soak.js';

type Item = object;

/** Returns the most takers with an item, and the least cost of so many, by trying all assignments. */
function tryAll(
  [first, ...others]: readonly (readonly Candidate<Item>[])[],
  taken: readonly Item[] = [],
): [number, number] {
  if (!first) return [0, 0];
  const [without, cost] = tryAll(others, taken);
  let best: [number, number] = [without, cost];
  for (const candidate of first) {
    if (taken.includes(candidate.item)) continue;
    const [count, rest] = tryAll(others, [...taken, candidate.item]);
    const found: [number, number] = [count + 1, rest + candidate.cost];
    if (found[0] > best[0] || (found[0] === best[0] && found[1] < best[1])) best = found;
  }
  return best;
}

test('gives the most takers an item at the least cost, as trying all does', () => {
  const draw = random(1);
  for (let i = 0; i < sized(200, 2_000); i++) {
    const items = Array.from({ length: 1 + Math.floor(draw() * 5) }, () => ({}));
    const takers = Array.from({ length: Math.floor(draw() * 6) }, () =>
      items
        .filter(() => draw() < 0.6)
        .map((item) => ({ item, cost: -Math.floor(draw() * 2) }))
        .sort((a, b) => a.cost - b.cost),
    );

    const given = finish(assign(takers));

    const found = given.flatMap((item, taker) => takers[taker]?.filter((each) => each.item === item) ?? []);
    expect(given).toHaveLength(takers.length);
    expect(new Set(found.map(({ item }) => item)).size).toBe(found.length);
    expect([found.length, found.reduce((sum, { cost }) => sum + cost, 0)]).toEqual(tryAll(takers));
  }
});
