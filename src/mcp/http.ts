import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer, type McpOptions } from './server.js';

/** Responds to a request of the Model Context Protocol over HTTP: as JSON, without a session. */
export async function respondToMcp(
  request: IncomingMessage,
  response: ServerResponse,
  options: McpOptions,
): Promise<void> {
  const handler = createMcpHandler(() => createMcpServer(options));
  const { method = 'GET', headers } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const {
    status,
    headers: sent,
    body,
  } = await handler.fetch(
    new Request(`${options.url}/_emulator/mcp`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    }),
  );
  response.writeHead(status, Object.fromEntries(sent));
  if (body) for await (const chunk of body) response.write(chunk);
  response.end();
  await handler.close();
}
