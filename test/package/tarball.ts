import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { pack } from './pack.js';
// Installs the schemas before the files that read them start, side by side.
import './schemas.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The package as it would be published. */
    packed: ReturnType<typeof pack>;
  }
}

/** Packs the package once for all files. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-packed-'));
  provide('packed', pack(folder));
  return () => rmSync(folder, { recursive: true });
}
