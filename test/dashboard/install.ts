import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { pack } from '../package/pack.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of a project that has installed the packed package. */
    project: string;
  }
}

/** Packs the package and installs it into an empty project. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-dashboard-'));
  const { tarball } = pack(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder, stdio: 'pipe' });
  provide('project', folder);
  return () => rmSync(folder, { recursive: true });
}
