// Import this module dynamically: it loads faker.
import { getHeapStatistics } from 'node:v8';
import { RECORD_MEMORY } from '#engine/fixtures/load.js';
import type { RawCollection } from '#engine/fixtures/read.js';
import * as engine from '#engine/fixtures/write.js';
import { OptionsError } from '#engine/lib/errors.js';
import { finish, mapInSteps, type Steps } from '#engine/lib/steps.js';
import type { CollectionName, Input, ValCollectionName } from '#vals/service/service.collection.js';
import { formatAgo } from './calendar.js';
import { makeContext } from './context.js';
import { type DatasetSize, type GenerateOptions, resolveSize } from './options.js';
import { makePeople, type Person } from './people.js';
import { makeProjects } from './projects.js';
import { makeComments, makeLikes } from './reactions.js';
import { makeRuns } from './runs.js';
import { formatRef } from './val.js';
import { makeVals } from './vals.js';

type Collections = { readonly [C in Exclude<ValCollectionName, 'runs'>]: readonly Input<C>[] } & {
  /** Generated during iteration, since there may be millions. Each iteration gives the same runs. */
  readonly runs: Iterable<Input<'runs'>>;
  readonly projects?: readonly Input<'projects'>[];
  /** Commits of the branches main after the first one. */
  readonly commits?: readonly Input<'commits'>[];
};

/**
 * A generated dataset in the fixture format. All its times are relative to now. The first user is the most active;
 * all other records are in the order of their times, oldest first.
 */
export type GeneratedDataset = Collections & { readonly size: DatasetSize };

interface GenerateHooks {
  /** Replaces the people before their vals are created. */
  changePeople?(people: readonly Person[]): readonly Person[];
  /** Called with the number of generated runs after each thousand. */
  onRuns?(count: number): void;
}

/**
 * Generates a dataset. The same options give the same dataset, on any machine and any day.
 * @throws OptionsError
 */
export function generate(options: GenerateOptions = {}, hooks: GenerateHooks = {}): GeneratedDataset {
  return finish(generateInSteps(options, hooks));
}

/** @throws OptionsError */
export function* generateInSteps(options: GenerateOptions, hooks: GenerateHooks = {}): Steps<GeneratedDataset> {
  const size = resolveSize(options);
  const context = makeContext(size, options);
  const made = makePeople(context);
  const people = hooks.changePeople?.(made) ?? made;
  const vals = yield* makeVals(people, context);
  const runs = makeRuns(vals, people[0], context, hooks.onRuns);
  yield;
  const projects = size.projects > 0 ? yield* makeProjects(people, context) : undefined;
  const likes = yield* makeLikes(vals, people, context);
  const comments = yield* makeComments(vals, people, context);
  return {
    size,
    users: people.map(({ joined, themes, style, activity, reach, ...user }) => user),
    ...projects,
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
    runs,
    likes,
    comments,
  };
}

/**
 * Converts a dataset to the input of the fixture loader.
 * @throws OptionsError for more runs than fit into memory, which would end the process without a message
 */
export function* toCollections(dataset: GeneratedDataset): Steps<RawCollection[]> {
  const max = Math.floor(getHeapStatistics().heap_size_limit / RECORD_MEMORY);
  if (dataset.size.runs > max) {
    const message = `found ${dataset.size.runs}; expected at most ${max} in the memory of this process (NODE_OPTIONS=--max-old-space-size=<megabytes>).`;
    throw new OptionsError([{ path: 'generate.runs', message }]);
  }
  const made: RawCollection[] = [];
  const { size: _, ...records } = dataset;
  for (const [name, all] of Object.entries(records)) {
    const value = yield* mapInSteps<object, object>(all, (record) => record);
    made.push({ name, path: name, value });
  }
  return made;
}

/** Collections of a generated dataset, or some of them. */
type WrittenCollections = Readonly<Partial<Record<CollectionName, Iterable<object>>>>;

const select = ({ users, projects, commits, vals, versions, runs, likes, comments }: WrittenCollections) => ({
  users,
  projects,
  commits,
  vals,
  versions,
  runs,
  likes,
  comments,
});

/** Writes a dataset as one fixture file, one record per line, in chunks. */
export const writeFixture = (dataset: WrittenCollections): Generator<string, void> =>
  engine.writeFixture(select(dataset));

/** Writes a dataset as a fixture folder, one file per collection. */
export const writeFixtureFolder = (dataset: WrittenCollections) => engine.writeFixtureFolder(select(dataset));
