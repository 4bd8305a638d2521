// Generates clients from docs/openapi.json by three generators, compiles each in strict mode with the program of
// scripts/checks/clients that uses it, and runs the program against an emulator. run.js there has the expected results.
// Then it builds a val by the MCP server of the service with the clients of agents, and runs the conformance program for servers.
//
//   npm run check -- clients [name…]

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const COMMAND = join(ROOT, 'dist/cjs/val-emulator.cjs');
const PROGRAMS = join(import.meta.dirname, 'clients');

/** What is installed into a temporary folder. The generators need a later Node than the emulator does. */
const PACKAGES = [
  'node@24.18.0',
  'typescript@5.9.3',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@modelcontextprotocol/inspector@2.12.0',
  '@modelcontextprotocol/conformance@0.1.16',
  '@ai-sdk/mcp@2.0.99',
  'mcp-remote@0.15.1',
];

/** Milliseconds for one command. */
const TIMEOUT = 300_000;

/** How each generator writes its client into `client/`. */
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', DOCUMENT, '--output', 'client/api.d.ts'],
  'hey-api': ['openapi-ts', '--input', DOCUMENT, '--output', 'client', '--client', '@hey-api/client-fetch'],
  orval: ['orval', '--input', DOCUMENT, '--output', 'client/vals.ts', '--client', 'fetch'],
};

/** The program of each client of the MCP server, with its arguments. */
const AGENTS = {
  inspector: ['agents.js', 'inspector'],
  'ai-sdk': ['agents.js', 'ai-sdk'],
  'mcp-remote': ['agents.js', 'mcp-remote'],
  'mcp-conformance': ['scenarios.js'],
};

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    outDir: 'built',
  },
  include: ['client', 'program.ts'],
};

const names = process.argv.slice(2);
const all = [...Object.keys(GENERATORS), ...Object.keys(AGENTS)];
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no client ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-clients-'));
const bin = join(folder, 'node_modules/.bin');
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // Where hey-api looks for it: in the folders above its own package.
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const flags = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline'];
  run(folder, ['npm', 'install', '--prefix', folder, ...flags, ...PACKAGES]);
  for (const name of names.length > 0 ? names : all) check(name, name in AGENTS ? callTools : generate);
} finally {
  rmSync(folder, { recursive: true });
}

/** Generates, compiles and runs one client. */
function generate(name, project) {
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  cpSync(join(PROGRAMS, `${name}.ts`), join(project, 'program.ts'));
  cpSync(join(PROGRAMS, 'run.js'), join(project, 'run.js'));
  run(project, GENERATORS[name]);
  run(project, ['tsc', '--project', '.']);
  run(project, [process.execPath, COMMAND, 'exec', '--', 'node', 'run.js']);
}

/** Runs the program of a client of the MCP server. */
function callTools(name, project) {
  const [program, ...args] = AGENTS[name];
  cpSync(join(PROGRAMS, program), join(project, program));
  run(project, [process.execPath, COMMAND, 'exec', '--', 'node', program, ...args]);
}

/** Checks one client in a folder of its own. */
function check(name, act) {
  const start = performance.now();
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  try {
    act(name, project);
    console.log(`${name}: ok, ${((performance.now() - start) / 1000).toFixed(0)} s`);
  } catch (error) {
    console.log(`${name}: failed\n\n${error.message.replace(/^/gm, '  ')}\n`);
    process.exitCode = 1;
  }
}

/** Runs a command of the generators. @throws {Error} with all that it printed, when it fails */
function run(cwd, [command, ...args]) {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: {
      ...process.env,
      MCP_REMOTE_CONFIG_DIR: join(folder, 'mcp-remote'),
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    },
    timeout: TIMEOUT,
  });
  if (status === 0) return;
  const output = [stdout, stderr].filter(Boolean).join('\n').trim();
  const reason = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
  throw new Error(`${output}\n\n${[command, ...args].join(' ')}: ${reason}`);
}
