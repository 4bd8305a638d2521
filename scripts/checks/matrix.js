/**
 * Packs the package, installs it into an empty project as users do, and runs programs there: `programs` on the lowest
 * and the newest version of each line of Node that is supported, and on Deno and Bun; `jest` and `vitest` on the oldest
 * and the newest versions of these runners. All of them come from npm.
 *
 *   npm run check -- matrix                        all of them
 *   npm run check -- matrix 24 deno@2 jest@29.7    these
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const NODES = ['20.19.0', '20', '22.12.0', '22', '24.0.0', '24', '26'];
const OTHERS = ['deno@2', 'bun@1', 'jest@29.7', 'jest@30', 'vitest@3.2', 'vitest@4'];
/** Node 22.12 still warns of a `require` of ES modules. */
const QUIET = ['--disable-warning=ExperimentalWarning'];
const ROOT = join(import.meta.dirname, '../..');

/** Milliseconds for one command. */
const TIMEOUT = 600_000;

/** By name of what is tried: the programs, what is installed beside the package, and the commands. */
const TRIES = {
  node: {
    folder: 'programs',
    commands: ['esm.mjs', 'commonjs.cjs', 'node-test.mjs', 'command-line.mjs', 'transport.mjs', 'std.mjs'].map(
      (program) => ['node', ...QUIET, program],
    ),
  },
  deno: {
    folder: 'programs',
    commands: ['esm.mjs', 'transport.mjs', 'std.mjs'].map((program) => ['npx', 'deno', 'run', '--allow-all', program]),
  },
  bun: {
    folder: 'programs',
    commands: ['esm.mjs', 'commonjs.cjs', 'transport.mjs', 'std.mjs'].map((program) => ['npx', 'bun', program]),
  },
  jest: {
    folder: 'jest',
    beside: (version) => [`jest-environment-jsdom@${version}`],
    // As CommonJS, then with ES modules, which need a flag.
    commands: [
      ['node', 'node_modules/jest/bin/jest.js', '--ci', '--testPathIgnorePatterns=mjs'],
      ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--ci'],
    ],
    writesToStderr: true,
  },
  vitest: {
    folder: 'vitest',
    commands: ['forks', 'threads', 'vmThreads'].map((pool) => ['npx', 'vitest', 'run', '--pool', pool]),
  },
};

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
try {
  const packed = run(ROOT, 'npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]).stdout;
  const [{ filename }] = JSON.parse(packed);
  for (const wanted of asked.length > 0 ? asked : [...NODES, ...OTHERS]) {
    try {
      console.log(`${tryOn(wanted, join(folder, filename))} ok`);
    } catch (error) {
      console.log(`${wanted} FAILED: ${error.message}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} wanted a version of Node, or a line of it; or a package and its version: `deno@2`
 * @param {string} tarball
 * @returns {string} what was taken
 */
function tryOn(wanted, tarball) {
  const [name, version] = wanted.includes('@') ? wanted.split('@') : ['node', wanted];
  if (!Object.hasOwn(TRIES, name)) throw new Error(`found ${name}; expected one of ${Object.keys(TRIES).join(', ')}`);
  const { folder: programs, beside = () => [], commands, writesToStderr = false } = TRIES[name];
  const { path, label } = name === 'node' ? findNode(version) : { path: process.env.PATH, label: wanted };
  const packages = name === 'node' ? [] : [wanted, ...beside(version)];

  const project = join(folder, wanted);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  run(project, 'npm', ['install', tarball, ...packages, '--prefer-offline', '--no-audit', '--no-fund'], path);
  cpSync(join(import.meta.dirname, 'matrix', programs), project, { recursive: true });
  for (const [command, ...args] of commands) {
    const { stderr } = run(project, command, args, path);
    if (stderr !== '' && !writesToStderr) throw new Error(`${args.join(' ')} complains:\n${stderr}`);
  }
  return label;
}

/** Installs a Node. Returns the PATH on which it is the first, and its version. */
function findNode(wanted) {
  const where = run(ROOT, 'npx', ['--yes', `node@${wanted}`, '-p', '[process.version, process.execPath].join()']);
  const [version, node] = where.stdout.trim().split(',');
  return { path: `${dirname(node)}${delimiter}${process.env.PATH}`, label: `Node ${version}` };
}

/** Runs a command to its end. @throws {Error} with all that it printed, when it fails */
function run(cwd, command, args, path = process.env.PATH) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, NO_COLOR: '1', npm_config_loglevel: 'error' },
    timeout: TIMEOUT,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${status}\n${stdout}${stderr}`);
  return { stdout, stderr };
}
