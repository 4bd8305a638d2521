// Simulates clusters and data folders from seeds, with all their clocks, connections, disks and faults:
//
//   npm run simulate -- --seed 42              prints each event of one world
//   npm run simulate -- --seed 42 --seeds 100  runs worlds until one fails, and makes that one smaller
//   npm run simulate -- --defects --seeds 100  plants defects, and looks for each in so many worlds; --only "a sync" for some

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { DEFECTS, plant, REASONS } from './defects.js';
import { openBundle } from './rolldown.js';
import { ROOT } from './run.js';

/** The folder of the compiled worlds. */
const DIR = `.simulate-${process.pid}`;

/** SQL runs by a direct call. */
const directSql = {
  name: 'direct-sql',
  resolveId: {
    filter: { id: /\/thread\/thread\.js$/ },
    handler: () => `${ROOT}/test/simulation/direct-sql.ts`,
  },
};

/** Modules of `src` are at the top of the folder, so that they find files beside `src`. */
async function compile(plugins) {
  const bundle = await openBundle({
    cwd: ROOT,
    input: './test/simulation/main.ts',
    external: /^[^./#]/,
    platform: 'node',
    treeshake: false,
    plugins: [...plugins, directSql],
  });
  await bundle.write({ dir: DIR, preserveModules: true, preserveModulesRoot: `${ROOT}/src`, cleanDir: true });
  await bundle.close();
}

/** Runs the compiled worlds. @returns whether none has failed, and what was printed */
async function run(flags, stdio = 'inherit') {
  const child = spawn(process.execPath, [`${DIR}/test/simulation/main.js`, ...flags], { stdio, cwd: ROOT });
  let printed = '';
  child.stdout?.on('data', (text) => {
    printed += text;
  });
  const [code] = await once(child, 'exit');
  return { isGood: code === 0, printed };
}

/** Looks for each defect in some worlds. For a defect of persistence, only worlds of a data folder run. */
async function findDefects(wanted, seeds) {
  const defects = DEFECTS.filter(([name, file]) => new RegExp(wanted).test(`${name} ${file}`));
  if (defects.length === 0) throw new Error(`--only ${wanted}: no defect has this in its name or file.`);
  for (const defect of defects) {
    await compile([plant(defect)]);
    const [name, file] = defect;
    const step = file.includes('/persistence/') ? 3 : 1;
    const flags = ['--seed', String(step), '--step', String(step), '--seeds', String(step * seeds), '--quiet'];
    const { isGood, printed } = await run(flags, ['ignore', 'pipe', 'ignore']);
    const reason = REASONS[name];
    if (isGood && reason === undefined) process.exitCode = 1;
    console.log(
      `${isGood ? 'NOT FOUND' : 'found'}: ${name}\n  ${(isGood && reason) || printed.split('\n')[0].slice(0, 160)}`,
    );
  }
}

const text = { type: 'string' };
const numbers = { seed: text, seeds: text, step: text, nodes: text, clients: text, requests: text, faults: text };
const booleans = { defects: { type: 'boolean' }, quiet: { type: 'boolean' } };
const values = readFlags();

function readFlags() {
  try {
    const { values } = parseArgs({ options: { ...numbers, ...booleans, only: text } });
    for (const [name, value] of Object.entries(values)) {
      const least = ['requests', 'faults', 'seed'].includes(name) ? 0 : 1;
      if (name in numbers && !(/^\d+$/.test(value) && Number(value) >= least))
        throw new Error(`--${name}: found ${JSON.stringify(value)}; expected a number of at least ${least}.`);
    }
    return values;
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

try {
  if (values.defects) await findDefects(values.only ?? '', Number(values.seeds ?? 2_000));
  else {
    await compile([]);
    const jobs = Math.min(availableParallelism(), Number(values.seeds ?? 1));
    const [first, step, seeds] = [values.seed ?? 1, values.step ?? 1, values.seeds].map(Number);
    const results = await Promise.all(
      Array.from({ length: jobs }, (_, job) => {
        const own = ['--seed', String(first + job * step), '--step', String(jobs * step)];
        const range = values.seeds === undefined ? [] : ['--seeds', String(seeds - job * step)];
        return run([...process.argv.slice(2), ...own, ...range]);
      }),
    );
    if (!results.every(({ isGood }) => isGood)) process.exitCode = 1;
  }
} finally {
  rmSync(DIR, { recursive: true, force: true });
}
