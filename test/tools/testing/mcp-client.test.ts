import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { emulatorTest, expect } from '#tools/testing/vitest.js';

const test = emulatorTest({ onUnhandledRequest: 'error' });

test('the agent creates a val', async ({ emulator }) => {
  const client = new Client({ name: 'agent', version: '1' });
  const requestInit = { headers: { authorization: 'Bearer ada-token' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${emulator.url}/v3/mcp`), { requestInit }));
  await client.callTool({ name: 'create_val', arguments: { name: 'site', privacy: 'public' } });
  await client.close();

  emulator.expectToolCall('create_val', { name: 'site' }, 1);
  emulator.expectRequest('tool create_val', { refused: false });
  emulator.expectNoOther();
});

test('the page about the MCP server has the test above', () => {
  const read = (url: string) => readFileSync(new URL(url, import.meta.url), 'utf8');
  const [, shown = ''] = /^```ts\n(import \{ Client[^`]*`[^`]*`[^`]*)```$/m.exec(read('../../../docs/mcp.md')) ?? [];
  const own = read(import.meta.url).replace("'#tools/testing/vitest.js'", "'val-emulator/vitest'");
  const [, start] = /^(import \{ Client[\s\S]*?\n\}\);\n)/m.exec(own) ?? [];
  expect(shown).toBe(start);
});
