import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ControlService } from '#engine/control/route.js';
import { reasonFor } from '#engine/lib/errors.js';
import { NDJSON } from '#engine/lib/json.js';
import { didYouMean } from '#engine/lib/messages.js';
import { packageVersion } from '#engine/lib/package.js';
import { controlRoutes } from '#vals/control/index.js';
import { type ControlSettings, sendControl, sendOperation } from '../client/control-client.js';
import { formatResult, hideSecretsIn } from './results.js';
import { makeTools } from './tools.js';

export interface McpOptions extends Pick<ControlSettings, 'token' | 'fetch' | 'timeout'> {
  /** Base URL of the emulator. */
  readonly url: string;
  /** What it emulates. Default: the vals service */
  readonly service?: Pick<ControlService, 'name' | 'controlRoutes'>;
}

const vals = { name: 'vals', controlRoutes };

const JSON_TYPE = 'application/json';
/** What a client can read: title, target below the base URL, and media type. */
const RESOURCES = [
  ['openapi', 'OpenAPI document of the emulated API', '/_emulator/openapi.json', JSON_TYPE],
  ['openapi-control', 'OpenAPI document of the control API', '/_emulator/openapi-control.json', JSON_TYPE],
  ['session', 'Session of the default sandbox, for val-emulator start --session FILE', '/_emulator/session', NDJSON],
] as const;

/** Creates a server of the Model Context Protocol whose tools call the control API of an emulator. */
export function createMcpServer({ url, service = vals, ...settings }: McpOptions): Server {
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
  server.setRequestHandler('tools/list', () => ({ tools: tools.list() }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const operation = tools.findOperation(name);
    if (operation === undefined) throw invalid(`Unknown tool ${name}.`, name, tools.names);
    const { sandbox, ...input } = args;
    const named = sandbox === undefined ? {} : { sandbox: String(sandbox) };
    return await toResult(sendOperation(url, operation, input, { ...settings, ...named }));
  });
  server.setRequestHandler('resources/list', () => ({
    resources: RESOURCES.map(([name, title, , mimeType]) => ({ uri: `emulator://${name}`, name, title, mimeType })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const [, , target, mimeType] = RESOURCES.find(([name]) => uri === `emulator://${name}`) ?? [];
    if (target === undefined)
      throw invalid(
        `Unknown resource ${uri}.`,
        uri,
        RESOURCES.map(([name]) => `emulator://${name}`),
      );
    const value = await sendControl(url, 'GET', target, settings);
    return { contents: [{ uri, mimeType, text: typeof value === 'string' ? value : JSON.stringify(value) }] };
  });
  return server;
}

/** Makes the result of a tool. What the emulator refuses is a result with its message, so that a client can correct it. */
async function toResult(sent: Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: formatResult(await sent) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: hideSecretsIn(reasonFor(error)) }], isError: true };
  }
}

const invalid = (problem: string, found: string, known: readonly string[]) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, problem + didYouMean(found, known));
