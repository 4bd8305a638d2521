import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmulator } from '../../dist/lib/index.js';

// An emulator in a separate process, to be killed: `node serve.js '{ "data": "./folder" }' 100`. Each sync takes 100 ms longer.

const [options = '{}', delay = '0'] = process.argv.slice(2);
if (delay !== '0') {
  const file = await open(process.argv[1] ?? '');
  const files = Object.getPrototypeOf(file);
  await file.close();
  const { datasync } = files;
  files.datasync = async function () {
    await sleep(Number(delay));
    return datasync.call(this);
  };
}
const emulator = await createEmulator(JSON.parse(options));
console.log(JSON.stringify({ url: emulator.url, data: emulator.data }));
process.once('SIGTERM', () => emulator.close());
