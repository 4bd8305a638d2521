// Logs in to the emulator with one of the programs that do so by OAuth, without a browser, and calls the API with what it gets.
//
//   node logins.js <program>

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const { VAL_EMULATOR_URL: base, VAL_EMULATOR_TOKEN: token } = process.env;
const URL_OF_TOOLS = `${base}/v3/mcp`;
const CONFORMANCE = '../node_modules/conformance-of-logins/dist/index.js';
const PORT = 5899;
const CALLBACK = `http://127.0.0.1:${PORT}/callback`;
const PUBLIC = { token_endpoint_auth_method: 'none', application_type: 'native' };
const METADATA = { client_name: 'Check', redirect_uris: [CALLBACK], ...PUBLIC };

const getUsername = async (bearer) => {
  const response = await fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${bearer}` } });
  return (await response.json()).username;
};
const user = await getUsername(token);

const send = (path, body) =>
  fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Decides on a login without its page. Returns the callback URL; null for a device. */
async function decide(decision) {
  const response = await send('/_emulator/login', { ...decision, user });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()).url;
}

/** Starts a program that prints the address of its login, and opens the callback URL as a browser would. */
function start(command, args, env = {}) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const output = [];
  const visit = async (line) => {
    output.push(line);
    const [address] = /http:\S+\/oauth\/auth\?\S+/.exec(line) ?? [];
    if (address) await fetch(await decide({ url: address }));
  };
  createInterface(child.stderr).on('line', visit);
  const lines = createInterface(child.stdout).on('line', visit);
  return { child, lines, output };
}

const LOGINS = {
  /** The official client, by the interface of its package. */
  async 'login-mcp-client'() {
    const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await import('@modelcontextprotocol/client');
    const saved = {};
    const authProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: { ...METADATA, grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
      clientInformation: () => saved.client,
      saveClientInformation: (client) => Object.assign(saved, { client }),
      tokens: () => saved.tokens,
      saveTokens: (tokens) => Object.assign(saved, { tokens }),
      redirectToAuthorization: (address) => Object.assign(saved, { address }),
      saveCodeVerifier: (verifier) => Object.assign(saved, { verifier }),
      codeVerifier: () => saved.verifier,
      discoveryState: () => saved.discovery,
      saveDiscoveryState: (discovery) => Object.assign(saved, { discovery }),
    };
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(URL_OF_TOOLS), { authProvider });
      const client = new Client({ name: 'check', version: '1' });
      return { transport, client, isConnected: client.connect(transport) };
    };
    const first = await connect();
    await assert.rejects(first.isConnected, UnauthorizedError);
    await first.transport.finishAuth(new URL(await decide({ url: saved.address.href })).searchParams);
    const second = await connect();
    await second.isConnected;
    const { tools } = await second.client.listTools();
    assert(tools.some(({ name }) => name === 'create_val'));
    const { isError } = await second.client.callTool({ name: 'list_orgs', arguments: {} });
    assert(!isError);
    await second.client.close();
    assert.equal(await getUsername(saved.tokens.access_token), user);
    // The client gets the next token by itself when this one expires.
    await send('/_emulator/clock', { advance: '24h' });
    const third = await connect();
    await third.isConnected;
    await third.client.close();
    assert.equal(await getUsername(saved.tokens.access_token), user);
  },

  async 'login-mcp-remote'() {
    const { child, lines } = start('mcp-remote', [URL_OF_TOOLS, '--allow-http', '--transport', 'http-only']);
    const clientInfo = { name: 'check', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    for await (const line of lines) {
      const { id, result } = JSON.parse(line);
      if (id !== 1) continue;
      assert.equal(typeof result.serverInfo.name, 'string');
      break;
    }
    child.kill();
  },

  async 'login-inspector'() {
    const args = ['--cli', URL_OF_TOOLS, '--transport', 'http', '--method', 'tools/list'];
    // Without a terminal its command logs in with this setting only. It keeps tokens in the home folder.
    const env = { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'memory', HOME: process.cwd() };
    const { child, output } = start('mcp-inspector', args, env);
    const [code] = await once(child, 'close');
    const text = output.join('\n');
    assert.equal(code, 0, text);
    assert.match(text, /"name": "create_val"/);
  },

  /** As the command-line tool of the service uses it. Source: github.com/val-town/vt, src/oauth.ts. */
  async 'login-openid-client'() {
    const client = await import('openid-client');
    const execute = [client.allowInsecureRequests];
    const config = await client.discovery(new URL(`${base}/oauth`), 'val_town_vt', undefined, client.None(), {
      execute,
    });
    const scope = 'openid offline_access project_rw user_r telemetry_r';
    const device = await client.initiateDeviceAuthorization(config, { scope });
    assert.equal(device.verification_uri_complete, `${base}/oauth/device?user_code=${device.user_code}`);
    const poll = client.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    await decide({ userCode: device.user_code });
    const tokens = await poll;
    assert.deepEqual(tokens.scope.split(' ').sort(), ['project_rw', 'telemetry_r', 'user_r']);
    assert.equal(tokens.claims().iss, `${base}/oauth`);
    const next = await client.refreshTokenGrant(config, tokens.refresh_token);
    assert.equal(await getUsername(next.access_token), user);
    const isRefused = { error: 'invalid_grant', error_description: 'grant request is invalid' };
    await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token), isRefused);
    // The second use has revoked what the first one gave.
    await assert.rejects(client.refreshTokenGrant(config, next.refresh_token), isRefused);
    assert.equal(await getUsername(next.access_token), undefined);
  },

  /** The scenarios of the official conformance program for a server of logins. */
  async 'login-conformance'() {
    const response = await send('/oauth/reg', METADATA);
    const { client_id: id } = await response.json();
    const flags = ['--url', `${base}/oauth`, '--client-id', id, '--port', String(PORT)];
    const { child, output } = start('node', [CONFORMANCE, 'authorization', ...flags]);
    const [code] = await once(child, 'close');
    const text = output.join('\n');
    assert.equal(code, 0, text);
    assert.match(text, /Total: [1-9]\d* passed, 0 failed/, text);
  },
};

await LOGINS[process.argv[2]]();
