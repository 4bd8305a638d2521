import { expect, test } from 'vitest';
import { RICH, writeHistory } from './rich.js';
import { findUnlike, pullFrom, start } from './support.js';

/** Thousands of requests, on a machine with other work. */

test.each(['default', 'empty', 'busy', 'popular', 'failures', 'edge-cases'])(
  'an emulator with a pulled account responds as the service did for the dataset %s',
  async (fixtures) => {
    const emulator = await start({ fixtures });
    for (const { token } of emulator.users.slice(0, 3)) {
      emulator.clearRequests();
      const result = await pullFrom(emulator, { token });
      expect(emulator.requests().every(({ method }) => method === 'GET')).toBe(true);
      expect(await findUnlike(emulator, result, token)).toEqual([]);
    }
  },
);

test.each([
  ['all versions', true],
  ['the latest version', false],
])('projects with a history have the same files, with %s', async (_, history) => {
  // More than a page.
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`many/file${i}.txt`, `${i}`]));
  const projects = [...(RICH.projects ?? []), { owner: 'ada', name: 'large', files }];
  const emulator = await start({ fixtures: { ...RICH, projects } });
  await writeHistory(emulator);
  emulator.clearRequests();
  const result = await pullFrom(emulator, { scope: { history }, projects: ['grace/theirs', 'others/public'] });
  expect(await findUnlike(emulator, result)).toEqual([]);
  expect(result.pulled.unseen.filter((line) => / is not readable|left out/.test(line))).toEqual([]);
});
