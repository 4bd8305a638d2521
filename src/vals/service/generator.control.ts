import type { Generator } from '#engine/fixtures/generator.js';
import { makeGenerateSchema, parseGenerateOptions, resolveSize } from '#vals/generator/options.js';

/** Over HTTP, a dataset is limited to what loads in seconds. */
const HttpOptions = makeGenerateSchema({ users: 1_000, vals: 10_000, projects: 1_000, runs: 200_000 });

export const generator: Generator = {
  schema: HttpOptions,
  validate: (options, path) => parseGenerateOptions(options, path).problems,
  count(options) {
    const { users, vals, projects, runs } = resolveSize(options);
    return users + vals + projects + runs;
  },
  async load() {
    const { generateInSteps, toCollections } = await import('#vals/generator/index.js');
    return function* (options, onProgress) {
      const { runs } = resolveSize(options);
      const onRuns = (done: number) => onProgress?.({ step: 'generating', done, total: runs, unit: 'runs' });
      return yield* toCollections(yield* generateInSteps(options, { onRuns }));
    };
  },
};
