// Runs the scenarios of the official conformance program that apply to the MCP server of the service. docs/mcp.md says why the
// others do not. The program sends no token, so its requests pass a proxy that adds one.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

const SCENARIOS = ['server-initialize', 'ping', 'tools-list'];
const { VAL_EMULATOR_URL: base, VAL_EMULATOR_TOKEN: token } = process.env;
/** Headers that `fetch` sets. */
const OF_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

const proxy = createServer(async (request, response) => {
  const { url, method, headers } = request;
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name));
  const body = method === 'POST' ? await buffer(request) : undefined;
  const sent = { method, headers: { ...Object.fromEntries(kept), authorization: `Bearer ${token}` }, body };
  const { status, headers: received, body: stream } = await fetch(base + url, sent);
  response.writeHead(status, Object.fromEntries(received));
  if (stream) Readable.fromWeb(stream).pipe(response);
  else response.end();
});
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${proxy.address().port}/v3/mcp`;
const names = process.argv.slice(2);
try {
  for (const scenario of names.length > 0 ? names : SCENARIOS) {
    const run = promisify(execFile)('conformance', ['server', '--url', url, '--scenario', scenario]);
    const { stdout } = await run.catch((error) => error);
    assert.match(stdout, /Passed: (\d+)\/\1, 0 failed, 0 warnings/, `${scenario}: ${stdout}`);
  }
} finally {
  proxy.close();
}
