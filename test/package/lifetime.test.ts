import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { ROOT } from './pack.js';

/** Runs a program that imports the library. Null as status: it did not end. */
function runProgram(source: string, ...flags: string[]) {
  const library = JSON.stringify(join(ROOT, 'dist/lib/index.js'));
  const program = `const { createEmulator } = await import(${library}); ${source}; console.log('done')`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: PATIENCE,
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

/** Runs a statement with `send(emulator)`, which returns its status and body. */
const SEND = `
  const send = async (emulator) => {
    const headers = { authorization: 'Bearer ada-token' };
    const response = await emulator.fetch('/v1/sqlite/execute', { method: 'POST', headers, body: '{"statement":"SELECT 1"}' });
    return [response.status, (await response.json()).message ?? ''];
  };`;

test.each([
  [[], [503, 'The SQLite engine cannot be loaded: it needs a thread: start Node with --allow-worker']],
  [['--allow-worker'], [200, '']],
])('under the permission model of Node with %j, a statement returns %j', (flags, expected) => {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const source = `${SEND} console.log(JSON.stringify(await send(await createEmulator({ listen: false }))))`;

  const { stdout } = runProgram(source, permission, '--allow-fs-read=*', ...flags);

  expect(stdout).toBe(`${JSON.stringify(expected)}\ndone\n`);
});

// As the test files of Jest in one worker have them. `npm run check -- matrix` runs Jest.
test('twenty copies of the modules in a process share one thread', () => {
  const { stdout } = runProgram(`${SEND}
    const { createRequire } = await import('node:module');
    const workers = await import('node:worker_threads');
    let threads = 0;
    workers.default.Worker = class extends workers.Worker {
      constructor(...args) { super(...args); threads++; }
    };
    const require = createRequire(import.meta.url);
    const copies = new Set([createEmulator]);
    const emulators = [await createEmulator({ listen: false })];
    for (let i = 0; i < 20; i++) {
      for (const id of Object.keys(require.cache)) delete require.cache[id];
      const copy = require(${JSON.stringify(join(ROOT, 'dist/cjs/index.cjs'))});
      copies.add(copy.createEmulator);
      emulators.push(await copy.createEmulator({ listen: false }));
    }
    for (const emulator of emulators) console.log(...await send(emulator));
    console.log(copies.size, threads)`);

  expect(stdout).toBe(`${'200 \n'.repeat(21)}21 1\ndone\n`);
});
