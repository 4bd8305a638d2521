// Installs the package as it would be published in a copy of each example, and runs the example's own tests.
//
//   npm run check -- examples [name…]

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');

/** Milliseconds for one command. */
const TIMEOUT = 300_000;

/** What an example needs that npm does not install. */
const NEEDS = {
  'browser-mode': 'a Chromium, as the example of Playwright',
  playwright: "a Chromium: the Debian package chromium, another one named by CHROMIUM_PATH, or one of Playwright's own",
  python: 'python3',
};

/** How the runners say how many tests have passed: vitest and Playwright, Jest, node:test, unittest. */
const PASSED = /^ *(?:Tests +)?(\d+) passed|^Tests: .*?(\d+) passed|^\W pass (\d+)|^Ran (\d+) tests?/m;

// An example without a project has its tests in test/package.
const examples = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !examples.includes(name));
if (unknown.length > 0) {
  console.error(`There is no example ${unknown.join(', ')}. There are: ${examples.join(', ')}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-examples-'));
try {
  run(ROOT, 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder);
  const tarball = join(folder, readdirSync(folder)[0]);
  for (const name of names.length > 0 ? names : examples) check(name, tarball);
} finally {
  rmSync(folder, { recursive: true });
}

function check(name, tarball) {
  const copy = join(folder, name);
  cpSync(join(EXAMPLES, name), copy, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  const start = performance.now();
  try {
    run(copy, 'npm', 'install', '--no-audit', '--no-fund', '--save-dev', tarball);
    const output = run(copy, 'npm', 'test');
    const count = Number(PASSED.exec(output)?.slice(1).find(Boolean) ?? 0);
    if (count === 0) throw new Error(`${output}\nIt does not say that any test has passed.`);
    console.log(`${name}: ${count} tests passed, ${((performance.now() - start) / 1000).toFixed(0)} s`);
  } catch (error) {
    console.log(`${name}: failed\n\n${error.message.replace(/^/gm, '  ')}\n`);
    if (name in NEEDS) console.log(`  (This example needs ${NEEDS[name]}.)\n`);
    process.exitCode = 1;
  }
}

/** All that a command prints. Throws an error that shows it if the command fails. */
function run(cwd, command, ...args) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    maxBuffer: 64 * 2 ** 20,
    timeout: TIMEOUT,
  });
  const output = [stdout, stderr].filter(Boolean).join('\n').trim();
  if (status === 0) return output;
  const reason = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
  throw new Error(`${output}\n\n${[command, ...args].join(' ')}: ${reason}`);
}
