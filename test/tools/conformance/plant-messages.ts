import { isObject } from '#engine/lib/objects.js';
import { readMessage } from '#tools/conformance/message.js';
import { type Change, inHeaders, mapObjects, withStatus } from './plant-changes.js';
import type { Plant } from './plants.js';

// Differences of the MCP server, in its messages and around them.

type Json = Readonly<Record<string, unknown>>;
const ROUTE = 'POST /v3/mcp';

/** Changes the message of a response, in its event stream. */
const inMessage =
  (change: (message: Json) => unknown): Change =>
  (reply) => {
    if (!(reply.body instanceof Uint8Array)) return reply;
    const message = readMessage(Buffer.from(reply.body).toString());
    if (!isObject(message)) return reply;
    const changed = change(message);
    if (JSON.stringify(changed) === JSON.stringify(message)) return reply;
    return { ...reply, body: Buffer.from(`event: message\ndata: ${JSON.stringify(changed)}\n\n`) };
  };
/** Changes each object that has a key. */
const inObjects = (key: string, change: (object: Json) => Json): Change =>
  inMessage((message) => mapObjects(message, (each) => (key in each ? change(each) : each)));
const without = (key: string): Change => inObjects(key, ({ [key]: _, ...others }) => others);
const on =
  (status: number, change: Change): Change =>
  (reply, request) =>
    reply.status === status ? change(reply, request) : reply;

const CHANGES: Readonly<Record<string, Change>> = {
  'a missing token is accepted': on(401, withStatus(200)),
  'no address of the metadata': inHeaders({ 'www-authenticate': undefined }),
  'a missing scope is accepted': on(403, withStatus(200)),
  'a broken message is accepted': on(400, withStatus(200)),
  'another media type is a 400': on(415, withStatus(400)),
  'a client that accepts JSON alone is served': on(406, withStatus(200)),
  'a notification is a 200': on(202, withStatus(200)),
  'no name of the server': without('serverInfo'),
  'no text': without('content'),
  'no structured content': without('structuredContent'),
  'refused calls look like others': without('isError'),
  'errors have the code -32000': inObjects('code', (each) => ({ ...each, code: -32_000 })),
  'a tool is missing': inObjects('tools', (each) => ({
    ...each,
    tools: Array.isArray(each.tools) ? each.tools.slice(1) : each.tools,
  })),
  'an argument has another name': inObjects('show_line_numbers', ({ show_line_numbers: found, ...others }) => ({
    ...others,
    showLineNumbers: found,
  })),
  'files have another text': inObjects('fileType', (each) =>
    'content' in each ? { ...each, content: `${each.content} ` } : each,
  ),
  'versions are one less': inObjects('version', (each) =>
    typeof each.version === 'number' ? { ...each, version: each.version - 1 } : each,
  ),
  'sizes of blobs are one less': inObjects('size', (each) => ({ ...each, size: Number(each.size) - 1 })),
  'identifiers have an @': inObjects('identifier', (each) => ({ ...each, identifier: `@${each.identifier}` })),
};

export const MESSAGE_PLANTS: readonly Plant[] = [
  { id: `${ROUTE}: it is not done`, route: ROUTE, isUndone: true },
  {
    ...{ id: `${ROUTE} as other: treated as the author`, route: ROUTE },
    toReply: (reply, { sender, asAuthor }) => (sender === 'other' ? asAuthor() : reply),
  },
  {
    ...{ id: `${ROUTE}: a GET opens a stream`, route: ROUTE, isEverywhere: true },
    toReply: (reply, { url }) =>
      url.pathname === '/v3/mcp' && reply.status === 405 ? { ...reply, status: 200 } : reply,
  },
  ...Object.entries(CHANGES).map(([what, toReply]): Plant => ({ id: `${ROUTE}: ${what}`, route: ROUTE, toReply })),
];
