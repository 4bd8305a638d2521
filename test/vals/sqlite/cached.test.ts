import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';

const ROOT = join(import.meta.dirname, '../../..');

test('a run of vitest has the script of the thread as it is now, although modules are kept between runs', () => {
  const folder = folderOf({
    'vitest.config.mjs': `
      import { threadPlugin } from ${JSON.stringify(pathToFileURL(join(ROOT, 'scripts/thread.js')).href)};
      const experimental = { fsModuleCache: true, fsModuleCachePath: 'cache' };
      export default { plugins: [threadPlugin], test: { globals: true, experimental } };`,
    'sqlite/thread/code.ts': "export const readCode = () => '';",
    'sqlite/thread/worker.ts': "import { NAME } from './name.js';\nconsole.log(NAME);",
    'sqlite/thread/name.ts': "export const NAME = 'the first';",
    'script.test.ts': `
      import { readCode } from './sqlite/thread/code.js';
      test('prints the script', () => console.log(readCode()));`,
  });
  const run = () => {
    const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run'];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
  };

  expect(run()).toContain('the first');
  writeFileSync(join(folder, 'sqlite/thread/name.ts'), "export const NAME = 'the second';");
  expect(run()).toContain('the second');
});
