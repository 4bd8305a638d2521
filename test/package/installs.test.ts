import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { outerVariables } from './recipe.js';

const PROGRAMS = join(import.meta.dirname, 'installs');
/** Two package managers, and a bundler. */
const TOOLS = ['@yarnpkg/cli-dist@4', 'pnpm@10', 'esbuild@0.28'];
const RUNNERS = ['vitest@4', 'jest@30', '@jest/globals@30', '@playwright/test@1', 'msw@2', 'supertest@7'];
/** A project that has the package. */
interface Install {
  /** Makes the project in a folder. */
  make(folder: string): void;
  /** The words that run one of its programs. */
  program(name: string): string[];
  /** The words that run a command of one of its packages. Undefined: it has no packages, but one file. */
  command?(name: string): string[];
}

const root = mkdtempSync(join(tmpdir(), 'val-emulator-installs-'));
/** The project of npm, which has the tools for the others, too. */
const source = join(root, 'npm');
const tools = join(source, 'node_modules');
const yarn = ['node', join(tools, '@yarnpkg/cli-dist/bin/yarn.js')];
const pnpm = ['node', join(tools, 'pnpm/bin/pnpm.cjs')];

/** Runs a command in a folder. Throws an error with all that it printed, when it fails. */
function run(folder: string, [program = '', ...args]: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...outerVariables(), XDG_STATE_HOME: join(root, 'state') },
    maxBuffer: 64 * 2 ** 20,
  });
  if (status === 0) return stdout;
  throw new Error(`${[program, ...args].join(' ')}: ${error?.message ?? `exit code ${status}`}\n${stdout}\n${stderr}`);
}

