// Sends the same requests to the login of the emulator and to oidc-provider, which the service seems to run: wrong ones, random ones,
// and logins whose codes and tokens are used in a wrong way. Each response has to be equal in status, error and description.
//
//   npm run check -- oracle [seed] [count]

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listLogins } from './oracle/logins.js';
import { CLIENTS, listWrong, makeRandom } from './oracle/requests.js';
import { logInByControl, logInByPages, register, send, summarize } from './oracle/servers.js';

/** oidc-provider needs a later Node than the emulator does. */
const PACKAGES = ['node@24.18.0', 'oidc-provider@9.13.3'];
const COMMAND = join(import.meta.dirname, '../../dist/cjs/val-emulator.cjs');

/** Requests whose responses differ, and why. */
const EXCEPTIONS = [
  {
    why: 'a wildcard is no host: oidc-provider registers it, and no login leads there',
    isOf: ({ name }) => /^reg: .*\*/.test(name),
  },
];

const [seed = '1', count = '500'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'val-emulator-oracle-'));
const children = [];
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const flags = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', '--prefix', folder, ...flags, ...PACKAGES], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  cpSync(join(import.meta.dirname, 'oracle/provider.js'), join(folder, 'provider.js'));
  await compare(await startBoth());
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true });
}

async function findPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server, and waits until it prints that it listens. */
async function start(command, args) {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  child.stdout.resume();
}

async function startBoth() {
  const [own, other] = [await findPort(), await findPort()];
  const resource = `http://127.0.0.1:${own}`;
  const fixtures = { users: [{ username: 'ada' }] };
  writeFileSync(join(folder, 'fixtures.json'), JSON.stringify(fixtures));
  await start(process.execPath, [COMMAND, 'start', '--port', String(own), '--fixtures', 'fixtures.json']);
  await start(join(folder, 'node_modules/.bin/node'), ['provider.js', String(other), resource]);
  const servers = [
    { base: resource, logIn: logInByControl },
    { base: `http://127.0.0.1:${other}`, logIn: logInByPages },
  ];
  return await Promise.all(servers.map(async (server) => ({ ...server, clients: await registerAll(server.base) })));
}

async function registerAll(base) {
  const entries = Object.entries(CLIENTS).map(async ([name, metadata]) => [name, await register(base, metadata)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Numbers between 0 and 1 by a seed. */
function makeNumbers(state) {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function compare(servers) {
  const random = makeNumbers(Number(seed));
  const requests = [...listWrong(), ...Array.from({ length: Number(count) }, () => makeRandom(random))];
  const sendTo = async ({ base, clients }, make) => summarize(await send(base, make(clients)));
  let failed = 0;
  let excepted = 0;
  const report = (name, [own, expected]) => {
    if (isDeepStrictEqual(own, expected)) return;
    const exception = EXCEPTIONS.find(({ isOf }) => isOf({ name, own, expected }));
    if (exception) {
      excepted += 1;
      return;
    }
    failed += 1;
    console.log(`${name}\n  emulator       ${JSON.stringify(own)}\n  oidc-provider  ${JSON.stringify(expected)}`);
  };
  for (const [name, make] of requests) {
    report(name, await Promise.all(servers.map((server) => sendTo(server, make))));
  }
  const logins = [...listLogins()];
  for (const [name, act] of logins) report(name, await Promise.all(servers.map(act)));
  const total = requests.length + logins.length;
  console.log(`${total} requests: ${failed} differ, ${excepted} are exceptions (seed ${seed})`);
  if (failed > 0) process.exitCode = 1;
}
