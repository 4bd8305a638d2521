import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PATIENCE } from '../../support/patience.js';

/** Clients and runtimes that the tests run unchanged. The project itself does not need them. */
const PACKAGES = ['axios@1', 'undici@7', 'deno@2', 'bun@1'];

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the packages in its `node_modules`, or why there is none. */
    clients: { readonly folder: string; readonly missing?: string };
  }
}

/** Installs the packages for the whole run. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'intercept-clients-'));
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', ...PACKAGES];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', timeout: PATIENCE });
  provide('clients', { folder, ...(status !== 0 && { missing: `npm install failed: ${stderr}` }) });
  return () => rmSync(folder, { recursive: true, force: true });
}