/** A project with packages. */
const project = (program: readonly string[], command: (name: string) => string[], install: readonly string[]) => ({
  make(folder: string) {
    mkdirSync(folder);
    // The optional packages of a later Vite are not in every registry yet, and Yarn asks for all of them.
    const made = { private: true, type: 'module', resolutions: { vite: '~8.3.0' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(made));
    // Without its own lockfile, Yarn looks for a project above.
    writeFileSync(join(folder, 'yarn.lock'), '');
    writeFileSync(join(folder, '.yarnrc.yml'), 'enableTelemetry: false\nenableImmutableInstalls: false\n');
    cpSync(PROGRAMS, folder, { recursive: true });
    run(folder, [...install, inject('packed').tarball, ...RUNNERS]);
  },
  program: (name: string) => [...program, `${name}.mjs`],
  command,
});

/** One file for each program: all that it needs, in a folder without packages. */
const bundle = (format: string, ending: string, flags: readonly string[]) => ({
  make(folder: string) {
    const command = `val-emulator=${join(tools, 'val-emulator/dist/cjs/val-emulator.cjs')}`;
    const options = ['--bundle', '--platform=node', `--format=${format}`, `--out-extension:.js=${ending}`];
    const build = (...args: readonly string[]) =>
      run(source, [join(tools, '.bin/esbuild'), ...options, '--log-level=warning', `--outdir=${folder}`, ...args]);
    build('library.mjs', 'node-test.mjs', command);
    build('packages.mjs', 'msw.mjs', ...flags);
  },
  program: (name: string) => ['node', `${name}${ending}`],
});

const binary = (name: string) => [`node_modules/.bin/${name}`];
/** For packages that `require` modules of Node, as Express and supertest do: docs/embedding.md. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

const npm = project(['node'], binary, ['npm', 'install', '--no-audit', '--no-fund', ...TOOLS]);
const INSTALLS: Record<string, Install> = {
  npm,
  'pnpm, which hoists nothing': project(['node'], binary, [...pnpm, 'add', '--config.hoist=false']),
  "Yarn's Plug'n'Play": project([...yarn, 'node'], (name) => [...yarn, 'run', name], [...yarn, 'add']),
  'one file of esbuild, an ES module': bundle('esm', '.mjs', [`--banner:js=${BANNER}`]),
  'one file of esbuild, a CommonJS module': bundle('cjs', '.cjs', []),
};

beforeAll(() => npm.make(source));

afterAll(() => rmSync(root, { recursive: true }));

describe.each(Object.entries(INSTALLS))('%s', (name, install) => {
  const { program, command } = install;
  const folder = join(root, name);
  const inFolder = (words: readonly string[]) => run(folder, words);

  beforeAll(() => (install === npm ? undefined : install.make(folder)));

  test('the library finds its files and loads its modules', () => {
    expect(JSON.parse(inFolder(program('library')))).toEqual({
      datasets: [7, 1, 12, 3, 249, 5],
      generated: ['colby', 'rebecca_joly', 'garnet'],
      comments: ['lin'],
      invalid: expect.stringContaining('invalid.json line 1, column 13: not valid JSON: found "}"; expected a value.'),
      module: ['mia'],
      kept: 200,
      store: 'A store of Redis needs the package @redis/client, which cannot be loaded: npm install @redis/client',
      sqlite: [[42]],
      validated: 200,
      body: '1',
      pages: [...['200 text/html', '200 text/javascript'], ...Array.from({ length: 4 }, () => '200 application/json')],
      client: 'eve-token',
      tools: 'val-emulator',
    });
  });

  test.each([
    ['node:test', 'node-test', /^# pass 1$/m],
    ['msw', 'msw', /^passed$/],
    ['Express and supertest', 'packages', /^hooked ada$/],
  ])('works with %s', (_, file, expected) => {
    expect(inFolder(program(file)).trim()).toMatch(expected);
  });

  const FETCH = "fetch(process.env.API + '/v1/me', { headers: { authorization: 'Bearer ada-token' } })";
  const PRINT = `${FETCH}.then((response) => response.json()).then(({ username }) => console.log(username))`;
  const valEmulator = (...args: readonly string[]) => inFolder([...(command ?? program)('val-emulator'), ...args]);

  test('the command generates, checks and prints', () => {
    valEmulator('generate', 'users=2', 'vals=3', '--out', 'generated.json');
    expect(valEmulator('check', 'generated.json')).toMatch(/2 users, 3 vals/);
    expect(valEmulator('print', 'openapi')).toMatch(/"openapi": ?"3\.1/);
    expect(valEmulator('print', 'schema')).toContain('"$schema"');
  });

  test('exec runs a program, and an unchanged program', () => {
    expect(valEmulator('exec', '--env', 'API={url}', '--', 'node', '-e', PRINT)).toBe('ada\n');
    const unchanged = PRINT.replace('process.env.API', "'https://api.val.town'");
    expect(valEmulator('exec', '--intercept', '--', 'node', '-e', unchanged)).toBe('ada\n');
  });

  test('the command starts an emulator in the background, compares it, and stops it', () => {
    const { url } = JSON.parse(valEmulator('start', '--detach', '--port', '0'));
    try {
      expect(valEmulator('status')).toContain(url);
      expect(valEmulator('conformance', '--url', url, '--token', 'ada-token')).toMatch(/\d+ passed/);
    } finally {
      expect(valEmulator('stop')).toContain(`Stopped ${url}`);
    }
  });

  // The runners compile files of tests themselves.
  if (command === undefined) return;
  test.each([
    ['vitest in its pool vmThreads', 'vitest', ['run', 'vitest.spec', '--pool=vmThreads'], /Tests +2 passed/],
    ['vitest in its pool vmForks', 'vitest', ['run', 'vitest.spec', '--pool=vmForks'], /Tests +2 passed/],
    ['Jest', 'jest', ['--ci', '--json', '--config', 'jest.config.json'], /"numPassedTests":2,/],
    ['Playwright', 'playwright', ['test', 'playwright.spec'], /1 passed/],
  ])('the helper works in %s', (_, runner, args, expected) => {
    expect(inFolder([...command(runner), ...args])).toMatch(expected);
  });
});
