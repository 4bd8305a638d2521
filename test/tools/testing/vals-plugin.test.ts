import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { Command } from '../cli/cli.js';

const ROOT = join(import.meta.dirname, '../../..');

// `npm run check -- matrix vitest@3.2` tries the same file with other versions.
test('vitest mocks modules of vals, and leaves code of vals in texts as it is', async () => {
  const cwd = folderOf({});
  cpSync(join(ROOT, 'scripts/checks/matrix/vitest'), cwd, { recursive: true });
  mkdirSync(join(cwd, 'node_modules'));
  for (const name of ['val-emulator', 'vitest']) {
    symlinkSync(name === 'vitest' ? join(ROOT, 'node_modules/vitest') : ROOT, join(cwd, 'node_modules', name));
  }

  const vitest = new Command(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'mocks'], { cwd });
  const { code, stdout, stderr } = await vitest.end();

  expect(stdout + stderr).toContain('8 passed');
  expect(code).toBe(0);
});
