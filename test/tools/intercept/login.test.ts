import { expect, test } from 'vitest';
import { run, writeProgram } from './programs.js';

/** Lines of a program that finds the login by the API alone, registers itself and exchanges a code. */
const CLIENT = `
  import { createHash } from 'node:crypto';
  const read = async (url, init) => (await fetch(url, init)).json();
  const { authorization_servers: [issuer] } = await read('https://api.val.town/.well-known/oauth-protected-resource');
  const [origin, path] = [new URL(issuer).origin, new URL(issuer).pathname];
  const server = await read(origin + '/.well-known/oauth-authorization-server' + path);
  const redirect_uri = 'http://127.0.0.1:5899/callback';
  const verifier = 'a'.repeat(43);
  const { client_id } = await read(server.registration_endpoint, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Probe', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }),
  });
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = { client_id, response_type: 'code', redirect_uri, code_challenge, code_challenge_method: 'S256', scope: 'user_r' };
  const { headers } = await fetch(server.authorization_endpoint + '?' + new URLSearchParams(asked), { redirect: 'manual' });
  const back = new URL(headers.get('location'));
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier: verifier };
  const body = new URLSearchParams({ ...form, code: back.searchParams.get('code') });
  const { access_token } = await read(server.token_endpoint, { method: 'POST', body });
  const me = await read('https://api.val.town/v1/me', { headers: { authorization: 'Bearer ' + access_token } });
  console.log(issuer, back.searchParams.get('iss'), server.token_endpoint, me.username);`;

test.for([[[]], [['--sandbox', 'demo']]] as const)(
  'an unchanged client logs in at the real address: %j',
  async ([flags]) => {
    const program = writeProgram('client.mjs', CLIENT);

    expect(
      await run([process.execPath, program], { flags: ['--only', '--strict', '--login', 'ada', ...flags] }),
    ).toEqual({
      stdout: 'https://www.val.town/oauth https://www.val.town/oauth https://www.val.town/oauth/token ada\n',
      stderr: '',
      code: 0,
    });
  },
);

const PAGES = [
  ...['https://www.val.town/', 'https://www.val.town/v1/me', 'https://www.val.town/_emulator/health'],
  ...['https://www.val.town/oauthor', 'http://www.val.town/x?oauth', 'https://WWW.val.town/%2e%2e/oauth/../x'],
  ...['https://www.val.town/oauth/jwks', 'https://www.val.town/.well-known/openid-configuration/oauth'],
];
const REFUSED = ['/', '/v1/me', '/_emulator/health', '/oauthor', '/x (2 times)'].map((path) => `www.val.town${path}`);

test('other pages of the host are refused, and --only lists them', async () => {
  const program = writeProgram(
    'pages.mjs',
    `for (const page of ${JSON.stringify(PAGES)}) {
      const response = await fetch(page);
      console.log(response.status, (await response.text()).slice(0, 90).trim());
    }`,
  );

  const { stdout, stderr, code } = await run([process.execPath, program], { flags: ['--only'] });

  expect(stdout.split('\n').map((line) => line.slice(0, 3))).toEqual([
    ...['403', '403', '403', '403', '403', '403', '200', '200', ''],
  ]);
  expect(stdout).toContain('403 val-emulator has the login of www.val.town alone, and refuses www.val.town/v1/me.\n');
  expect([stderr, code]).toEqual([`val-emulator: --only refused connections to ${REFUSED.join(', ')}.\n`, 0]);
});

test('a proxied program reaches the login, and no other page', async () => {
  const get = (url: string) => ['curl', '-sS', '-o', '/dev/null', '-w', '%{http_code} ', url];
  const pages = [
    'https://www.val.town/oauth/jwks',
    'https://www.val.town/x',
    'http://www.val.town/oauth/jwks',
    'http://www.val.town/x',
  ];
  const script = pages
    .map((page) =>
      get(page)
        .map((word) => `'${word}'`)
        .join(' '),
    )
    .join('; ');

  expect(await run(['sh', '-c', script])).toEqual({ stdout: '200 403 200 403 ', stderr: '', code: 0 });
});
