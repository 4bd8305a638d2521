import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpOptions } from './server.js';

/** Speaks the Model Context Protocol on stdin and stdout. Resolves when stdin ends, or the signal aborts. */
export async function serveMcp(options: Omit<McpOptions, 'isLocal'>, signal: AbortSignal): Promise<void> {
  const handle = serveStdio(() => createMcpServer({ ...options, isLocal: true }));
  try {
    await once(process.stdin, 'end', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await handle.close();
  }
}
