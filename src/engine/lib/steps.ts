/** Work elsewhere that steps need the result of. Other requests have their turn meanwhile, unless the caller blocks. */
export interface Pause {
  block(): void;
  wait(): Promise<void>;
}

/** Work in steps, between which other requests have their turn. */
export type Steps<T> = Generator<Pause | undefined, T>;
/** The text of a response, in steps. */
export type TextSteps = Generator<Pause | string | undefined, void>;

/** Runs steps to their end: at once, or in between other work. */
export type RunSteps = <T>(steps: Steps<T>) => T | Promise<T>;

/** Items of a step. */
const STEP_SIZE = 50;
/** Items that are sorted at once. */
const PART_SIZE = 500;

/** Whether a value is steps, in place of their result. */
export const isSteps = <S extends Steps<unknown> | TextSteps>(value: unknown): value is S =>
  Object.prototype.toString.call(value) === '[object Generator]';

/** Returns a value, or runs the steps that make it. */
export function* settle<T extends object>(value: T | Steps<T>): Steps<T> {
  return isSteps<Steps<T>>(value) ? yield* value : value;
}

/** Runs all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  let next = steps.next();
  for (; !next.done; next = steps.next()) next.value?.block();
  return next.value;
}

/** Reads a text chunk by chunk, each at once. */
export function* readChunks(steps: TextSteps): Generator<string, void> {
  for (const step of steps) {
    if (typeof step === 'object') step.block();
    else if (step !== undefined) yield step;
  }
}

/** Acts on items, with a step after every 50. */
export function* inSteps<T>(items: Iterable<T>, act: (item: T) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % STEP_SIZE === 0) yield;
  }
}

export function* mapInSteps<T, R>(items: Iterable<T>, map: (item: T) => R): Steps<R[]> {
  const mapped: R[] = [];
  yield* inSteps(items, (item) => void mapped.push(map(item)));
  return mapped;
}

/** Sorts items, as `toSorted` does. */
export function* sortInSteps<T>(items: Iterable<T>, compare: (a: T, b: T) => number): Steps<T[]> {
  const all = yield* mapInSteps(items, (item) => item);
  let parts: T[][] = [];
  for (let i = 0; i < all.length; i += PART_SIZE) {
    parts.push(all.slice(i, i + PART_SIZE).sort(compare));
    yield;
  }
  while (parts.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < parts.length; i += 2) merged.push(yield* merge(parts[i] ?? [], parts[i + 1] ?? [], compare));
    parts = merged;
  }
  return parts[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = [];
  let next = 0;
  const add = (item: T) => {
    for (let other = right[next]; other !== undefined && compare(other, item) < 0; other = right[++next]) {
      merged.push(other);
    }
    merged.push(item);
  };
  yield* inSteps(left, add);
  return merged.concat(right.slice(next));
}

export function* mapResult<T, R>(steps: Steps<T>, map: (result: T) => R): Steps<R> {
  return map(yield* steps);
}

export const mapLazily = <T, R>(items: Iterable<T>, map: (item: T) => R): Iterable<R> => ({
  *[Symbol.iterator]() {
    for (const item of items) yield map(item);
  },
});
