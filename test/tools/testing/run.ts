import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

/** The address of a helper as it is built; `npm test` builds it first. */
export const helperUrl = (name: string): string =>
  pathToFileURL(join(import.meta.dirname, `../../../dist/lib/${name}.js`)).href;

/** Runs Node in a folder that has nothing but this one file of tests. */
export function runTests(file: string, source: string, ...args: string[]): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), source);
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: '' },
  });
  return { status, output: stdout };
}
