import type { Pause, Steps, TextSteps } from '../lib/steps.js';
import { systemTimers } from '../platform/system-timers.js';

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 10;

/** Runs steps, slice by slice. Yields the text of each slice, and returns the result. */
async function* runSlices<T>(steps: Generator<Pause | string | undefined, T>): AsyncGenerator<string, T> {
  const closable: Generator<unknown, unknown> = steps;
  try {
    for (;;) {
      const end = systemTimers.uptime() + SLICE_MS;
      let text = '';
      let next = steps.next();
      for (; !next.done; next = steps.next()) {
        if (typeof next.value === 'object') await next.value.wait();
        else text += next.value ?? '';
        if (systemTimers.uptime() >= end) break;
      }
      if (next.done) {
        if (text !== '') yield text;
        return next.value;
      }
      yield text;
      await new Promise<void>((resolve) => systemTimers.setImmediate(resolve));
    }
  } finally {
    // The reader may have stopped.
    closable.return(undefined);
  }
}

/** Runs steps in between other work. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  const slices = runSlices(steps);
  let next = await slices.next();
  while (!next.done) next = await slices.next();
  return next.value;
}

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
