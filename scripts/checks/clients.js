// Generates clients from docs/openapi.json by three generators, compiles each in strict mode with the program of
// scripts/checks/clients that uses it, and runs the program against an emulator. run.js there has the expected results.
// Then it runs the clients of clients/clients.json: the official SDK, and clients of the MCP server. That file has what each of them
// called when it last ran, for docs/confidence.md. The check fails if a client calls something else; `--record` writes the file.
// At last it logs in with each program of clients/logins.js.
//
//   npm run check -- clients [name…] [--record]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');
const COMMAND = join(ROOT, 'dist/cjs/val-emulator.cjs');
const PROGRAMS = join(import.meta.dirname, 'clients');
const RECORD = join(PROGRAMS, 'clients.json');
const SDK = join(ROOT, 'test/package/sdk');

/** What is known of each client that is not made from our own document. */
const clients = JSON.parse(readFileSync(RECORD, 'utf8'));

/** The programs of logins.js, and what is installed for each. */
const LOGINS = {
  'login-mcp-client': '@modelcontextprotocol/client@2.4.0',
  'login-mcp-remote': clients['mcp-remote'].package,
  'login-inspector': clients.inspector.package,
  'login-openid-client': 'openid-client@6.9.0',
  // The first version with scenarios of grants, which has a name of its own beside the one of clients.json.
  'login-conformance': 'conformance-of-logins@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12',
};

/** What is installed into a temporary folder. The generators need a later Node than the emulator does. */
const PACKAGES = [
  'node@24.18.0',
  'typescript@5.9.3',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  ...Object.values(clients).map((client) => client.package),
  ...Object.values(LOGINS),
];

/** Milliseconds for one command. */
const TIMEOUT = 600_000;

/** How each generator writes its client into `client/`. */
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', DOCUMENT, '--output', 'client/api.d.ts'],
  'hey-api': ['openapi-ts', '--input', DOCUMENT, '--output', 'client', '--client', '@hey-api/client-fetch'],
  orval: ['orval', '--input', DOCUMENT, '--output', 'client/vals.ts', '--client', 'fetch'],
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

const args = process.argv.slice(2);
const isRecorded = args.includes('--record');
const names = args.filter((arg) => arg !== '--record');
const all = [GENERATORS, clients, LOGINS].flatMap(Object.keys);
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
  for (const name of names.length > 0 ? names : all)
    check(name, name in LOGINS ? logIn : name in clients ? callEmulator : generate);
  if (isRecorded) writeFileSync(RECORD, `${JSON.stringify(clients, null, 2)}\n`);
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

/** Runs the program of a client, and compares what it called with what the record says. */
function callEmulator(name, project) {
  const client = clients[name];
  for (const from of [PROGRAMS, SDK]) cpSync(from, project, { recursive: true });
  cpSync(join(ROOT, 'examples/sdk/src'), join(project, 'src'), { recursive: true });
  const flags = name === 'sdk' ? ['--fixtures', 'fixtures.json', '--user-type'] : [];
  const program = ['node', 'called.js', ...client.program];
  const routes = JSON.parse(run(project, [process.execPath, COMMAND, 'exec', ...flags, '--', ...program]));
  // The programs for agents read some routes by `fetch`.
  const called = routes.filter((route) => name === 'sdk' || route.startsWith('tool '));
  if (isRecorded) Object.assign(client, { lastRun: new Date().toISOString().slice(0, 10), called });
  assert.deepEqual(called, client.called, 'other calls than in clients.json, which --record writes');
}

/** Logs in with a program, without a token of fixtures. */
function logIn(name, project) {
  cpSync(join(PROGRAMS, 'logins.js'), join(project, 'logins.js'));
  run(project, [process.execPath, COMMAND, 'exec', '--', 'node', 'logins.js', name]);
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

/** Runs a command, and returns what it printed. @throws {Error} with all that it printed, when it fails */
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
  if (status === 0) return stdout;
  const output = [stdout, stderr].filter(Boolean).join('\n').trim();
  const reason = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
  throw new Error(`${output}\n\n${[command, ...args].join(' ')}: ${reason}`);
}
