// Compares what an import, a start and a remote command load with bounds, which depend on no machine.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = join(ROOT, 'dist/cjs/val-emulator.cjs');
const LIBRARY = pathToFileURL(join(ROOT, 'dist/lib/index.js')).href;

/** At most: modules, and their size in kB. */
const BOUNDS = {
  import: { modules: 12, kB: 545 },
  start: { modules: 26, kB: 800 },
  'start and its first control request': { modules: 30, kB: 1_195 },
  'a remote command': { modules: 10, kB: 160 },
};

/** The kB of each part that its first use loads, at most. */
const SURFACES = { 'control-api': 130, inspection: 157, v2: 50 };

for (const [name, most] of Object.entries(SURFACES)) {
  const file = readdirSync(join(ROOT, 'dist/cjs')).find((each) => each.startsWith(`${name}-`) && each.endsWith('.cjs'));
  report(name, Math.ceil(statSync(join(ROOT, 'dist/cjs', file)).size / 1_000), 'kB', most);
}

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-loaded-'));
try {
  compare('import', await end(run('import', '--eval', `import(${JSON.stringify(LIBRARY)})`)));
  const started = await start('start');
  started.child.kill('SIGTERM');
  compare('start', await end(started));
  const asked = await start('asked');
  compare('a remote command', await end(run('remote', COMMAND, 'requests', '--url', asked.url)));
  asked.child.kill('SIGTERM');
  compare('start and its first control request', await end(asked));
} finally {
  rmSync(folder, { recursive: true });
}

/** Starts an emulator. */
async function start(name) {
  const emulator = run(name, COMMAND, 'start', '--port', '0', '--json');
  const [line] = await once(emulator.child.stdout.setEncoding('utf8'), 'data');
  return { ...emulator, url: JSON.parse(line.split('\n')[0]).url };
}

/** Starts Node with arguments. The file gets the names of the loaded modules. */
function run(name, ...args) {
  const file = join(folder, `${name}.json`);
  const hook = join(import.meta.dirname, 'loaded-files.cjs');
  const child = spawn(process.execPath, ['--require', hook, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, LOADED_FILES: file },
  });
  return { child, file, ended: once(child, 'exit') };
}

async function end({ child, file, ended }) {
  child.stdout.resume();
  const [code] = await ended;
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with exit code ${code}`);
  return JSON.parse(readFileSync(file, 'utf8')).filter((each) => each.startsWith(join(ROOT, 'dist') + sep));
}

function compare(what, files) {
  const found = {
    modules: files.length,
    kB: Math.ceil(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1_000),
  };
  for (const [unit, most] of Object.entries(BOUNDS[what])) report(what, found[unit], unit, most);
}

function report(what, found, unit, most) {
  const isWithin = found <= most;
  console.log(`${what}: ${found} ${unit}, at most ${most}${isWithin ? '' : ': too many'}`);
  if (!isWithin) process.exitCode = 1;
}
