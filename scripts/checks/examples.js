// Installs the package as it would be published in a copy of each example, and runs the example's own tests. The pages of
// docs/replace-your-mock are examples too: their blocks are the files of a project.
//
//   npm run check -- examples [name…]

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');
const PAGES = join(ROOT, 'docs/replace-your-mock');

/** Milliseconds for one command. */
const TIMEOUT = 600_000;

/** What an example needs that npm does not install. */
const NEEDS = {
  'browser-mode': 'a Chromium, as the example of Playwright',
  playwright: "a Chromium: the Debian package chromium, another one named by CHROMIUM_PATH, or one of Playwright's own",
  python: 'python3 and the Debian package python3-pytest',
  'page-playwright': 'a Chromium, as the example of Playwright',
  'page-pytest': 'the Debian packages python3-pytest and python3-requests',
};

/** How the runners say how many tests have passed: vitest and Playwright, Jest, node:test, unittest. */
const PASSED = /^ *(?:Tests +)?(\d+) passed|^Tests: .*?(\d+) passed|^\W pass (\d+)|^Ran (\d+) tests?/m;

// An example without a project has its tests in test/package.
const projects = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));
const pages = readdirSync(PAGES).filter((file) => file !== 'README.md');
const examples = [...projects, ...pages.map((file) => `page-${file.replace('.md', '')}`)];
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

/** Writes the blocks of a page that have a name above them. */
function writePage(page, project) {
  mkdirSync(project);
  for (const [, file, text] of page.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)) {
    writeFileSync(join(project, file), text);
  }
}

/** Runs the command of a page, and checks that it prints what the page says. */
function runPage(page, project) {
  const [, command, expected] = /^```sh\n(.*)\n```\n\n```text\n(.*)\n```$/m.exec(page);
  const output = run(project, 'sh', '-c', command);
  if (!output.includes(expected)) throw new Error(`${output}\nIt does not print: ${expected}`);
  return output;
}

function check(name, tarball) {
  const copy = join(folder, name);
  const page = projects.includes(name)
    ? undefined
    : readFileSync(join(PAGES, `${name.slice('page-'.length)}.md`), 'utf8');
  if (page === undefined)
    cpSync(join(EXAMPLES, name), copy, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  else writePage(page, copy);
  const packages = /`npm install --save-dev (.*)val-emulator`/.exec(page)?.[1].split(' ').filter(Boolean) ?? [];
  const start = performance.now();
  try {
    run(copy, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--save-dev', ...packages, tarball);
    const output = page === undefined ? run(copy, 'npm', 'test') : runPage(page, copy);
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
