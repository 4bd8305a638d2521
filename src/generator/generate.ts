import type { Input } from '../fixtures/schema.js';
import { Rng } from '../lib/rng.js';
import { Calendar, DAY, formatAgo } from './calendar.js';
import { makeComments } from './comments.js';
import { makeFakers, makeSources } from './faker.js';
import { makeLikes } from './likes.js';
import { type DatasetSize, type GenerateOptions, resolveSize } from './options.js';
import { makePeople, type Person } from './people.js';
import { makeRuns } from './runs.js';
import { formatRef, type GeneratedVal } from './val.js';
import { makeVals } from './vals.js';

/** A generated dataset in the fixture format. All its times are relative to load time. */
export interface GeneratedDataset {
  readonly size: DatasetSize;
  /** The first is the most active. */
  readonly users: readonly Input<'users'>[];
  /** Oldest first. */
  readonly vals: readonly Input<'vals'>[];
  readonly versions: readonly Input<'versions'>[];
  /** Generated during iteration, since there may be millions. Each iteration gives the same runs. */
  readonly runs: Iterable<Input<'runs'>>;
  readonly likes: readonly Input<'likes'>[];
  readonly comments: readonly Input<'comments'>[];
}

/** How much older than the oldest run people and vals can be. */
const BEFORE_RUNS = 300 * DAY;
/** Minimum size of a dataset that includes the standard library. */
const WITH_LIBRARY = { users: 4, vals: 24 };

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
  const runsSince = size.days * DAY;
  const oldest = runsSince + BEFORE_RUNS;
  const rng = new Rng(`seed ${size.seed}`);
  const fakers = makeFakers(rng.fork('faker'));
  const sources = makeSources(fakers.english);
  const withLibrary = size.users >= WITH_LIBRARY.users && size.vals >= WITH_LIBRARY.vals;
  const people = changePeople(makePeople(size.users, { fakers, sources, oldest, withLibrary }, rng.fork('people')));
  const context = { rng, calendar: new Calendar(oldest), sources, runsSince };
  const vals = makeVals(size.vals, people, withLibrary, context);
  return {
    size,
    users: people.map(({ joined, themes, style, activity, reach, ...user }) => user),
    vals: vals.map(toValFixture),
    versions: vals.flatMap(toVersionFixtures),
    runs: makeRuns(size.runs, vals, people[0], context),
    likes: makeLikes(vals, people, context),
    comments: makeComments(vals, people, context),
  };
}

/** The val with the code of its latest version. */
const toValFixture = ({ author, latest, nextVersion, versions, ...val }: GeneratedVal): Input<'vals'> => ({
  author: author.username,
  name: val.name,
  type: val.type,
  privacy: val.privacy,
  version: latest.number,
  ...(nextVersion > latest.number + 1 && { nextVersion }),
  createdAt: formatAgo(val.created),
  ...(versions.length > 1 && { versionCreatedAt: formatAgo(latest.created) }),
  readme: val.readme,
  code: latest.code,
});

/** All versions but the latest. */
const toVersionFixtures = (val: GeneratedVal): Input<'versions'>[] =>
  val.versions.slice(0, -1).map(({ number, created, code }) => ({
    val: formatRef(val),
    version: number,
    createdAt: formatAgo(created),
    code,
  }));
