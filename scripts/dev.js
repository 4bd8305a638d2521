// Compiles the sources and starts the emulator, again on each save: npm run dev -- --port 4011

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const run = (...args) => spawn(process.execPath, args, { stdio: 'inherit' });

let program;
let restarting = Promise.resolve();
let timer;

/** Errors of the compiler are printed, and the next save tries again. */
async function restart() {
  if (program?.exitCode === null && program.kill()) await once(program, 'exit');
  const [status] = await once(run(compiler, '-p', 'tsconfig.build.json'), 'exit');
  if (status === 0) program = run('--enable-source-maps', 'build/cli/main.js', ...process.argv.slice(2));
}

// Not by `node --watch`, which loses a file that an editor saves by renaming another.
const watcher = watch('src', { ignoreInitial: true }).on('all', () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    restarting = restarting.then(restart);
  }, 100);
});
restarting = restarting.then(restart);

// A terminal sends a Ctrl-C to the program as well.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await watcher.close();
    await restarting;
    if (signal === 'SIGTERM') program?.kill();
  });
}
