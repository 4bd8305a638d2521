// Runs the command from the sources, in this process: npm start -- --port 4011

import { buildIfStale } from './build.js';

buildIfStale();
await import('../dist/cjs/val-emulator.cjs');
