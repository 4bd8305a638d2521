import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server';
import { createMcpServer, type McpOptions } from './server.js';

/** Methods that the protocol knows. The platform makes no `Request` of some others, such as TRACE. */
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];

/** Responds to a request for the tools of the emulator over HTTP: as JSON, without a session. */
export async function respondToMcp(
  request: IncomingMessage,
  response: ServerResponse,
  options: McpOptions,
): Promise<void> {
  const { method = 'GET', headers } = request;
  if (!METHODS.includes(method)) {
    response.writeHead(405, { allow: METHODS.join(', ') }).end();
    return;
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const {
    status,
    headers: sent,
    body,
  } = await respond(
    new Request(`${options.url}/_emulator/mcp`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    }),
    options,
  );
  response.writeHead(status, Object.fromEntries(sent));
  if (body) for await (const chunk of body) response.write(chunk);
  response.end();
}

async function respond(request: Request, options: McpOptions): Promise<Response> {
  if (request.method === 'POST' && (await isLegacyRequest(request))) {
    // The handler would respond with a stream of events to clients of 2025.
    const transport = new Transport({ enableJsonResponse: true });
    await createMcpServer(options).connect(transport);
    return await transport.handleRequest(request);
  }
  return await createMcpHandler(() => createMcpServer(options)).fetch(request);
}
