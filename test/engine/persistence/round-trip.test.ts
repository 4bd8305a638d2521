import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges, diffState, joinChanges, splitChanges } from '#engine/persistence/changes.js';
import { fork } from '#engine/state/state.js';
import type { State } from '#vals/lib/state.collection.js';
import { anyText } from '../../support/any-text.js';
import { sized } from '../../support/soak.js';
import { applyWrites, makeDraft, makeRun, NOW, WRITE_KINDS } from '../state/states.js';
import { showState } from './folder.js';

const viaJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const write = fc.tuple(fc.nat(WRITE_KINDS - 1), fc.nat(20), fc.nat(20));
const writes = fc.array(write, { maxLength: 60 });

function expectRoundTrip(before: State, after: State): void {
  const changes = viaJson(diffState(before, after));
  expect(showState(applyChanges(before, changes))).toBe(showState(after));
  // Applied twice, they do no harm.
  expect(showState(applyChanges(applyChanges(before, changes), changes))).toBe(showState(after));
  expect(showState(applyChanges(before, joinChanges(splitChanges(after, changes))))).toBe(showState(after));
}

test('the differences of two states turn one into the other', () => {
  fc.assert(
    fc.property(writes, writes, (first, then) => {
      const before = applyWrites(makeDraft(), first);
      const after = applyWrites(fork(before), then);
      expectRoundTrip(before, after);
      expectRoundTrip(after, before);
    }),
    { numRuns: sized(30, 150) },
  );
});

test('any JSON and any text is kept', () => {
  const text = fc.oneof(anyText, fc.constantFrom('\ud800', '\udfff x', '\0', '\n', '\u2028'));
  const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString'));
  // As requests have it: made of text, so that -0 and undefined do not occur.
  const json = fc.json({ maxDepth: 6 }).map((each) => JSON.parse(each));
  const odd = fc.dictionary(key, fc.oneof(text, json), { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, json, odd), { maxLength: 5 }), text, (items, readme) => {
      const before = applyWrites(makeDraft(), [[0, 0, 0]]);
      const after = fork(before);
      const [val] = after.vals;
      if (!val) throw new Error('no val');
      after.vals = after.vals.delete(val).put({ ...val, readme });
      for (const [i, [log, returnValue, error]] of items.entries()) {
        const run = makeRun(val, `run ${i}`, 100 + i);
        after.runs = after.runs.put({ ...run, error: JSON.parse(JSON.stringify(error)), logs: [log], returnValue });
      }
      expectRoundTrip(before, after);
    }),
    { numRuns: sized(30, 150) },
  );
  const own = JSON.parse('{ "__proto__": { "a": 1 } }');
  expect(Object.hasOwn(viaJson(own), '__proto__')).toBe(true);
});

test('faults with all fields, windows of the rate limit and each kind of clock are kept', () => {
  const before = applyWrites(makeDraft(), []);
  const fault = {
    ...{ id: 'f1', route: 'POST /v1/vals', method: 'POST', userId: 'x', after: 1, times: 2, rate: 0.5, seed: 's' },
    match: { headers: { a: null }, query: { '\ud800': 1 }, params: {}, body: { __proto__: null, deep: [[[]]] } },
    ...{
      status: 503,
      headers: { 'retry-after': '1' },
      delay: [1, 2] as const,
      reset: true,
      truncate: 3,
      seen: 4,
      hits: 5,
    },
  };
  for (const clock of [{ frozenAt: NOW }, { offset: -5 }, { offset: 0 }]) {
    for (const body of [undefined, null, 'text', { a: [1] }]) {
      const after = fork(before);
      after.clock = clock;
      after.faults = [{ ...fault, body }];
      after.faultCount = 7;
      after.rateLimits = after.rateLimits.put({ token: '', start: NOW, requests: 3 });
      after.settings = { ...after.settings, rateLimit: { limit: 5, window: 100 } };
      expectRoundTrip(before, after);
      expectRoundTrip(after, before);
    }
  }
});

test('a large change is split into parts that are the same change', () => {
  const before = applyWrites(makeDraft(), [[0, 0, 0]]);
  const after = fork(before);
  const [val] = after.vals;
  if (!val) throw new Error('no val');
  for (let i = 0; i < 2_500; i++) after.runs = after.runs.put(makeRun(val, `run ${i}`, i + 10));
  expect(splitChanges(after, diffState(before, after)).length).toBeGreaterThan(2);
  expectRoundTrip(before, after);
  expectRoundTrip(after, before);
});
