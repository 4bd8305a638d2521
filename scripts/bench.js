// Compiles and runs one benchmark of bench/: npm run bench -- http --json
//
// Each of them prints a table and exits with 1 if a bound is missed; most take --json.

import { readdirSync } from 'node:fs';
import { buildIfStale } from './build.js';
import { openBundle } from './rolldown.js';
import { ROOT, runNode } from './run.js';
import { threadPlugin } from './thread.js';

const BENCHES = readdirSync(`${ROOT}/bench`)
  .filter((name) => /^(?!measure|report|runs)[\w-]+\.ts$/.test(name))
  .map((name) => name.slice(0, -'.ts'.length));
/** Benches of the modules in `src`. The others measure the built package. */
const OF_SOURCE = ['blobs', 'control', 'embed', 'entered', 'generate', 'shrink', 'state'];
const NODE_FLAGS = {
  control: ['--expose-gc'],
  gym: ['--max-old-space-size=8192'],
  projects: ['--expose-gc'],
  sqlite: ['--expose-gc'],
  state: ['--expose-gc', '--max-old-space-size=8192'],
};

/** Writes JavaScript modules to `.bench`. Modules of `src` are at its top, so that they find files beside `src`. */
async function compile() {
  const files = readdirSync(`${ROOT}/bench`, { recursive: true }).filter((name) => name.endsWith('.ts'));
  const bundle = await openBundle({
    cwd: ROOT,
    input: files.map((name) => `./bench/${name}`),
    // Names of rooms (#engine/…) are modules of src.
    external: /^[^./#]/,
    platform: 'node',
    treeshake: false,
    plugins: [threadPlugin],
  });
  await bundle.write({ dir: '.bench', preserveModules: true, preserveModulesRoot: `${ROOT}/src`, cleanDir: true });
  await bundle.close();
}

const [name, ...flags] = process.argv.slice(2);
if (!BENCHES.includes(name)) {
  console.error(`Name a benchmark: npm run bench -- http. There are ${BENCHES.join(', ')}.`);
  process.exit(2);
}
if (!OF_SOURCE.includes(name)) buildIfStale();
await compile();
if (!runNode([...(NODE_FLAGS[name] ?? []), `.bench/bench/${name}.js`, ...flags])) process.exitCode = 1;
