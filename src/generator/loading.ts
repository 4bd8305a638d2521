import { getHeapStatistics } from 'node:v8';
import type { RawCollection } from '../fixtures/read.js';
import { COLLECTION_NAMES, type Input } from '../fixtures/schema.js';
import { OptionsError } from '../lib/errors.js';
import type { GeneratedDataset } from './generate.js';

/** Approximate memory of a loaded run in bytes. */
const RUN_MEMORY = 1_200;
/** Number of runs between two reports. */
const REPORT_EVERY = 1_000;

/**
 * Converts a dataset to the input of the fixture loader.
 * @throws OptionsError for more runs than fit into memory, which would end the process without a message
 */
export function toCollections(dataset: GeneratedDataset): RawCollection[] {
  const max = Math.floor(getHeapStatistics().heap_size_limit / RUN_MEMORY);
  if (dataset.size.runs > max) {
    const message = `found ${dataset.size.runs}; expected at most ${max} in the memory of this process (NODE_OPTIONS=--max-old-space-size=<megabytes>).`;
    throw new OptionsError([{ path: 'generate.runs', message }]);
  }
  return COLLECTION_NAMES.map((name) => ({ name, path: name, value: [...dataset[name]] }));
}

/** Reports the number of runs as they are generated. */
export function trackRuns(dataset: GeneratedDataset, onRuns: (count: number) => void): GeneratedDataset {
  function* iterate(): Generator<Input<'runs'>> {
    let count = 0;
    for (const run of dataset.runs) {
      yield run;
      if (++count % REPORT_EVERY === 0) onRuns(count);
    }
  }
  return { ...dataset, runs: { [Symbol.iterator]: iterate } };
}
