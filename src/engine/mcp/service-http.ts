import {
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  isCallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { Type } from 'typebox';
import type { HttpRequest } from '../api/http-request.js';
import type { Route } from '../api/route.js';
import { SerializedJson } from '../api/serialize.js';
import type { Tool, ToolServer } from '../api/tool.js';
import { findCallError, readMessageText } from '../api/tool-route.js';
import type { HttpResponse } from '../control/http-response.js';
import { toBodyText } from '../lib/base64.js';
import { ApiError, BodyError, RefusalError } from '../lib/errors.js';
import { parseJsonIfValid } from '../lib/json.js';
import { didYouMean, findSimilar, formatValue, joinAlternatives } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { packageVersion } from '../platform/package.js';
import { DIRECT_HEADERS, readDirect, toItem } from './direct.js';

/** Sends a request through the pipeline: one transaction, and one entry of the journal. */
type Send = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

interface Access {
  readonly server: ToolServer;
  readonly tools: readonly Tool[];
  readonly send: Send;
}

/**
 * Responds to a request for the tools of a service, by the Model Context Protocol without sessions. Each call of a tool is a request through the pipeline, and so is each request without one.
 */
export async function respondToTools(request: HttpRequest, access: Access): Promise<HttpResponse> {
  const { send } = access;
  const calls: HttpResponse[] = [];
  const made = await handle(request, access, calls);
  const passed = calls.length > 0 ? calls : [await send(withRoute(request, toMessageRoute(request, access, made)))];
  const response = passed.find(isRefusal) ?? merge(passed, made);
  // Each exchange ends with the response.
  const ends = passed.flatMap(({ ended }) => ended ?? []);
  return {
    ...response,
    ended: (outcome) => {
      for (const end of ends) end(outcome);
    },
  };

  /** Whether a response replaces the response of the protocol: an error of the pipeline, or a fault. */
  function isRefusal(response: HttpResponse): boolean {
    return calls.length > 0 ? readResult(response) === undefined : response.status !== made.status;
  }
}

interface Made {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Handles a message, by the library unless it is direct. @param calls receives the response of each call of a tool */
async function handle(request: HttpRequest, access: Access, calls: HttpResponse[]): Promise<Made> {
  const { body } = request;
  if (body instanceof ApiError) return { status: body.status, headers: {}, text: '' };
  const isPost = request.method === 'POST';
  const isBatch = isPost && /^\s*\[/.test(toBodyText(body) ?? '');
  const call = async (message: CallToolRequest): Promise<CallToolResult> => {
    const tool = access.tools.find(({ name }) => name === message.params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${message.params.name} not found`);
    const sent = isBatch ? { ...request, body: JSON.stringify(message) } : request;
    const response = await access.send(withRoute(sent, tool.route));
    calls.push(response);
    const result = readResult(response) ?? {};
    if (isObject(result.error)) {
      const { code, message: reason } = result.error;
      throw new ProtocolError(
        Number.isSafeInteger(code) ? Number(code) : ProtocolErrorCode.InternalError,
        String(reason),
      );
    }
    return { content: [], ...result };
  };
  const direct = readDirect(request, access.tools, SUPPORTED_PROTOCOL_VERSIONS);
  if (direct) {
    const { id, result } = direct;
    const text = await makeText(id, async () => {
      if (typeof result === 'string') return result;
      const made = await call(result);
      // A fault may have another body.
      if (calls[0]?.fault && !isCallToolResult(made)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid tools/call result');
      }
      return made;
    });
    return { status: 200, headers: DIRECT_HEADERS, text: `event: message\ndata: ${text}\n\n` };
  }
  // The library refuses each other method in the same way, and the platform makes no request of some.
  const sent = new Request(`http://localhost${access.server.path}`, {
    method: isPost ? 'POST' : 'GET',
    headers: toOwnHeaders(request),
    ...(isPost && body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body) }),
  });
  const made = await createMcpHandler(() => makeServer(access, call)).fetch(sent);
  const { connection: _, ...headers } = Object.fromEntries(made.headers);
  return { status: made.status, headers, text: await made.text() };
}

/** Makes the text of a response to a direct message, with its keys in the order of the library. */
async function makeText(id: string | number, call: () => Promise<string | CallToolResult>): Promise<string> {
  try {
    const result = await call();
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    return `{"result":${text},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message } = error;
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  }
}

function makeServer({ server, tools }: Access, call: (message: CallToolRequest) => Promise<CallToolResult>): Server {
  const { instructions } = server;
  const made = new Server(
    { name: 'val-emulator', version: packageVersion() },
    { capabilities: { tools: {} }, instructions },
  );
  made.setRequestHandler('tools/list', () => ({ tools: tools.map(toItem) }));
  made.setRequestHandler('tools/call', call);
  return made;
}

const withRoute = (request: HttpRequest, route: Route): HttpRequest => ({ ...request, match: { route, params: {} } });

/** Makes the route of a message that calls no tool, whose response the library has made. */
const toMessageRoute = (request: HttpRequest, { server, tools }: Access, { status, text }: Made): Route => ({
  ...findWithheld(request, tools),
  isUnknown: findUnknownTool(request, tools) !== undefined,
  ...makeRoute(
    `${request.method === 'HEAD' ? 'GET' : request.method} ${server.path}`,
    () => {
      const json = readMessageText(text);
      const message = findCallError(json);
      if (message !== undefined || status >= 400) {
        const reason = message ?? text;
        const cause = explainError(request, tools, status, reason);
        throw new BodyError(status, reason, parseJsonIfValid(json), undefined, cause);
      }
      return status === 202 ? undefined : new SerializedJson(json);
    },
    status === 202 ? 202 : 200,
  ),
});

/** Reads the method of a message and the name of the tool that it calls. */
function readMessage({ body }: HttpRequest): { readonly method: unknown; readonly name: string | undefined } {
  const sent = parseJsonIfValid(body instanceof ApiError ? '' : (toBodyText(body) ?? ''));
  const { method, params } = isObject(sent) ? sent : {};
  const name = method === 'tools/call' && isObject(params) ? params.name : undefined;
  return { method, name: typeof name === 'string' ? name : undefined };
}

/** Finds what the journal withholds of a message, which may be meant for a tool whose arguments have secrets: by its name, if a tool has a similar name. */
function findWithheld(request: HttpRequest, tools: readonly Tool[]): Pick<Route, 'openKeys' | 'isMessage'> {
  const { name = '' } = readMessage(request);
  const similar = findSimilar(
    name,
    tools.map((tool) => tool.name),
  );
  const meant = tools.filter((tool) => similar.includes(tool.name));
  const secret = (meant.length > 0 ? meant : tools).filter(({ route }) => route.openKeys);
  if (secret.length === 0) return {};
  return { openKeys: (meant.length === 1 && secret[0]?.route.openKeys) || [], isMessage: true };
}

/** The methods of messages that get a response. */
const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call'];

/** Explains an error of the protocol. Undefined where its message says all. */
function explainError(
  request: HttpRequest,
  tools: readonly Tool[],
  status: number,
  message: string,
): RefusalError | undefined {
  if (status === 405) {
    const reason = 'the server pushes no events: clients ask once, and continue without';
    return new RefusalError(status, message, reason, 'POST each message');
  }
  const { method } = readMessage(request);
  if (typeof method !== 'string') return undefined;
  if (method !== 'tools/call') {
    const isKnown = METHODS.includes(method);
    return isKnown
      ? undefined
      : new RefusalError(
          status,
          message,
          `there is no method ${formatValue(method)}`,
          didYouMean(method, METHODS).trim() || `Send ${joinAlternatives(METHODS)}`,
        );
  }
  const name = findUnknownTool(request, tools);
  if (name === undefined) return undefined;
  const names = tools.map((tool) => tool.name);
  const hint = didYouMean(name, names).trim() || 'tools/list names the tools';
  return new RefusalError(status, message, `there is no tool ${formatValue(name)}`, hint);
}

/** Returns the name of the tool that a message calls, although it does not exist. */
function findUnknownTool(request: HttpRequest, tools: readonly Tool[]): string | undefined {
  const { name } = readMessage(request);
  return tools.some((tool) => tool.name === name) ? undefined : name;
}

/** Reads the result of a call. Undefined for an error of the pipeline, and for a fault without a result. */
function readResult({ status, body, fault }: HttpResponse): Record<string, unknown> | undefined {
  if (status !== 200 || fault?.reset) return undefined;
  const result = parseJsonIfValid(toBodyText(body) ?? '');
  return isObject(result) ? result : undefined;
}

/** Puts what the library has made in the place of the bodies of the journal. */
function merge(passed: readonly HttpResponse[], { status, headers, text }: Made): HttpResponse {
  const {
    'content-type': _,
    'content-length': __,
    ...others
  } = Object.assign({}, ...passed.map((each) => each.headers));
  const fault = passed.find((each) => each.fault)?.fault;
  return { status, headers: { ...others, ...headers }, body: text || undefined, ...(fault && { fault }) };
}

/** Makes the route of a request that calls no tool. @param name as the journal has it: `POST /mcp` */
const makeRoute = (name: string, handle: () => unknown, status: 200 | 202 = 200): Route => ({
  ...{ name, id: 'message', method: 'POST', path: '', summary: name, auth: 'required', validators: {} },
  ...{ response: Type.Unknown(), status, errors: [], bodyType: 'bytes', plans: true },
  findError: findCallError,
  handle: () => ({ read: { value: handle() } }),
});

/** Headers that the protocol reads. */
const READ = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'];

/** Selects the headers of a request that the protocol reads. */
const toOwnHeaders = ({ header }: HttpRequest): Record<string, string> =>
  Object.fromEntries(
    READ.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
