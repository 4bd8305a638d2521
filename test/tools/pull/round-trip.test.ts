import { expect, test } from 'vitest';
import { listFileReads, RICH, writeHistory } from './rich.js';
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
  ['all versions', { history: true }, undefined],
  ['the latest version', { history: false }, undefined],
  ['all versions of one time', { history: true }, '2024-02-01T00:00:00.000Z'],
  ['the latest version of one time', { history: false }, '2024-02-01T00:00:00.000Z'],
])('projects with a history have the same files, with %s', async (_, scope, now) => {
  // More than a page.
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`many/file${i}.txt`, `${i}`]));
  const projects = [...(RICH.projects ?? []), { owner: 'ada', name: 'large', files }];
  const emulator = await start({ fixtures: { ...RICH, projects }, now });
  await writeHistory(emulator);
  const reads = await listFileReads(emulator, scope.history);
  expect(reads.length).toBeGreaterThan(40);
  emulator.clearRequests();
  const result = await pullFrom(emulator, { scope, projects: ['grace/theirs', 'others/public'] });
  expect(await findUnlike(emulator, result, 'ada-token', reads)).toEqual([]);
  expect(result.pulled.unseen.filter((line) => / is not readable|left out/.test(line))).toEqual([]);
});
