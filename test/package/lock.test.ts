import { expect, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import { complete, findMissing } from '../../scripts/complete-lock.js';

test('the lock file has an entry for each optional package of each platform', () => {
  expect(findMissing(lock.packages), 'run npm run fix:lock').toEqual([]);
});

test('adds an entry for a platform whose package cannot be fetched', () => {
  const packages = {
    'node_modules/tool': { version: '2.0.0', dev: true, optionalDependencies: { '@tool/linux-x64-musl': '2.0.0' } },
  };

  const completed = complete(packages);

  expect(completed).toEqual({
    ...packages,
    'node_modules/@tool/linux-x64-musl': {
      version: '2.0.0',
      cpu: ['x64'],
      libc: ['musl'],
      os: ['linux'],
      dev: true,
      optional: true,
    },
  });
  expect(findMissing(completed)).toEqual([]);
});

test('ignores another version of a package at the same path', () => {
  const packages = {
    'node_modules/tool': { version: '2.0.0', optionalDependencies: { 'tool-darwin-arm64': '2.0.0' } },
    'node_modules/old/node_modules/tool': { version: '1.0.0', optionalDependencies: { 'tool-darwin-arm64': '1.0.0' } },
    'node_modules/tool-darwin-arm64': { version: '1.0.0', optional: true },
  };

  expect(findMissing(packages)).toEqual([{ parent: 'node_modules/tool', name: 'tool-darwin-arm64', version: '2.0.0' }]);
  expect(Object.keys(complete(packages))).toContain('node_modules/tool/node_modules/tool-darwin-arm64');
});
