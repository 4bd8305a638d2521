import { expect, test } from 'vitest';
import { State } from '../../src/domain/state.js';
import { type Past, World } from '../../src/domain/world.js';

const seedWith = (drawn: number): State => {
  const seed = new State({ auth: 'strict', defaultPrivacy: 'private', idSeed: 'a seed' });
  seed.drawn = drawn;
  return seed;
};
const cause = (id: number) => ({ id: `${id}`, cause: 'POST /v1/vals', at: id });
const add = (amount: number) => (state: State) => {
  state.drawn += amount;
  return `added ${amount}`;
};

test('a write changes the state and gives what the change gives', () => {
  const world = new World(seedWith(5));
  const before = world.state;

  expect(world.write(cause(1), add(2))).toBe('added 2');
  expect(world.adjust(add(3))).toBe('added 3');

  expect(world.state.drawn).toBe(10);
  expect(before.drawn).toBe(5);
  expect(world.seed.drawn).toBe(5);
});

test('a change that throws halfway leaves no trace', () => {
  const world = new World(seedWith(5));
  const before = world.state;
  const failing = (state: State) => {
    add(2)(state);
    state.rates = state.rates.put({ token: 't', since: 0, requests: 1 });
    throw new Error('halfway');
  };

  expect(() => world.write(cause(1), failing)).toThrow('halfway');
  expect(() => world.adjust(failing)).toThrow('halfway');

  expect(world.state).toBe(before);
  expect(world.state.drawn).toBe(5);
  expect(world.state.rates.size).toBe(0);
  expect(world.past).toStrictEqual([]);
});

test('a reset goes back to the seed as often as asked, and forgets what was written', () => {
  const world = new World(seedWith(5));
  for (const amount of [1, 2]) {
    world.write(cause(amount), add(amount));
    world.reset();

    expect(world.state.drawn).toBe(5);
    expect(world.past).toStrictEqual([]);
  }
});

test('writing after a reset leaves the seed alone', () => {
  const seed = seedWith(5);
  const world = new World(seed);
  world.reset();
  world.write(cause(1), add(1));

  expect(seed.drawn).toBe(5);
  expect(world.seed).toBe(seed);
});

test('another seed takes the place of the first', () => {
  const world = new World(seedWith(5));
  world.write(cause(1), add(1));
  world.reseed(seedWith(50));
  expect(world.state.drawn).toBe(50);

  world.write(cause(2), add(1));
  world.reset();
  expect(world.state.drawn).toBe(50);
});

test('two worlds of one seed are apart', () => {
  const seed = seedWith(5);
  const [one, two] = [new World(seed), new World(seed)];
  one.write(cause(1), add(1));

  expect(two.state.drawn).toBe(5);
  expect(two.past).toStrictEqual([]);
});

test('a rewind goes back to just before a write and forgets it and those that followed', () => {
  const world = new World(seedWith(0));
  for (const i of [1, 2, 3]) world.write(cause(i), add(i));
  const second = world.past[1];
  if (!second) throw new Error('nothing remembered');

  world.rewind(second);

  expect(world.state.drawn).toBe(1);
  expect(world.past.map(({ id }) => id)).toStrictEqual(['1']);
  expect(() => world.rewind(second)).toThrow('not a write of this world');
  expect(world.state.drawn).toBe(1);
});

test('a rewind can be followed by other writes, and what is remembered stays as it was', () => {
  const world = new World(seedWith(0));
  for (const i of [1, 2]) world.write(cause(i), add(i));
  const second = world.past[1];
  if (!second) throw new Error('nothing remembered');
  world.rewind(second);
  world.write(cause(3), add(10));

  expect(world.state.drawn).toBe(11);
  expect(second.before.drawn).toBe(1);
  expect(second.after.drawn).toBe(3);
});

test('a write that began with a smaller change can be taken back with it', () => {
  const world = new World(seedWith(0));
  const before = world.state;
  world.adjust(add(1));
  world.write(cause(1), add(2), before);
  const [past] = world.past;

  expect(past?.before).toBe(before);
  if (past) world.rewind(past);
  expect(world.state.drawn).toBe(0);
});

test('the last hundred writes are remembered', () => {
  const world = new World(seedWith(0));
  for (let i = 0; i < 150; i++) world.write(cause(i), add(1));

  expect(world.past).toHaveLength(100);
  expect(world.past.map(({ id }: Past) => Number(id))).toStrictEqual(Array.from({ length: 100 }, (_, i) => i + 50));
});

test('a snapshot can be restored again and again, also after a reset', () => {
  const world = new World(seedWith(0));
  world.write(cause(1), add(1));
  world.snapshot('one', 7);
  const [one] = world.snapshots;
  if (!one) throw new Error('no snapshot');

  for (let i = 0; i < 2; i++) {
    world.write(cause(2), add(5));
    world.reset();
    world.restore(one);

    expect(world.state.drawn).toBe(1);
    expect(world.past).toStrictEqual([]);
  }
  expect(world.snapshots).toMatchObject([{ name: 'one', at: 7 }]);
});

test('a snapshot takes the place of one of the same name, as the newest, and can be dropped', () => {
  const world = new World(seedWith(0));
  world.snapshot('one', 1);
  world.snapshot('two', 2);
  world.adjust(add(1));
  world.snapshot('one', 3);

  expect(world.snapshots.map(({ name, at, state }) => [name, at, state.drawn])).toStrictEqual([
    ['two', 2, 0],
    ['one', 3, 1],
  ]);
  world.dropSnapshot({ name: 'two', at: 2, state: world.state });
  expect(world.snapshots.map(({ name }) => name)).toStrictEqual(['one']);
});

test('seed, snapshots and what is remembered stay as they are, even when the state at hand is written to', () => {
  const seed = seedWith(0);
  const world = new World(seed);
  world.state.drawn = 91;
  expect(seed.drawn).toBe(0);

  world.reset();
  world.state.drawn = 92;
  expect(seed.drawn).toBe(0);

  world.snapshot('one', 1);
  const [one] = world.snapshots;
  if (!one) throw new Error('no snapshot');
  world.state.drawn = 93;
  expect(one.state.drawn).toBe(92);

  world.restore(one);
  world.state.drawn = 94;
  expect(one.state.drawn).toBe(92);

  world.write(cause(1), add(1));
  const [past] = world.past;
  if (!past) throw new Error('nothing remembered');
  world.rewind(past);
  world.state.drawn = 96;
  expect(past.before.drawn).toBe(94);
});
