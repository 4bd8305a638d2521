import { describe, expect, test } from 'vitest';
import { checkLinearizability, type Operation, type SequentialModel } from './linearizability.js';

type Input = 'add' | 'read';
type Call = Operation<Input, number>;

/** A counter: `add` responds with the new value, `read` with the current one. */
const counter: SequentialModel<number, Input, number> = {
  initial: 0,
  step(value, input, output) {
    const next = input === 'add' ? value + 1 : value;
    return output === undefined || output === next ? next : undefined;
  },
  key: String,
};

const did = (input: Input, call: number, end: number, output: number): Call => ({ input, call, return: end, output });
const unknown = (input: Input, call: number): Call => ({
  input,
  call,
  return: Number.POSITIVE_INFINITY,
  output: undefined,
});
const accepts = (...history: Call[]) => checkLinearizability(counter, history).isLinearizable;

describe('accepts', () => {
  test('no operations', () => {
    expect(accepts()).toBe(true);
  });

  test('operations one after the other', () => {
    expect(accepts(did('add', 1, 2, 1), did('read', 3, 4, 1), did('add', 5, 6, 2))).toBe(true);
  });

  test('concurrent operations in either order', () => {
    expect(accepts(did('add', 1, 4, 1), did('read', 2, 3, 0))).toBe(true);
    expect(accepts(did('add', 1, 4, 1), did('read', 2, 3, 1))).toBe(true);
    expect(accepts(did('add', 1, 9, 2), did('add', 2, 8, 1), did('read', 3, 7, 1))).toBe(true);
  });

  test('an operation that returns at the time at which another is called, as concurrent', () => {
    expect(accepts(did('add', 1, 2, 1), did('read', 2, 3, 0))).toBe(true);
  });

  test('an unknown outcome that happens at once, later, or never', () => {
    expect(accepts(unknown('add', 1), did('read', 2, 3, 1))).toBe(true);
    expect(accepts(unknown('add', 1), did('read', 2, 3, 0), did('read', 4, 5, 1))).toBe(true);
    expect(accepts(unknown('add', 1), did('read', 2, 3, 0))).toBe(true);
    expect(accepts(unknown('add', 1))).toBe(true);
  });

  test('a history with many unknown outcomes, in few steps', () => {
    const others = Array.from({ length: 20 }, () => unknown('add', 1));
    const { isLinearizable, steps } = checkLinearizability(counter, [
      ...others,
      did('read', 2, 9, 0),
      did('read', 3, 8, 4),
      did('add', 4, 7, 2),
    ]);
    expect({ isLinearizable, isShort: steps < 5_000 }).toEqual({ isLinearizable: true, isShort: true });
  });

  test('the operations in any order of the list', () => {
    expect(accepts(did('add', 5, 6, 2), did('read', 3, 4, 1), did('add', 1, 2, 1))).toBe(true);
  });

  test('a long history with many operations under way', () => {
    const history = Array.from({ length: 600 }, (_, i) => did('add', i, i + 10, i + 1));
    expect(accepts(...history, ...Array.from({ length: 12 }, (_, i) => unknown('add', i * 50)))).toBe(true);
  });
});

describe('rejects', () => {
  test('a stale read', () => {
    expect(accepts(did('add', 1, 2, 1), did('read', 3, 4, 0))).toBe(false);
  });

  test('a read that goes back behind an earlier one', () => {
    expect(accepts(did('add', 1, 9, 1), did('read', 2, 3, 1), did('read', 4, 5, 0))).toBe(false);
  });

  test('a lost write', () => {
    expect(accepts(did('add', 1, 2, 1), did('add', 3, 4, 1))).toBe(false);
  });

  test('a write that is applied twice', () => {
    expect(accepts(did('add', 1, 2, 1), did('read', 3, 4, 2))).toBe(false);
    expect(accepts(unknown('add', 1), did('read', 2, 3, 2))).toBe(false);
  });

  test('two writes of the same order', () => {
    expect(accepts(did('add', 1, 4, 1), did('add', 2, 3, 1))).toBe(false);
  });

  test('an unknown outcome that happens before its call, or is taken back', () => {
    expect(accepts(did('read', 1, 2, 1), unknown('add', 3))).toBe(false);
    expect(accepts(unknown('add', 1), did('read', 2, 3, 1), did('read', 4, 5, 0))).toBe(false);
  });
});

test('names the operation that no order explains, and the state before it', () => {
  const history = [did('add', 1, 2, 1), did('add', 3, 4, 2), did('read', 5, 6, 1), did('add', 7, 8, 3)];
  const verdict = checkLinearizability(counter, history);
  expect(verdict).toMatchObject({ isLinearizable: false, state: 2, order: history.slice(0, 2), stuck: [history[2]] });
});

test('gives up after too many steps', () => {
  const history = Array.from({ length: 30 }, () => did('add', 0, 1, 31));
  expect(checkLinearizability(counter, history, 10)).toMatchObject({ isLinearizable: false, isUndecided: true });
});
