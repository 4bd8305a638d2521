import { expect, test } from 'vitest';
import { type Fault, strike } from '../../src/domain/faults.js';
import { State } from '../../src/domain/state.js';

const fault: Fault = { id: 'f1', after: 0, rate: 1, seed: '0', seen: 0, hits: 0 };
const target = { route: undefined, method: 'GET', caller: undefined };

function stateWith(faults: readonly Fault[], idSeed = 'val-emulator'): State {
  const state = new State({ auth: 'strict', defaultPrivacy: 'private', idSeed });
  state.faults = faults;
  return state;
}

/** The delays of the next four requests. */
const delays = (state: State) =>
  Array.from({ length: 4 }, () => Math.floor(strike(state, target)?.delay ?? Number.NaN));

test('a delay between two bounds is drawn the same on every run', () => {
  expect(delays(stateWith([{ ...fault, delay: [100, 300] }]))).toStrictEqual([235, 143, 207, 208]);
  expect(delays(stateWith([{ ...fault, delay: [100, 300] }]))).toStrictEqual([235, 143, 207, 208]);
});

test('another fault draws others', () => {
  expect(delays(stateWith([{ ...fault, id: 'f2', delay: [100, 300] }]))).toStrictEqual([184, 203, 271, 250]);
});

test('a fork draws what its origin draws', () => {
  const state = stateWith([{ ...fault, delay: [100, 300] }]);
  strike(state, target);
  const fork = state.fork();

  expect(delays(fork).slice(0, 3)).toStrictEqual([143, 207, 208]);
  expect(delays(state).slice(0, 3)).toStrictEqual([143, 207, 208]);
});

test('neither draw takes from the chance that makes ids', () => {
  const state = stateWith([{ ...fault, delay: [100, 300], rate: 0.5 }]);
  const untroubled = stateWith([]);

  for (let i = 0; i < 10; i++) strike(state, target);

  expect(state.newId()).toBe(untroubled.newId());
});

test('all delays lie between the bounds', () => {
  const state = stateWith([{ ...fault, delay: [5, 7] }]);
  const drawn = Array.from({ length: 300 }, () => strike(state, target)?.delay ?? Number.NaN);

  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...drawn)).toBeLessThan(7);
  expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(1.8);
  expect(strike(stateWith([{ ...fault, delay: [5, 5] }]), target)?.delay).toBe(5);
});
