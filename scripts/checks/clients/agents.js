// Builds a val by the MCP server of the service, with one of the clients that agents have, and compares what it made.
//
//   node agents.js <client>

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const { VAL_EMULATOR_URL: base, VAL_EMULATOR_TOKEN: token } = process.env;
const URL_OF_TOOLS = `${base}/v3/mcp`;
const AUTHORIZATION = `Bearer ${token}`;

/** The calls of tools, and the files that they make. */
const CALLS = [
  ['create_val', { name: 'greeting', description: 'Made by an agent' }],
  ['create_file', { val: 'VAL', path: 'main.ts', content: "export const greeting = 'Hello';\n" }],
  ['replace_in_file', { val: 'VAL', path: 'main.ts', old_string: 'Hello', new_string: 'Hi' }],
  ['read_file', { val: 'VAL', path: 'main.ts' }],
];

/** How each client lists the tools, and calls one. */
const CLIENTS = {
  async inspector() {
    const run = async (...args) => {
      const flags = ['--cli', URL_OF_TOOLS, '--transport', 'http', '--header', `Authorization: ${AUTHORIZATION}`];
      const { stdout } = await promisify(execFile)('mcp-inspector', [...flags, ...args]);
      return JSON.parse(stdout);
    };
    return {
      list: async () => (await run('--method', 'tools/list')).tools,
      async call(name, args) {
        const given = Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
        return await run('--method', 'tools/call', '--tool-name', name, ...given);
      },
      close() {},
    };
  },

  async 'ai-sdk'() {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const headers = { Authorization: AUTHORIZATION };
    const client = await createMCPClient({ transport: { type: 'http', url: URL_OF_TOOLS, headers } });
    const tools = await client.tools();
    return {
      list: () => Object.keys(tools).map((name) => ({ name })),
      call: (name, args) => tools[name].execute(args, { toolCallId: name, messages: [] }),
      close: () => client.close(),
    };
  },

  async 'mcp-remote'() {
    const flags = ['--allow-http', '--transport', 'http-only', '--header', `Authorization: ${AUTHORIZATION}`];
    const child = spawn('mcp-remote', [URL_OF_TOOLS, ...flags], { stdio: ['pipe', 'pipe', 'ignore'] });
    const waiting = new Map();
    createInterface(child.stdout).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      const { resolve, reject } = waiting.get(id) ?? {};
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    });
    const write = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let last = 0;
    const send = (method, params) => {
      last += 1;
      return new Promise((resolve, reject) => {
        waiting.set(last, { resolve, reject });
        child.once('exit', (code) => reject(new Error(`mcp-remote ended with ${code}`)));
        write({ id: last, method, params });
      });
    };
    const clientInfo = { name: 'agent', version: '1' };
    await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    write({ method: 'notifications/initialized' });
    return {
      list: async () => (await send('tools/list', {})).tools,
      call: (name, args) => send('tools/call', { name, arguments: args }),
      close: () => child.kill(),
    };
  },
};

const { list, call, close } = await CLIENTS[process.argv[2]]();
const names = (await list()).map(({ name }) => name);
for (const [name] of CALLS) assert(names.includes(name), `${name} is not among ${names.join(', ')}`);
const headers = { authorization: AUTHORIZATION };
const read = async (path) => await (await fetch(base + path, { headers })).json();
const { username } = await read('/v1/me');
let result;
for (const [name, args] of CALLS) {
  result = await call(name, 'val' in args ? { ...args, val: `${username}/greeting` } : args);
  assert(!result.isError, `${name}: ${JSON.stringify(result)}`);
}
await close();
assert.match(JSON.stringify(result), /1: export const greeting = 'Hi';/);
const { id } = await read(`/v2/alias/vals/${username}/greeting`);
const { data } = await read(`/v2/vals/${id}/files?path=&recursive=true&limit=10&offset=0`);
assert.deepEqual(
  data.map(({ path, version }) => [path, version]),
  [['main.ts', 2]],
);
