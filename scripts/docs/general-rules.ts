import type { Rules } from '#engine/api/route.js';

/** The rules of all operations. */
export const GENERAL_RULES: Required<Rules> = {
  specification: [
    'bearer: Tokens come as `Authorization: Bearer <token>`.',
    'pages: `limit` is the number of items, `offset` the number of items to skip; `since` and `until` define a window of time.',
    'text: A val has the code and the readme that were sent, with all characters.',
  ],
  record: [
    'keys: Objects have exactly the keys of November 2024: one published client requires each of them and rejects others. Their web addresses have the documented forms.',
    'token: The token is everything after `Bearer `, spaces included.',
    'links: A list is `{ data, links }` with absolute links. `next` and `prev` are absent, not null, if there is no such page.',
    'bounds: `limit` is 1 to 100, by default 20; `offset` is 0 by default. Parameters that documents require but give a default are optional. Unknown parameters and fields are ignored.',
    'time: Times in responses are UTC with milliseconds. `since` is exclusive, `until` inclusive.',
    'changed: createdAt is the time of the creation. updatedAt of a branch or a file is the time of its last change. The type of an author is `user` or `org`.',
    "validation: Requests are validated by Ajv with the options of the service's framework, Fastify. A value that does not match its schema, even after coercion, is a 400 with Ajv's message: `querystring/limit must be <= 100`.",
    'uuid: An id is a UUID of any version; other values are a 400.',
    'slash: A path may end with a slash. A GET or DELETE may declare its empty body as JSON.',
    'scopes: A token has scopes: `val`, `user`, `blob`, `sqlite` and `email`, each `:read` or `:write`, and `telemetry:read`. OAuth has other names for them. Without the scope of a request, the message is `Token does not have the required permissions`.',
    'standard-modules: The standard modules `std/sqlite`, `std/blob` and `std/email` work: requests as they send them are accepted, and responses have what they read.',
    'username: The username of a user who has not chosen one is null. An @ before a name in a path is ignored.',
  ],
  chosen: [
    'error: Errors are `{ message, error, statusCode }`, as Fastify writes them, with `code` where Fastify has one. All known clients find the keys that they read.',
    'unknown-token: An unknown token is a 401 on every route, also where no token is required. So is any scheme but Bearer, in upper or lower case. Authentication comes before validation.',
    'missing-scope: A missing scope is a 403, right after the 401 of an unknown token. Profiles need `user:read`. Vals, runs, likes, comments and references need `val:read` or `val:write`. Blobs, emails and SQL need the scopes with their names; SQL that only reads needs `sqlite:read`.',
    'write-scope: write includes read. `project_rw` of OAuth is about the vals of /v2, `val_r` and `val_rw` about those of /v1. A val scope of a token is about both. openid, profile, email and offline_access allow nothing here. A request without a token needs no scope.',
    'hidden: Anything that the caller may not see or change is a 404, never a 403. The response equals that for an unknown id, so it does not reveal that the val exists.',
    'edges: Lists are newest first, as feeds are. An `offset` past the end is an empty page, and so is a window that ends before it begins. `prev` is a whole page back, or 0. Links keep all parameters and change only `offset`.',
    'body: Bodies have at most 1 MiB (413 beyond) and are JSON in UTF-8 (415 for others), as with Fastify. That holds for a body of a DELETE as well.',
    "headers: Responses are `application/json; charset=utf-8`, and pages of any origin may read them, errors too. They have no Cache-Control. The rate limit is off by default; its headers have the names of Fastify's plugin.",
    'head: A HEAD has the status and headers of the GET, and no body. A preflight needs no token, and allows each method and the headers that it names.',
    'readme: An empty readme stays empty; a val without a readme has null.',
    'project-page: The page of a project is `https://www.val.town/x/{owner}/{name}`, and the page of a branch is below it, at `branch/{name}`.',
    'file-page: The page of a file is below the page of its branch, at `code/{path}`, and its module is `https://esm.town/v/{owner}/{project}@{version}-{branch}/{path}`. A file of the type http has the endpoint `https://{owner}--{id}.web.val.run/`, and a file of the type email the address `{owner}.{id}@valtown.email`.',
    'no-username: Web addresses of an account without a username use its id.',
  ],
};

/** The rules of the MCP server. No operation of the API has them. */
export const TOOL_RULES: Required<Rules> = {
  specification: [],
  record: [
    'message: JSON-RPC messages come by POST. A client may call a tool at once, without a handshake and without a session.',
    'response: The response is a message, or an event stream that has it.',
    'no-token: Without a valid token the response is a 401, whose WWW-Authenticate leads to the metadata of the resource.',
    'names: The tools have the names that published clients call, and take the arguments that they send.',
    'arguments: Arguments are not coerced. What is wrong with them is a result with `isError`.',
    'result: A result has the keys that published clients read.',
    'not-found: What is not found is a result with `isError`. A missing file is `File not found`, and the message for a blob contains `not found`.',
    'stores: A val has a database and a store of blobs, apart from the account.',
    'owner: Only the owner of a val changes it, and others see none that is private.',
  ],
  chosen: [
    'ping: A ping has an empty result. A notification is a 202 without a body. Another method than POST is a 405 with `Allow: POST`.',
    'malformed: A message that is not JSON is a 400, and so is an unknown version of the protocol. Another media type is a 415. A client that does not accept both media types of a response gets a 406. Their bodies are errors of JSON-RPC.',
    'unknown-method: An unknown method is the error -32601 of JSON-RPC, and an unknown tool the error -32602.',
    'changes: Tools change files, branches and environment variables as the routes of /v2 do, and what they return has the new values.',
    'refused: A tool that cannot do what it is asked changes nothing, and its result has `isError` and says why.',
    'scope: A tool needs the scope of the route that does the same. Without it the response is a 403.',
  ],
};
