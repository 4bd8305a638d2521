import { execFileSync } from 'node:child_process';
import { describe, expect, inject, test } from 'vitest';
import { PATIENCE } from '../../support/patience.js';
import { run, TOKEN, writeModule, writeProgram } from './programs.js';

const { missing } = inject('clients');

/** Finds a version of Node: this one, or one of npm. */
function findNode(version: string): string | undefined {
  if (process.version.startsWith(`v${version}.`)) return process.execPath;
  const args = ['--yes', `node@${version}`, '-p', 'process.execPath'];
  try {
    return execFileSync('npx', args, {
      encoding: 'utf8',
      timeout: PATIENCE,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

const INIT = `{ headers: { authorization: 'Bearer ${TOKEN}' } }`;
const READ = `
  const read = (response) => new Promise((resolve, reject) => {
    let text = '';
    response.on('data', (bytes) => { text += bytes; }).on('end', () => resolve(JSON.parse(text))).on('error', reject);
  });
  const get = (send, url, options = {}) => new Promise((resolve, reject) => {
    send(url, { ...${INIT}, ...options }, (response) => resolve(read(response))).on('error', reject).end();
  });`;
const SELF_SIGNED_ROOT = "import { rootCertificates } from 'node:tls'; const ca = rootCertificates[0];";

/** Programs that print the name of the user, as people write them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  fetch: `console.log((await (await fetch('https://api.val.town/v1/me', ${INIT})).json()).username)`,
  https: `import https from 'node:https'; ${READ}
    console.log((await get(https.get, 'https://api.val.town/v1/me')).username)`,
  'a named import of an ES module': `import { request } from 'node:https'; ${READ}
    console.log((await get(request, 'https://api.val.town/v1/me')).username)`,
  'a name in capitals, with a port': `import https from 'node:https'; ${READ}
    console.log((await get(https.get, 'https://API.val.town:443/v1/me')).username)`,
  'plain http': `import http from 'node:http'; ${READ}
    console.log((await get(http.get, 'http://api.val.town/v1/me')).username)`,
  'its own ca': `import https from 'node:https'; ${SELF_SIGNED_ROOT} ${READ}
    console.log((await get(https.get, 'https://api.val.town/v1/me', { ca })).username)`,
  'an agent with its own secure context': `import https from 'node:https'; import tls from 'node:tls'; ${READ}
    const agent = new https.Agent({ secureContext: tls.createSecureContext() });
    console.log((await get(https.get, 'https://api.val.town/v1/me', { agent })).username)`,
  'tls.connect with port, host and options': `import { connect } from 'node:tls';
    const socket = connect(443, 'api.val.town', { servername: 'api.val.town' }, () => {
      socket.end('GET /v1/me HTTP/1.1\\r\\nhost: api.val.town\\r\\nconnection: close\\r\\nauthorization: Bearer ${TOKEN}\\r\\n\\r\\n');
    });
    let text = '';
    for await (const bytes of socket) text += bytes;
    console.log(JSON.parse(text.split('\\r\\n\\r\\n')[1]).username)`,
  'TLS on a socket that it has connected': `import net from 'node:net'; import tls from 'node:tls'; ${READ}
    import https from 'node:https';
    const createConnection = () => tls.connect({ socket: net.connect(443, 'api.val.town'), servername: 'api.val.town' });
    console.log((await get(https.get, 'https://api.val.town/v1/me', { createConnection })).username)`,
  'a worker thread': `import { Worker } from 'node:worker_threads';
    const source = "fetch('https://api.val.town/v1/me', ${INIT}).then((response) => response.json())"
      + ".then(({ username }) => require('node:worker_threads').parentPort.postMessage(username))";
    new Worker(source, { eval: true }).on('message', (username) => console.log(username))`,
  'a child process': `import { fork } from 'node:child_process';
    if (process.argv[2]) console.log((await (await fetch('https://api.val.town/v1/me', ${INIT})).json()).username);
    else fork(process.argv[1], ['child'])`,
  'a CommonJS child that took a function apart': `import { execFileSync } from 'node:child_process';
    const source = "const { get } = require('node:https'); get('https://api.val.town/v1/me', ${INIT}, (response) => {"
      + "response.on('data', (bytes) => console.log(JSON.parse(bytes).username)) })";
    process.stdout.write(execFileSync(process.execPath, ['-e', source]))`,
};
const WITH_PACKAGES: Readonly<Record<string, string>> = {
  axios: `import axios from 'axios'; console.log((await axios.get('https://api.val.town/v1/me', ${INIT})).data.username)`,
  'its own undici': `import { fetch } from 'undici';
    console.log((await (await fetch('https://api.val.town/v1/me', ${INIT})).json()).username)`,
  'its own undici with its own ca': `import { Agent, fetch } from 'undici'; ${SELF_SIGNED_ROOT}
    const dispatcher = new Agent({ connect: { ca } });
    console.log((await (await fetch('https://api.val.town/v1/me', { dispatcher, ...${INIT} })).json()).username)`,
};

describe.for(['20', '22', '24'])('Node %s', (version) => {
  const node = findNode(version);

  test.for(Object.entries({ ...PROGRAMS, ...WITH_PACKAGES }))(
    'runs an unchanged program: %s',
    async ([name, source], { skip }) => {
      if (node === undefined) return skip(`npm has no node@${version} for this machine`);
      if (missing !== undefined && name in WITH_PACKAGES) return skip(missing);

      expect(await run([node, writeModule(source)])).toEqual({ stdout: 'ada\n', stderr: '', code: 0 });
    },
  );
});

test('a program gets the original proxy variables, and its children ours', async () => {
  const names = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY'];
  const program = writeModule(`
    import { execFileSync, spawn } from 'node:child_process';
    const names = ${JSON.stringify(names)};
    const print = ['-c', 'echo $HTTPS_PROXY $https_proxy $NO_PROXY'];
    console.log(JSON.stringify(names.map((name) => process.env[name] ?? null)));
    process.stdout.write(execFileSync('sh', print));
    spawn('sh', print, { stdio: 'inherit' }).on('exit', () => {
      spawn('sh', print, { stdio: 'inherit', env: { ...process.env, HTTPS_PROXY: 'mine', https_proxy: '', NO_PROXY: '' } })
        .on('exit', () => spawn('sh', print, { stdio: 'inherit', env: { PATH: process.env.PATH } }));
    });`);

  const { stdout } = await run([process.execPath, program], {
    env: { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'x' },
  });

  const ours = expect.stringMatching(
    /^http:\/\/val-emulator:\S+@127\.0\.0\.1:\d+ http:\S+ x,localhost,127\.0\.0\.1,::1$/,
  );
  expect(stdout.split('\n')).toEqual(['["http://127.0.0.1:9",null,"x"]', ours, ours, 'mine', '', '']);
});

test('keeps NODE_OPTIONS, also with a preload in a folder with spaces', async () => {
  const preload = writeProgram('my preload.cjs', 'globalThis.preloaded = true;');
  const source = `console.log(globalThis.preloaded, (await fetch('https://api.val.town/v1/me', ${INIT})).status)`;

  const { stdout } = await run([process.execPath, writeModule(source)], {
    env: { NODE_OPTIONS: `--require "${preload}"` },
  });

  expect(stdout).toBe('true 200\n');
});

test('does not intercept other ports of the name, other names and files of sockets', async () => {
  const source = `
    import net from 'node:net';
    for (const target of [[8443, 'one.invalid'], [{ port: 443, host: 'x.one.invalid' }], ['/nowhere/socket']]) {
      const socket = net.connect(...target);
      console.log(await new Promise((resolve) => socket.on('error', ({ code }) => resolve(code)).on('connect', resolve)));
    }`;

  const { stdout } = await run([process.execPath, writeModule(source)], { flags: ['--intercept=one.invalid'] });

  expect(stdout).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)\n(?:ENOTFOUND|EAI_AGAIN)\nENOENT\n$/);
});

test('HTTP/2 fails: the connection offers HTTP/1.1 alone', async () => {
  const source = `
    import http2 from 'node:http2';
    http2.connect('https://api.val.town').on('error', ({ code }) => console.log(code))`;

  const { stdout } = await run([process.execPath, writeModule(source)]);

  expect(stdout).toMatch(/^(?:ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL|ERR_HTTP2_ERROR|ECONNRESET)\n/);
});
