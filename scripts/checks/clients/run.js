// Runs the program of a client, copied next to it, and compares what it found.
import assert from 'node:assert/strict';
import { useClient } from './built/program.js';

assert.deepEqual(await useClient(process.env.VAL_EMULATOR_URL, process.env.VAL_EMULATOR_TOKEN), {
  created: { name: 'greeting', privacy: 'public', version: 0 },
  versions: [0],
  runs: 2,
  code: "export const greeting = 'Hello';",
  conflict: 409,
  missing: 'The val was not found',
});
