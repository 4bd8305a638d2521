import { getHeapStatistics } from 'node:v8';
import type { RawCollection } from '../fixtures/read.js';
import { COLLECTION_NAMES, type CollectionName, type Input } from '../fixtures/schema.js';
import { OptionsError } from '../lib/errors.js';
import { formatAgo } from './calendar.js';
import { makeContext } from './context.js';
import { type DatasetSize, type GenerateOptions, resolveSize } from './options.js';
import { makePeople, type Person } from './people.js';
import { makeComments, makeLikes } from './reactions.js';
import { makeRuns } from './runs.js';
import { formatRef } from './val.js';
import { makeVals } from './vals.js';

/** The first user is the most active; all others records are in the order of their times, oldest first. */
type Lists = { readonly [C in Exclude<CollectionName, 'runs'>]: readonly Input<C>[] };

/** A generated dataset in the fixture format. All its times are relative to load time. */
export interface GeneratedDataset extends Lists {
  readonly size: DatasetSize;
  /** Generated during iteration, since there may be millions. Each iteration gives the same runs. */
  readonly runs: Iterable<Input<'runs'>>;
}

/** Approximate memory of a loaded run in bytes. */
const RUN_MEMORY = 1_200;

/**
 * Generates a dataset. The same options give the same dataset, on any machine and any day.
 * @param changePeople replaces the people before their vals are created
 * @throws OptionsError
 */
export function generate(
  options: GenerateOptions = {},
  changePeople = (people: readonly Person[]): readonly Person[] => people,
): GeneratedDataset {
  const size = resolveSize(options);
  const context = makeContext(size);
  const people = changePeople(makePeople(context));
  const vals = makeVals(people, context);
  return {
    size,
    users: people.map(({ joined, themes, style, activity, reach, ...user }) => user),
    vals: vals.map(({ author, name, type, privacy, latest, nextVersion, created, versions, readme }) => ({
      author: author.username,
      name,
      type,
      privacy,
      version: latest.number,
      ...(nextVersion > latest.number + 1 && { nextVersion }),
      createdAt: formatAgo(created),
      ...(versions.length > 1 && { versionCreatedAt: formatAgo(latest.created) }),
      readme,
      code: latest.code,
    })),
    versions: vals.flatMap((val) =>
      val.versions.slice(0, -1).map(({ number: version, created, code }) => {
        return { val: formatRef(val), version, createdAt: formatAgo(created), code };
      }),
    ),
    runs: makeRuns(vals, people[0], context),
    likes: makeLikes(vals, people, context),
    comments: makeComments(vals, people, context),
  };
}

/** Reports the number of generated runs after each thousand. */
export const trackRuns = (dataset: GeneratedDataset, onRuns: (count: number) => void): GeneratedDataset => ({
  ...dataset,
  runs: {
    *[Symbol.iterator]() {
      let count = 0;
      for (const run of dataset.runs) {
        yield run;
        if (++count % 1_000 === 0) onRuns(count);
      }
    },
  },
});

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
