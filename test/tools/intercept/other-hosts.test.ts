import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createRawServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { run, TOKEN, writeProgram } from './programs.js';

/** An address of this machine that NO_PROXY does not name, in place of another host. */
const OTHER = '127.0.0.2';
const FETCH_BOTH = (port: number) => `
  for (const url of ['https://${OTHER}:${port}/x', 'https://api.val.town/v1/me']) {
    const response = await fetch(url, { headers: { authorization: 'Bearer ${TOKEN}' } });
    console.log(response.status, (await response.text()).slice(0, 6));
  }`;
const CURL = ['curl', '-sS', '-w', '%{http_code}', '-H', `authorization: Bearer ${TOKEN}`];

/** Another service: a TLS server, and its own authority, which the machine of the user trusts. */
let port = 0;
let roots = '';

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intercept-'));
  roots = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=other', '-addext', `subjectAltName=IP:${OTHER}`];
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    roots,
  ];
  execFileSync('openssl', args, { stdio: 'pipe' });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(roots) }, (_, response) =>
    response.end('other'),
  );
  port = await listen(server);
  return () => {
    server.close();
    rmSync(folder, { recursive: true });
  };
});

async function listen(server: Server, address = OTHER): Promise<number> {
  server.listen(0, address);
  await once(server, 'listening');
  const found = server.address();
  if (found === null || typeof found === 'string') throw new Error('no port');
  return found.port;
}

test('a proxied program reaches another host by the roots in force, and the name by ours', async () => {
  const env = { SSL_CERT_FILE: roots };

  const other = await run([...CURL, `https://${OTHER}:${port}/x`], { env });
  const intercepted = await run([...CURL, '-o', '/dev/null', 'https://api.val.town/v1/me'], { env });

  expect(other).toMatchObject({ stdout: 'other200', code: 0 });
  expect(intercepted).toEqual({ stdout: '200', stderr: '', code: 0 });
});

test('without the roots of the other host, a program refuses it', async () => {
  const { code, stderr } = await run([...CURL, `https://${OTHER}:${port}/x`]);

  expect(stderr).toContain('certificate');
  // CURLE_PEER_FAILED_VERIFICATION
  expect(code).toBe(60);
});

test('Node reaches both, by NODE_EXTRA_CA_CERTS of the user', async () => {
  const program = writeProgram('program.mjs', FETCH_BOTH(port));

  const { stdout } = await run([process.execPath, program], { env: { NODE_EXTRA_CA_CERTS: roots } });

  expect(stdout).toBe('200 other\n200 {"id":\n');
});

/** A proxy of the company, with what it was asked for. */
async function openCompanyProxy() {
  const asked: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage) =>
    asked.push(`${method} ${url} ${Buffer.from(headers['proxy-authorization']?.slice(6) ?? '', 'base64')}`);
  const proxy = createServer((request, response) => {
    note(request);
    response.end('plain');
  });
  proxy.on('connect', (request, socket) => {
    note(request);
    const [host = '', to = ''] = request.url?.split(':') ?? [];
    const target = connect(Number(to), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    socket.pipe(target).pipe(socket);
    socket.on('error', () => target.destroy());
  });
  onTestFinished(() => void proxy.close());
  return { url: `http://user:secret@127.0.0.1:${await listen(proxy, '127.0.0.1')}`, asked };
}

test('a proxy in force is used for other hosts, and for the name although NO_PROXY excludes it', async () => {
  const { url, asked } = await openCompanyProxy();
  const env = { https_proxy: url, http_proxy: url, NO_PROXY: '.val.town', SSL_CERT_FILE: roots };

  const other = await run([...CURL, `https://${OTHER}:${port}/x`], { env });
  const plain = await run([...CURL, 'http://other.invalid/x?y'], { env });
  const intercepted = await run([...CURL, '-o', '/dev/null', 'https://api.val.town/v1/me'], { env });

  expect([other.stdout, plain.stdout, intercepted.stdout]).toEqual(['other200', 'plain200', '200']);
  expect(asked).toEqual([`CONNECT ${OTHER}:${port} user:secret`, 'GET http://other.invalid/x?y user:secret']);
});

test('a tunnel to another host passes bytes unchanged, in both directions', async () => {
  const echo = createRawServer((socket) => socket.on('data', (bytes) => socket.write(bytes)).on('error', () => {}));
  onTestFinished(() => void echo.close());
  const echoPort = await listen(echo);
  const program = writeProgram(
    'program.py',
    `
import base64, os, socket, urllib.parse
proxy = urllib.parse.urlparse(os.environ['HTTPS_PROXY'])
sent = bytes(range(256)) * 400
with socket.create_connection((proxy.hostname, proxy.port)) as s:
    login = base64.b64encode(f'{proxy.username}:{proxy.password}'.encode()).decode()
    s.sendall(f'CONNECT ${OTHER}:${echoPort} HTTP/1.1\\r\\nProxy-Authorization: Basic {login}\\r\\n\\r\\n'.encode())
    print(s.recv(1000).decode().split('\\r\\n')[0])
    s.sendall(sent)
    s.shutdown(socket.SHUT_WR)
    received = b''
    while len(received) < len(sent):
        received += s.recv(65536)
    print(received == sent)
`,
  );

  expect((await run(['python3', program])).stdout).toBe('HTTP/1.1 200 Connection Established\nTrue\n');
});

test('the proxy requires its password', async () => {
  const script =
    'curl -sS -o /dev/null -w "%{http_connect}" -x "http://127.0.0.1:$' + '{HTTPS_PROXY##*:}" https://api.val.town/';

  expect((await run(['sh', '-c', script])).stdout).toBe('407');
});

test('--only refuses other hosts and lists them, and accepts local ones', async () => {
  const local = createServer((_, response) => response.end('local'));
  onTestFinished(() => void local.close());
  const program = writeProgram(
    'program.mjs',
    `
    import { spawnSync } from 'node:child_process';
    const read = (url) => fetch(url).then((response) => response.status, ({ cause }) => cause.code);
    console.log(await read('http://127.0.0.1:${await listen(local, '127.0.0.1')}/'));
    console.log(await read('https://api.val.town/v1/me'));
    console.log(await read('https://one.invalid/'), await read('https://one.invalid/'));
    console.log(spawnSync('curl', ['-s', 'https://two.invalid/']).status);`,
  );

  const strict = await run([process.execPath, program], { flags: ['--only', '--strict'] });
  const lenient = await run([process.execPath, program], { flags: ['--only'] });

  expect(strict).toEqual({
    stdout: '200\n401\nECONNREFUSED ECONNREFUSED\n56\n',
    stderr: 'val-emulator: --only refused connections to one.invalid:443 (2 times), two.invalid:443.\n',
    code: 1,
  });
  expect(lenient).toEqual({ ...strict, code: 0 });
});
