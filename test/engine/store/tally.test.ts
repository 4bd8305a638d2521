import { expect, test } from 'vitest';
import { finish } from '#engine/lib/steps.js';
import { asc, Collection, index } from '#engine/store/collection.js';
import { Tally } from '#engine/store/tally.js';

interface Item {
  readonly id: number;
  readonly color: string;
}
const shape = { identity: index<Item>(asc(({ id }) => id)), indexes: {} };
const COLORS = ['red', 'green', 'blue'];
const color = (n: number) => COLORS[n % COLORS.length] ?? '';

test('counts states by their differences as it would count each alone', () => {
  const tally = new Tally<Item, string>((item) => item.color);
  let items = Collection.from(
    shape,
    Array.from({ length: 100 }, (_, id) => ({ id, color: color(id) })),
  );
  const states = [items];
  for (let i = 0; i < 300; i++) {
    const id = (i * 37) % 120;
    const known = items.get(id);
    items = known && i % 3 === 0 ? items.delete(known) : items.put({ id, color: color(i) });
    states.push(items);
  }
  states.push(Collection.from(shape, []));

  for (const state of [...states, ...states.toReversed(), ...states.filter((_, i) => i % 7 === 0)]) {
    const expected = new Map<string, number>();
    for (const item of state) expected.set(item.color, (expected.get(item.color) ?? 0) + 1);
    expect(finish(tally.count(state))).toEqual(expected);
  }
});

test('reads no record that is the same as before', () => {
  const read: number[] = [];
  const tally = new Tally<Item, string>((item) => {
    read.push(item.id);
    return item.color;
  });
  const items = Collection.from(
    shape,
    Array.from({ length: 1_000 }, (_, id) => ({ id, color: 'red' })),
  );
  finish(tally.count(items));
  read.length = 0;

  expect(finish(tally.count(items.put({ id: 7, color: 'blue' })))).toEqual(
    new Map([
      ['red', 999],
      ['blue', 1],
    ]),
  );
  expect(read).toEqual([7, 7]);
});
