import { expect, test } from 'vitest';
import { Ring } from '../../src/domain/ring.js';
import { random } from '../support/random.js';

test('there is nothing in it at first, nor in place of the first item', () => {
  const ring = new Ring<number>(3);

  expect([...ring]).toStrictEqual([]);
  expect(ring.next).toBeUndefined();
});

test.each([1, 2, 3, 4])('whatever is pushed and cut, it holds the last ones in order (seed %i)', (seed) => {
  const chance = random(seed);
  const capacity = seed * 2;
  const ring = new Ring<number>(capacity);
  let model: number[] = [];

  for (let item = 0; item < 500; item++) {
    if (chance() < 0.05) {
      const count = Math.floor(chance() * (model.length + 2));
      ring.cut(count);
      model = model.slice(0, count);
    }
    expect(ring.next).toBe(model.length === capacity ? model[0] : undefined);
    ring.push(item);
    model = [...model, item].slice(-capacity);
    expect([...ring]).toStrictEqual(model);
  }
});
