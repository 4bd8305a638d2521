import type { CallToolRequest, Tool as ToolItem } from '@modelcontextprotocol/server';
import type { HttpRequest } from '../api/http-request.js';
import type { Tool } from '../api/tool.js';
import { toBodyText } from '../lib/base64.js';
import { ApiError } from '../lib/errors.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isObject } from '../lib/objects.js';
import { onceFor } from '../lib/once.js';

/** A message that needs no protocol library: the JSON of its result, or a call. */
export interface DirectMessage {
  readonly id: string | number;
  readonly result: string | CallToolRequest;
}

/** The headers with which the library responds to such a message. */
export const DIRECT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export const toItem = ({ name, description, input, annotations }: Tool): ToolItem => ({
  name,
  description,
  inputSchema: { ...input, type: 'object' },
  annotations,
});

const listTools = onceFor((tools: readonly Tool[]) => JSON.stringify({ tools: tools.map(toItem) }));

/**
 * Reads a `ping`, `tools/list` or `tools/call` as nearly all clients send it: one POST with the two media types, a known version
 * and no other parameters. Undefined for any other message, which the library handles or refuses.
 */
export function readDirect(
  { method, header, body }: HttpRequest,
  tools: readonly Tool[],
  versions: readonly string[],
): DirectMessage | undefined {
  if (method !== 'POST' || body instanceof ApiError || header('content-type') !== 'application/json') return undefined;
  if (header('mcp-method') !== undefined || header('mcp-name') !== undefined) return undefined;
  const accept = header('accept') ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return undefined;
  const version = header('mcp-protocol-version');
  if (version !== undefined && !versions.includes(version)) return undefined;
  const message = parseJsonIfValid(toBodyText(body) ?? '');
  if (!isObject(message)) return undefined;
  const { jsonrpc, id, method: called, params, ...others } = message;
  if (jsonrpc !== '2.0' || Object.keys(others).length > 0) return undefined;
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isSafeInteger(id))) return undefined;
  if (called === 'ping' && params === undefined) return { id, result: '{}' };
  if (called === 'tools/list' && params === undefined) return { id, result: listTools(tools) };
  if (called !== 'tools/call' || !isObject(params)) return undefined;
  const { name, arguments: args, ...more } = params;
  if (typeof name !== 'string' || Object.keys(more).length > 0) return undefined;
  if (args !== undefined && !isObject(args)) return undefined;
  return { id, result: { method: called, params: { name, ...(args && { arguments: args }) } } };
}
