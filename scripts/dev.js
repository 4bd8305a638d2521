// Compiles the sources and starts the emulator. `npm run dev` runs it again on each save.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
// Errors are printed, and the next save tries again.
if (status === 0) await import('../build/cli/main.js');
