import * as fc from 'fast-check';
import type { State, User } from './records.js';

/** What there is when a request is made: generated requests name records by numbers, which are looked up here. */
export interface Scene {
  readonly state: State;
  readonly caller: User | undefined;
  /** Ids that any val or run ever had. */
  readonly everVals: readonly string[];
  readonly everRuns: readonly string[];
}
export type Late<T> = (scene: Scene) => T;

export const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % items.length];
export const index = fc.nat(40);
export const weighted = <T>(...arbitraries: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...arbitraries.map(([weight, arbitrary]) => ({ weight, arbitrary })));
export const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  weighted<T | undefined>([weight, arbitrary], [1, fc.constant(undefined)]);

// Queries: parameters of which at most one does not fit.

const BAD_PARAMETERS = [
  'limit=0',
  'limit=101',
  'limit=',
  'limit=x',
  'limit=1.5',
  'limit=2&limit=3',
  'offset=-1',
  'offset=x',
];
const BAD_TIMES = ['since=', 'since=yesterday', 'until=2024-13-01T00:00:00Z', 'until=2024-06-11'];
const time = fc.tuple(index, fc.constantFrom(-1, 0, 0, 1), fc.constantFrom('Z', 'z', '+02:00')).map(
  ([n, shift, zone]): Late<string> =>
    ({ state: { now, vals, runs, comments } }) => {
      const at =
        (pick([...runs, ...comments, ...vals.flatMap(({ versions }) => versions), { at: now }], n)?.at ?? now) + shift;
      return encodeURIComponent(new Date(at + (zone === '+02:00' ? 7_200_000 : 0)).toISOString().replace('Z', zone));
    },
);
function query(
  extra: fc.Arbitrary<Late<string>[]> = fc.constant([]),
  bad: readonly string[] = [],
): fc.Arbitrary<Late<string>> {
  const paging = fc.tuple(
    maybe(fc.constantFrom('limit=1', 'limit=2', 'limit=3', 'limit=20', 'limit=100', 'limit=02')),
    maybe(fc.constantFrom('offset=0', 'offset=1', 'offset=2', 'offset=5', 'offset=999')),
    maybe(fc.constantFrom('x=1', 'x=%20y&x=2', 'y')),
  );
  const parts = fc.tuple(paging, extra, fc.constantFrom(...BAD_PARAMETERS, ...bad), fc.nat(9));
  return parts.map(([given, late, defect, chance]) => (scene) => {
    const fields = [...late.map((each) => each(scene)), ...given.filter((each) => each !== undefined)];
    const name = (field: string) => field.split('=')[0];
    const all = chance < 9 ? fields : [...fields.filter((field) => name(field) !== name(defect)), defect];
    return all.length === 0 ? '' : `?${all.join('&')}`;
  });
}
const parameter = (name: string, value: fc.Arbitrary<string>) =>
  maybe(
    value.map(
      (text): Late<string> =>
        () =>
          `${name}=${text}`,
    ),
  );
const bound = (name: string) =>
  maybe(
    time.map(
      (late): Late<string> =>
        (scene) =>
          `${name}=${late(scene)}`,
    ),
  );
const present = (...parts: fc.Arbitrary<Late<string> | undefined>[]) =>
  fc.tuple(...parts).map((given) => given.filter((part) => part !== undefined));
export const plain = query();
export const windowed = query(present(bound('since'), bound('until')), BAD_TIMES);
export const runQuery = query(
  present(
    bound('since'),
    bound('until'),
    parameter('error', fc.constantFrom('true', 'false')),
    parameter('source', fc.constantFrom('api', 'ui,email')),
  ),
  [...BAD_TIMES, 'error=maybe', 'error='],
);
export const commentQuery = query(
  present(bound('since'), bound('until'), parameter('relationship', fc.constantFrom('any', 'given', 'received'))),
  [...BAD_TIMES, 'relationship=all', 'relationship='],
);
const WORDS = ['alpha', 'ALPHA', 'a', 'dice', 'dice+x', 'esm.town', '%F0%9F%8E%B2', '+', 'q'.repeat(512)];
export const searchQuery = query(present(fc.constantFrom(...WORDS).map((word) => () => `query=${word}`)), [
  'query=',
  `query=${'q'.repeat(513)}`,
]);
