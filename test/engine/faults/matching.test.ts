import { expect, test } from 'vitest';
import { matchFault } from '#engine/faults/faults.js';
import type { Fault } from '#engine/faults/faults.state.js';
import { beginExchange } from '#engine/journal/exchange.js';
import { type Draft, drawId, emptyState, fork } from '#engine/state/state.js';
import { definitions } from '#vals/service/service.collection.js';

const any = { route: null, method: null, userId: null, match: null, times: null };
const harmless = { status: 500, headers: null, delay: null, reset: false, truncate: null };
const fault: Fault = { id: 'f1', ...any, ...harmless, after: 0, rate: 1, seed: '0', seen: 0, hits: 0 };
const exchange = { ...beginExchange({ method: 'GET', target: '/v1/me', headers: [] }), route: 'GET /v1/me' };

function makeDraft(faults: readonly Fault[], idSeed = 'val-emulator'): Draft {
  const draft = fork(emptyState({ auth: 'strict', defaultPrivacy: 'private', idSeed }, definitions));
  draft.faults = faults;
  return draft;
}

/** Whether each of the next requests has a fault injected. */
const listInjected = (draft: Draft, count: number) =>
  Array.from({ length: count }, () => matchFault(draft, exchange, undefined)?.id);

/** The delays of the next four requests, in whole milliseconds. */
const listDelays = (draft: Draft) =>
  Array.from({ length: 4 }, () => Math.floor(matchFault(draft, exchange, undefined)?.delay ?? Number.NaN));

const counters = ({ faults }: Draft) => faults.map(({ seen, hits }) => [seen, hits]);

test('a rate of a quarter injects a quarter of the requests', () => {
  const injected = listInjected(makeDraft([{ ...fault, rate: 0.25 }]), 2_000).filter((id) => id !== undefined);

  expect(injected.length).toBeGreaterThan(440);
  expect(injected.length).toBeLessThan(560);
});

test('a delay range draws the same delays on every run', () => {
  expect(listDelays(makeDraft([{ ...fault, delay: [100, 300] }]))).toStrictEqual([235, 143, 207, 208]);
  expect(listDelays(makeDraft([{ ...fault, delay: [100, 300] }]))).toStrictEqual([235, 143, 207, 208]);
});

test('another fault draws other delays', () => {
  expect(listDelays(makeDraft([{ ...fault, id: 'f2', delay: [100, 300] }]))).toStrictEqual([184, 203, 271, 250]);
});

test('drafts of one state draw the same delays', () => {
  const origin = makeDraft([{ ...fault, delay: [100, 300] }]);
  matchFault(origin, exchange, undefined);

  expect(listDelays(fork(origin)).slice(0, 3)).toStrictEqual([143, 207, 208]);
  expect(listDelays(fork(origin)).slice(0, 3)).toStrictEqual([143, 207, 208]);
  expect(counters(origin)).toStrictEqual([[1, 1]]);
});

test('neither a rate nor a delay changes the ids of later records', () => {
  const draft = makeDraft([{ ...fault, delay: [100, 300], rate: 0.5 }]);
  for (let i = 0; i < 10; i++) matchFault(draft, exchange, undefined);

  expect(drawId(draft)).toBe(drawId(makeDraft([])));
});

test('all delays are within the range', () => {
  const draft = makeDraft([{ ...fault, delay: [5, 7] }]);
  const delays = Array.from({ length: 300 }, () => matchFault(draft, exchange, undefined)?.delay ?? Number.NaN);

  expect(Math.min(...delays)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...delays)).toBeLessThan(7);
  expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(1.8);
  expect(matchFault(makeDraft([{ ...fault, delay: [5, 5] }]), exchange, undefined)?.delay).toBe(5);
});
