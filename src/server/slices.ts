import timers from 'node:timers';
import type { Steps, TextSteps } from '../lib/steps.js';

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 10;

/** Taken before a test runner replaces it. */
const { setImmediate } = timers;

/** Runs steps, slice by slice. Yields the text of each slice, and returns the result. */
async function* runSlices<T>(steps: Generator<string | undefined, T>): AsyncGenerator<string, T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    let text = '';
    let next = steps.next();
    for (; !next.done && performance.now() < end; next = steps.next()) text += next.value ?? '';
    if (next.done) {
      if (text !== '') yield text;
      return next.value;
    }
    yield text + (next.value ?? '');
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Runs steps in between other work. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  const slices = runSlices(steps);
  let next = await slices.next();
  while (!next.done) next = await slices.next();
  return next.value;
}

export const isSteps = (value: unknown): value is Steps<unknown> | TextSteps =>
  Object.prototype.toString.call(value) === '[object Generator]';

/** The result of steps: a value, the whole text, or text in chunks. */
interface Made {
  readonly value?: unknown;
  readonly text?: string;
  readonly chunks?: AsyncIterable<string>;
}

/** Runs steps up to their result, or to the second slice with text. */
export async function runSteps(steps: Steps<unknown> | TextSteps): Promise<Made> {
  const slices = runSlices<unknown>(steps);
  let text = '';
  for (;;) {
    const next = await slices.next();
    if (next.done) return text === '' ? { value: next.value } : { text };
    if (text !== '' && next.value !== '') return { chunks: prepend([text, next.value], slices) };
    text += next.value;
  }
}

async function* prepend(first: readonly string[], rest: AsyncIterable<string>): AsyncIterable<string> {
  yield* first;
  yield* rest;
}
