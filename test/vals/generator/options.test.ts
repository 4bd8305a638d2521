import { expect, test } from 'vitest';
import { resolveSize } from '#vals/generator/options.js';
import { OptionsError } from '../../../src/index.js';

test.each([
  [{}, { users: 20, vals: 200, runs: 4_000 }],
  [{ users: 50 }, { users: 50, vals: 500, runs: 10_000 }],
  [{ vals: 95 }, { users: 10, vals: 95, runs: 1_900 }],
  [{ runs: 1_000 }, { users: 5, vals: 50, runs: 1_000 }],
  [
    { users: 3, runs: 10 },
    { users: 3, vals: 30, runs: 10 },
  ],
  [
    { users: 3, vals: 0 },
    { users: 3, vals: 0, runs: 0 },
  ],
  [{ users: 0 }, { users: 0, vals: 0, runs: 0 }],
  [{ vals: 0 }, { users: 20, vals: 0, runs: 0 }],
  [{ runs: 0 }, { users: 20, vals: 200, runs: 0 }],
  [
    { users: 3, projects: 7 },
    { users: 3, vals: 30, projects: 7, runs: 600 },
  ],
])('%o is a dataset of %o', (options, size) => {
  expect(resolveSize(options)).toEqual({ projects: 0, ...size, days: 30, seed: 1 });
});

test('returns the given days and seed', () => {
  expect(resolveSize({ users: 1, days: 7, seed: 42 })).toMatchObject({ days: 7, seed: 42 });
});

test.each<[unknown, string]>([
  [{ users: -1 }, 'option users: found -1; expected a whole number from 0 to 100000.'],
  [{ users: 1.5 }, 'option users: found 1.5; expected a whole number from 0 to 100000.'],
  [{ vals: '10' }, 'option vals: found "10"; expected a whole number from 0 to 100000.'],
  [{ users: 1e9 }, 'option users: found 1000000000; expected a whole number from 0 to 100000.'],
  [{ runs: 1e12 }, 'option runs: found 1000000000000; expected a whole number from 0 to 100000000.'],
  [{ days: 0 }, 'option days: found 0; expected a whole number of days from 1 to 3650.'],
  [{ seed: -1 }, 'option seed: found -1; expected a whole number from 0.'],
  [{ seed: Number.NaN }, 'option seed: found NaN; expected a whole number from 0.'],
  [{ user: 5 }, 'option user: unknown key. Did you mean "users"?'],
  [{ likes: 5 }, 'option likes: unknown key. Known keys: users, vals, projects, runs, days, seed, company, people.'],
  [{ users: 0, vals: 5 }, 'option users: found 0; expected at least 1, as author of the 5 vals.'],
  [{ users: 0, projects: 5 }, 'option users: found 0; expected at least 1, as owner of the 5 projects.'],
  [{ projects: 10_001 }, 'option projects: found 10001; expected a whole number from 0 to 10000.'],
  [{ vals: 0, runs: 5 }, 'option vals: found 0; expected at least 1, for the 5 runs.'],
  [{ users: 0, runs: 5 }, 'option vals: found 0; expected at least 1, for the 5 runs.'],
  [
    { users: -1, days: 4_000 },
    'option users: found -1; expected a whole number from 0 to 100000.\noption days: found 4000; expected a whole number of days from 1 to 3650.',
  ],
])('refuses %o', (options, message) => {
  const call = () => resolveSize(Object.assign({}, options));
  expect(call).toThrow(OptionsError);
  expect(call).toThrow(message);
});
