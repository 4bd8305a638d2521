import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './pack.js';

/** Runs a program that imports the library. Null as status: it did not end. */
function runProgram(source: string) {
  const library = JSON.stringify(join(ROOT, 'dist/lib/index.js'));
  const program = `const { createEmulator } = await import(${library}); ${source}; console.log('done')`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, stdout, stderr };
}

/** Uses all that starts a timer or a thread: SQL, a data folder, a seed, sandboxes, an unread stream of events. */
const USE = `
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const { status } = await emulator.fetch('/v1/sqlite/execute', { method: 'POST', headers, body: '{"statement":"SELECT 1"}' });
  if (status !== 200) throw new Error(String(status));
  await emulator.fetch('/_emulator/events');
  emulator.sandbox('one').reset();`;

test.each([
  [
    'an emulator that does not listen',
    `const emulator = await createEmulator({ listen: false, sandboxIdle: '1h' }); ${USE}`,
  ],
  [
    'an emulator with unref(), and its connections',
    `const emulator = (await createEmulator()).unref(); ${USE}
     await (await fetch(emulator.url + '/_emulator/health')).json();
     emulator.unref()`,
  ],
  ['an emulator that was closed', `{ const emulator = await createEmulator(); ${USE}; await emulator.close(); }`],
])('%s keeps no process alive', (_, source) => {
  expect(runProgram(source)).toEqual({ status: 0, stdout: 'done\n', stderr: '' });
});
