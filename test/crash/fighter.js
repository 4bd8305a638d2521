import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmulator } from '../../dist/lib/index.js';

/*
 * Uses a data folder whenever it can, and writes to it: `node fighter.js '{ "data": "./folder" }' a`. It prints a line for each
 * event. Commands on stdin: `go`, `stop`, and `block FILE`, which stops its only thread until there is a file.
 */

const [, , options = '{}', self = ''] = process.argv;
const WRITERS = 4;
let isRunning = false;
let count = 0;

const print = (event) => console.log(JSON.stringify(event));

/** Resolves to the status of the first response that is not a success, or to 0 at the end of the round. */
async function write({ fetch }) {
  while (isRunning) {
    const name = `${self}${++count}`;
    const { status } = await fetch('/v1/vals', {
      method: 'POST',
      headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
      body: JSON.stringify({ name, code: 'x'.repeat(1 + (count % 500)) }),
    });
    if (status !== 200) return status;
    print({ wrote: name });
    await sleep(Math.random() * 4);
  }
  return 0;
}

async function fight() {
  while (isRunning) {
    let emulator;
    try {
      emulator = await createEmulator({ ...JSON.parse(options), listen: false, onDataError: () => {} });
    } catch (error) {
      print({ refused: error.message });
      await sleep(10);
      continue;
    }
    const statuses = await Promise.all(Array.from({ length: WRITERS }, () => write(emulator)));
    if (isRunning) print({ lost: statuses, health: (await emulator.fetch('/_emulator/health')).status });
    await emulator.close();
  }
  print({ stopped: true });
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, file = ''] = line.split(' ');
  if (command === 'block') while (!existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  else isRunning = command === 'go';
  if (command === 'go') void fight();
}
process.exit();
