import * as engine from '#engine/seed/write.js';
import type { CollectionName } from '../collections/index.js';

/** Collections of a generated dataset, or some of them. */
type Collections = Readonly<Partial<Record<CollectionName, Iterable<object>>>>;

const select = ({ users, projects, commits, vals, versions, runs, likes, comments }: Collections) => ({
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
export const writeFixture = (dataset: Collections): Generator<string, void> => engine.writeFixture(select(dataset));

/** Writes a dataset as a fixture folder, one file per collection. */
export const writeFixtureFolder = (dataset: Collections) => engine.writeFixtureFolder(select(dataset));
