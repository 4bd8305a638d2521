import { emulatorTest, expect } from 'val-emulator/vitest';
import { Vals } from '../src/vals.js';

// Seed data of our own: ada has a val that failed 45 times, a minute apart, and worked 5 times before.
const test = emulatorTest({
  fixtures: {
    users: [{ username: 'ada' }, { username: 'grace' }],
    vals: [{ author: 'ada', name: 'report', code: 'send();' }],
    runs: Array.from({ length: 50 }, (_, minutes) => ({
      val: 'ada/report',
      runStartAt: `-${minutes + 1}m`,
      error: minutes < 45 ? `failure ${minutes + 1}` : null,
    })),
  },
});

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

test('lists all failed runs, over several pages', async ({ emulator }) => {
  const runs = await all(new Vals({ baseUrl: emulator.url, token: 'ada-token' }).failedRuns());

  expect(runs.map(({ error }) => error)).toEqual(Array.from({ length: 45 }, (_, index) => `failure ${index + 1}`));
  expect(emulator).toHaveReceived('GET /v1/me/runs', { times: 3 });
});

test('requests no more pages than it needs', async ({ emulator }) => {
  for await (const run of new Vals({ baseUrl: emulator.url, token: 'ada-token' }).failedRuns()) {
    expect(run.error).toBe('failure 1');
    break;
  }

  expect(emulator).toHaveReceived('GET /v1/me/runs', { times: 1 });
});

test('lists nothing if no run has failed', async ({ emulator }) => {
  expect(await all(new Vals({ baseUrl: emulator.url, token: 'grace-token' }).failedRuns())).toEqual([]);
});
