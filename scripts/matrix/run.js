/**
 * Packs the package, installs it into an empty project as users do, and runs `programs` there: on the lowest and the
 * newest version of each line of Node that is supported. They come from npm's package `node`.
 *
 *   npm run check:matrix            all of them
 *   npm run check:matrix -- 24 26   these
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const NODES = ['20.19.0', '20', '22.12.0', '22', '24.0.0', '24', '26'];
const PROGRAMS = ['esm.mjs', 'commonjs.cjs', 'node-test.mjs', 'command-line.mjs'];
/** Node 22.12 still warns of a `require` of ES modules. */
const QUIET = ['--disable-warning=ExperimentalWarning'];
const ROOT = join(import.meta.dirname, '../..');

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
try {
  const packed = run(ROOT, 'npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]).stdout;
  const [{ filename }] = JSON.parse(packed);
  for (const wanted of asked.length > 0 ? asked : NODES) {
    try {
      console.log(`Node ${tryOn(wanted, join(folder, filename))} ok`);
    } catch (error) {
      console.log(`Node ${wanted} FAILED: ${error.message}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} wanted a version of Node, or a line of it
 * @param {string} tarball
 * @returns {string} the version that was taken
 */
function tryOn(wanted, tarball) {
  const where = run(ROOT, 'npx', ['--yes', `node@${wanted}`, '-p', '[process.version, process.execPath].join()']);
  const [version, node] = where.stdout.trim().split(',');
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const project = join(folder, wanted);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  run(project, 'npm', ['install', tarball, '--prefer-offline', '--no-audit', '--no-fund'], path);
  cpSync(join(import.meta.dirname, 'programs'), project, { recursive: true });
  for (const program of PROGRAMS) {
    const { stderr } = run(project, 'node', [...QUIET, program], path);
    if (stderr !== '') throw new Error(`${program} complains:\n${stderr}`);
  }
  return version;
}

/** Runs a command to its end. @throws {Error} with all that it printed, when it fails */
function run(cwd, command, args, path = process.env.PATH) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${status}\n${stdout}${stderr}`);
  return { stdout, stderr };
}
