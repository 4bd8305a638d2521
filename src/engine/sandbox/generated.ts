import { ApiError } from '../lib/errors.js';
import type { RunSteps } from '../lib/steps.js';
import type { Replaced } from './replacement.js';
import type { Sandbox } from './sandbox.js';
import type { Sandboxes } from './sandboxes.js';
import { checkGenerated } from './seed-loader.js';

/**
 * Records of the datasets in memory that were generated over HTTP. A million takes about a gigabyte, a quarter
 * of Node's default heap.
 */
export const MAX_GENERATED = 1_000_000;

const MAX_LISTED = 5;

interface Dataset {
  readonly size: number;
}

type Holders = Pick<Sandboxes, 'default' | 'all' | 'host'>;

/** The datasets that were generated over HTTP. */
export class GeneratedDatasets {
  /** By what refers to it: the seed, and the settings of the states that came from it. */
  readonly #datasets = new WeakMap<object, Dataset>();
  readonly #run: RunSteps;
  readonly #max: number;
  #last: Promise<void> = Promise.resolve();

  /** @param run runs the generator in between other requests */
  constructor(run: RunSteps, max = MAX_GENERATED) {
    this.#run = run;
    this.#max = max;
  }

  /**
   * Generates a dataset, and resets a sandbox to it. One after another, since each takes its room first.
   * @throws ApiError 422 when there is no room for it
   * @throws OptionsError
   */
  reseed(sandbox: Sandbox, generate: object, sandboxes: Holders): Promise<Replaced> {
    const done = this.#last.then(async () => {
      const { generator } = sandboxes.host.loader;
      const size = generator?.count(checkGenerated({ generate }, generator)) ?? 0;
      const dataset = { size };
      this.#assertRoom(dataset.size, sandbox, sandboxes);
      const replaced = await sandbox.regenerate({ generate }, this.#run);
      for (const holder of [sandbox.meta.seed, sandbox.store.state.settings]) this.#datasets.set(holder, dataset);
      return replaced;
    });
    this.#last = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  #assertRoom(size: number, sandbox: Sandbox, { default: first, all }: Holders): void {
    const found = new Set<Dataset>();
    const holders = [first, ...all].flatMap((each) => {
      const { state, snapshots } = each.store;
      // The dataset of the sandbox itself makes room for the new one.
      const own = each === sandbox ? [] : [each.meta.seed, state.settings];
      let records = 0;
      for (const holder of [...own, ...snapshots.map((snapshot) => snapshot.state.settings)]) {
        const dataset = this.#datasets.get(holder);
        if (!dataset || found.has(dataset)) continue;
        found.add(dataset);
        records += dataset.size;
      }
      return records === 0 ? [] : [`${each.name || 'the default sandbox'} (${records})`];
    });
    const held = [...found].reduce((sum, dataset) => sum + dataset.size, 0);
    if (held + size <= this.#max) return;
    const rest = holders.length > MAX_LISTED ? ` and ${holders.length - MAX_LISTED} others` : '';
    throw new ApiError(
      422,
      `Generated records: found ${size} in addition to ${held} in memory; expected at most ${this.#max} in sum. They are in ${holders.slice(0, MAX_LISTED).join(', ')}${rest}. Close a sandbox, load other seed data into it, or drop its snapshots.`,
    );
  }
}
