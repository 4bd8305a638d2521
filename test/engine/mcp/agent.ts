import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { Emulator } from '../../../src/index.js';

/** Characters of a token of JSON, about. */
const CHARACTERS_PER_TOKEN = 4.2;

/** Connects an agent over HTTP, which counts its calls and the size of their results. */
export async function connectAgent(emulator: Emulator, headers: Record<string, string> = {}, sandbox = '') {
  const client = new Client({ name: 'agent', version: '1' });
  const url = new URL(`${emulator.url}${sandbox}/_emulator/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const used = { calls: 0, tokens: 0 };
  /** Calls a tool, and returns its parsed result, or the text of an error. */
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    used.calls += 1;
    used.tokens += text.length / CHARACTERS_PER_TOKEN;
    return isError ? text : JSON.parse(text);
  };
  return { client, call, used };
}
