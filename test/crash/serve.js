import { createEmulator } from '../../dist/lib/index.js';

// An emulator in a separate process, to be killed: `node serve.js '{ "data": "./folder" }'`.

const emulator = await createEmulator(JSON.parse(process.argv[2] ?? '{}'));
console.log(JSON.stringify({ url: emulator.url, data: emulator.data }));
process.once('SIGTERM', () => emulator.close());
