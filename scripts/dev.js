// Compiles the sources and starts the emulator, again on each save: npm run dev -- --port 4011

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { watch } from 'chokidar';

const COMPILER = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
/** Prints a line in place of the banner, which the first start has printed. */
const BRIEF = join(import.meta.dirname, 'dev-brief.js');
const run = (...args) => spawn(process.execPath, args, { stdio: 'inherit' });
const isRunning = () => program?.exitCode === null && program.signalCode === null;

let program;
let starting = start();
let timer;

/** Starts the emulator once the sources compile. Until then the one that runs stays, and errors are printed. */
async function start() {
  const [status] = await once(run(COMPILER, '-p', 'tsconfig.build.json'), 'exit');
  if (status !== 0) return;
  const preload = program ? ['--import', BRIEF] : [];
  if (isRunning() && program.kill()) await once(program, 'exit');
  program = run(
    '--enable-source-maps',
    '--conditions=build',
    ...preload,
    'build/tools/cli/main.js',
    ...process.argv.slice(2),
  );
}

// Not by `node --watch`, which loses a file that an editor saves by renaming another.
const watcher = watch('src', { ignoreInitial: true }).on('all', () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    console.log('Restarting ...');
    starting = starting.then(start);
  }, 50);
});

// A terminal sends a Ctrl-C to the program as well.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await watcher.close();
    await starting;
    if (signal === 'SIGTERM') program?.kill();
  });
}
