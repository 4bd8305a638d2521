import { parseDuration } from '#engine/lib/time.js';
import { generate } from '#vals/generator/index.js';
import type { Person } from '#vals/generator/people.js';
import type { Input } from '#vals/service/service.collection.js';
import type { Scenario } from './scenario.js';

/** Of how many of the youngest vals the older versions are kept, and of how many of the newest runs all that they did. */
const IN_FULL = { vals: 8, runs: 60 };

/** Ada has hundreds of vals, which run thousands of times; others look on. */
export function busy(): Scenario {
  const { users, vals, versions, runs, likes, comments } = generate(
    { users: 12, vals: 210, runs: 2_000, days: 14, seed: 7 },
    { changePeople: adaWrites },
  );
  const edited = vals.filter(({ version = 0 }) => version > 0).slice(-IN_FULL.vals);
  const refs = new Set(edited.map(({ author, name }) => `${author}/${name}`));
  const newestFirst = [...runs].sort((a, b) => agoOf(a) - agoOf(b));
  return {
    users: [...users],
    vals: vals.map((val) => {
      const { version, versionCreatedAt, nextVersion, ...first } = val;
      return edited.includes(val) ? val : first;
    }),
    versions: versions.filter(({ val }) => refs.has(val)),
    runs: newestFirst.map((run, index) => {
      const { version, ...rest } = run;
      const known = refs.has(run.val) ? run : rest;
      return index < IN_FULL.runs ? known : briefly(known);
    }),
    likes: [...likes],
    comments: [...comments],
  };
}

const adaWrites = ([first, ...others]: readonly Person[]): Person[] => [
  ...(first ? [{ ...first, username: 'ada', email: 'ada@example.com' }] : []),
  ...others.map((other) => ({ ...other, activity: 0, profileImageUrl: null })),
];

const agoOf = ({ runStartAt = '' }: Input<'runs'>) => parseDuration(runStartAt.slice(1)) ?? 0;

/** That it ran, and whether it failed. */
const briefly = ({ args, logs, returnValue, emails, source, ...run }: Input<'runs'>): Input<'runs'> => ({
  ...run,
  ...(source !== 'ui' && { source }),
  ...(run.runStartAt && { runStartAt: run.runStartAt.replace(/\.\d+s$/, 's') }),
});
