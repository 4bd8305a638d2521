import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complete, findMissing } from '../../scripts/complete-lock.js';
import { listFolders } from '../../scripts/install.js';
import { ROOT } from './pack.js';

const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

test.each(['.', ...listFolders()])(
  'the lock of %s has each optional package of each platform, and no registry',
  (folder) => {
    const text = read(folder, 'package-lock.json');
    expect(findMissing(JSON.parse(text).packages), 'run npm run fix:lock').toEqual([]);
    expect(text).not.toContain('"resolved"');
  },
);

test('npm install of a clone brings at most 700 packages', () => {
  const { packages }: { packages: Record<string, { optional?: boolean }> } = JSON.parse(read('package-lock.json'));
  // Of the optional packages, which are binaries of a platform, about ten are for this one.
  expect(Object.values(packages).filter(({ optional }) => !optional).length).toBeLessThanOrEqual(690);
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
