import { isObject } from '#engine/lib/objects.js';
import type { Emulator, Fixtures } from '../../../../src/index.js';

/** What an agent sends with each message. */
export const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: 'Bearer ada-token',
};

export const FIXTURES: Fixtures = {
  users: [{ username: 'ada', tier: 'pro' }, { username: 'eve' }],
  projects: [
    { owner: 'ada', name: 'site', privacy: 'public', files: { 'main.ts': 'export const limit = 42;\n' } },
    { owner: 'eve', name: 'diary', privacy: 'private', files: { 'notes.md': '# Notes' } },
  ],
};

/** An emulator in this process has its own `fetch`, which takes half the time of a socket. */
type Target = Pick<Emulator, 'url'> & Partial<Pick<Emulator, 'fetch'>>;

/** Sends a message without a handshake. */
export const send = (
  target: Target,
  message: object | string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  (target.fetch ?? fetch)(`${target.url}/v3/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

export const toCall = (name: string, args?: unknown, id: number | string = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, ...(args !== undefined && { arguments: args }) },
});

/** Reads the messages of an event stream. */
export async function readEvents(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => {
    const message: unknown = JSON.parse(data);
    if (!isObject(message)) throw new Error(`no message: ${data}`);
    return message;
  });
}

/** Calls tools as a user. */
export const connect = (emulator: Target, token = 'ada-token') => {
  const post = async (name: string, args: unknown = {}) => {
    const response = await send(emulator, toCall(name, args), { authorization: `Bearer ${token}` });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    const [message] = await readEvents(response);
    const { result } = message ?? {};
    if (!isObject(result)) throw new Error(`no result: ${JSON.stringify(message)}`);
    const [content] = Array.isArray(result.content) ? result.content : [];
    return { isError: result.isError === true, text: String(content?.text), data: result.structuredContent };
  };
  return {
    /** Returns the data of a call. @throws Error for one that fails */
    call: async (name: string, args?: unknown) => {
      const { isError, text, data } = await post(name, args);
      if (isError) throw new Error(text);
      if (!isObject(data)) throw new Error(`no data: ${text}`);
      return data;
    },
    /** Returns the text of a call that fails. */
    fail: async (name: string, args?: unknown) => {
      const { isError, text } = await post(name, args);
      if (!isError) throw new Error(`no error: ${text}`);
      return text;
    },
    /** Returns all of a result. */
    post,
  };
};

/** The smallest arguments of each tool that its schema allows. */
export function fill(schema: unknown): unknown {
  if (!isObject(schema)) return 'ada/site';
  if (Array.isArray(schema.anyOf)) return fill(schema.anyOf[0]);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.type === 'integer') return 1;
  if (schema.type === 'array') return [];
  if (schema.type !== 'object') return schema.pattern ? 'x1' : 'ada/site';
  const { properties = {}, required = [] } = schema;
  const names = Array.isArray(required) ? required : [];
  return Object.fromEntries(names.map((name) => [name, fill(isObject(properties) ? properties[name] : {})]));
}
