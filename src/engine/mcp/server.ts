import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ControlService } from '../control/route.js';
import { addressOperation, type ControlSettings, sendControl, sendOperation } from '../control/send.js';
import { reasonFor } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { parseEmulatorUrl } from '../lib/target.js';
import { packageVersion } from '../platform/package.js';
import { EDIT } from './edit.js';
import { EXPECT_REQUESTS } from './expect.js';
import type { OwnTool } from './own-tool.js';
import { listResources, readResource, resourceUris } from './resources.js';
import { cutResult, formatResult, hideSecretsIn, mapHints } from './results.js';
import { findUrl, SANDBOXES } from './sandboxes.js';
import { SAVE_SESSION } from './session-file.js';
import { makeTools } from './tools.js';

export interface McpOptions extends Pick<ControlSettings, 'token' | 'fetch' | 'timeout'> {
  /** Base URL of the emulator. */
  readonly url: string;
  /** What it emulates. */
  readonly service: Pick<ControlService, 'name' | 'controlRoutes'>;
  /** Whether the client is a program of this machine, whose files it may write. */
  readonly isLocal: boolean;
}

/** The tools that no route has. */
const OWN: readonly OwnTool[] = [EXPECT_REQUESTS, EDIT, SANDBOXES, SAVE_SESSION];

/** Creates a server of the Model Context Protocol whose tools call the control API of an emulator. */
export function createMcpServer({ url, service, isLocal, ...settings }: McpOptions): Server {
  const tools = makeTools(service.controlRoutes);
  const server = new Server(
    { name: 'val-emulator', version: packageVersion() },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: [
        `An emulator of the ${service.name} API, which records every request. Set the base URL of a program to ${url}`,
        `(or to ${url}/_sandbox/NAME for a separate sandbox), and its token to one that the tool users lists.`,
      ].join(' '),
    },
  );
  const root = parseEmulatorUrl(url)?.base ?? url;
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.list(), ...OWN.map(({ call: _, ...tool }) => tool)],
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const { sandbox, offset, ...others } = args;
    const own = OWN.find((each) => each.name === name);
    if (own) {
      return await toResult(tools.nameIn, async () =>
        own.call(others, { url: await findUrl(url, sandbox, settings), root, settings, isLocal }),
      );
    }
    const tool = tools.find(name);
    if (tool === undefined)
      throw invalid(`Unknown tool ${name}.`, name, [...tools.names, ...OWN.map((each) => each.name)]);
    const { operation, isPaged, hasPages, assertContent, select } = tool;
    const input = isPaged || offset === undefined ? others : { ...others, offset };
    const skipped = isPaged ? Number(offset ?? 0) : 0;
    return await toResult(tools.nameIn, async () => {
      if (!Number.isSafeInteger(skipped) || skipped < 0)
        throw new Error(`offset: found ${formatValue(offset)}; expected a whole number, at least 0.`);
      assertContent(input);
      const found = await findUrl(url, sandbox, settings);
      const { base, method, target } = addressOperation(found, operation, input, {});
      const result = select(await sendOperation(found, operation, input, settings));
      return formatResult(mapHints(result, tools.nameIn), {
        offset: isPaged || hasPages ? skipped : undefined,
        url: method === 'GET' ? base + target : undefined,
      });
    });
  });
  server.setRequestHandler('resources/list', () => ({ resources: listResources() }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const contents = await readResource(uri, url, (target) => sendControl(url, 'GET', target, settings));
    if (contents === undefined) throw invalid(`Unknown resource ${uri}.`, uri, resourceUris);
    return { contents: [contents] };
  });
  return server;
}

/** Makes the result of a tool. What is refused, here or by the emulator, is a result with the message, so that a client can correct it. */
async function toResult(nameIn: (text: string) => string, call: () => Promise<string>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await call() }] };
  } catch (error) {
    return { content: [{ type: 'text', text: cutResult(nameIn(hideSecretsIn(reasonFor(error)))) }], isError: true };
  }
}

const invalid = (problem: string, found: string, known: readonly string[]) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, problem + didYouMean(found, known));
