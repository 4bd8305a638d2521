import { valsPlugin } from 'val-emulator/std/vite';

// One worker for all files: what is made for a worker is shared by them.
export default {
  plugins: [valsPlugin()],
  test: { isolate: false, fileParallelism: false, include: ['*.test.{mjs,tsx}'], globalSetup: './start.mjs' },
};
