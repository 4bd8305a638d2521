import {
  type Case,
  chosen,
  type Expectation,
  type JsonSchema,
  operation,
  type Rows,
  recorded,
  type Step,
} from '../case.js';
import { addFile, makeProject, PROJECT, readFile, VARIABLES } from './project-steps.js';
import { having, text, time } from './schemas.js';
import { MISSING_SCOPE } from './scopes.js';

// What is known of the service's MCP server comes from published clients, which send these arguments and read these keys.

const MCP = 'POST /v3/mcp';
const ACCEPT = { accept: 'application/json, text/event-stream' };
const READ = { level: 'read' } as const;
const boolean = { type: 'boolean' };
/** A call of which the next request shows that it has changed nothing. */
const REFUSED = { status: 200 };

const sendMessage = (body: object, others: Partial<Step> = {}): Step => ({
  ...{ send: MCP, body: { jsonrpc: '2.0', ...body }, ...others },
  headers: { ...ACCEPT, ...others.headers },
});
const request = (method: string, params?: object, others?: Partial<Step>): Step =>
  sendMessage({ id: 1, method, ...(params && { params }) }, others);
/** Calls a tool. */
const call = (name: string, args: object = {}, others?: Partial<Step>): Step =>
  request('tools/call', { name, arguments: args }, others);
const LIST = request('tools/list');

/** The val `made`, as arguments name it. */
const VAL = '{me.username}/{made.name}';
const on = (name: string, args: object = {}, others?: Partial<Step>): Step => call(name, { val: VAL, ...args }, others);
const STORAGE = { storage: { type: 'val', val: VAL } };
const DATABASE = { database: { type: 'val', val: VAL } };
const FILE = { path: 'a.ts' };
const MADE = [makeProject(), addFile('a.ts')];

const message = (properties: Readonly<Record<string, unknown>>): Expectation => ({
  ...{ status: 200, body: having({ jsonrpc: '2.0', id: 1, ...properties }) },
});
/** A call that has done what it says. @param data what it returns has these values */
const returns = (data: Readonly<Record<string, unknown>> = {}): Expectation =>
  message({ result: { allOf: [having({ structuredContent: having(data) }), { not: having({ isError: true }) }] } });
/** A call that is refused. @param pattern of its text */
const refuses = (pattern: string): Expectation =>
  message({
    result: having({ isError: true, content: containing({ type: 'text', text: { ...text, pattern } }) }),
  });
const containing = (properties: Readonly<Record<string, unknown>>): JsonSchema => ({
  ...{ type: 'array', contains: having(properties) },
});
/** An error of the protocol. */
const protocolError = (code: number, status = 200): Expectation => ({
  ...{ status, body: having({ jsonrpc: '2.0', error: having({ code, message: text }) }) },
});

/** The arguments of each tool that published clients send. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  list_orgs: [],
  list_vals: ['limit', 'offset', 'sortBy', 'sortOrder', 'name', 'updatedAfter', 'updatedBefore'],
  get_val_detail: ['val'],
  create_val: ['initialFile'],
  update_val: ['val', 'privacy'],
  delete_val: [],
  remix_val: [],
  list_files: ['val', 'path', 'branch'],
  read_file: ['val', 'path', 'branch', 'show_line_numbers'],
  create_file: ['fileType'],
  update_file: ['run'],
  replace_in_file: ['old_string', 'run'],
  insert_at_line: [],
  rename_file: [],
  delete_file: [],
  run_file: ['val', 'path', 'branch'],
  fetch_val_endpoint: ['val', 'path', 'pathname', 'search'],
  get_logs: ['fileId', 'end', 'traceIds'],
  get_traces: ['fileId'],
  read_interval_settings: ['val', 'path', 'branch'],
  write_interval_settings: ['val', 'path', 'intervalConfig'],
  get_val_history: ['val', 'limit', 'offset', 'branch'],
  revert_to_version: [],
  list_branches: [],
  sqlite_execute: ['sql', 'database', 'mode'],
  sqlite_batch: ['statements'],
  listBlobs: ['storage', 'prefix'],
  readBlob: ['key', 'storage'],
  storeBlob: ['key', 'content', 'storage'],
  deleteBlob: [],
  list_env_vars: [],
  set_custom_subdomain: ['val', 'path', 'subdomain'],
  set_http_privacy: [],
  list_allowed_users: [],
  add_allowed_user: [],
  remove_allowed_user: [],
  create_bypass_token: [],
  list_bypass_tokens: [],
  revoke_bypass_token: [],
  find_val_town_skills: ['query', 'limit'],
  find_templates: [],
};

const listed: Rows = Object.fromEntries(
  Object.entries(TOOLS).map(([name, names]) => {
    const properties = having(Object.fromEntries(names.map((each) => [each, {}])));
    const item = { name, inputSchema: having({ type: 'object', ...(names.length > 0 && { properties }) }) };
    const title = names.length === 0 ? 'The tools have' : `These arguments are taken (${names.join(', ')}) by`;
    return [`list-${name}: ${title} ${name}`, [LIST, message({ result: having({ tools: containing(item) }) }), READ]];
  }),
);

const INITIALIZE = {
  ...{ protocolVersion: '2025-06-18', capabilities: {} },
  clientInfo: { name: 'val-emulator conformance', version: '1' },
};
const IS_MESSAGE = { 'content-type': '^(?:text/event-stream|application/json)' };
const CHALLENGE = {
  status: 401,
  headers: { 'www-authenticate': '^Bearer .*resource_metadata="[^"]+/\\.well-known/oauth-protected-resource' },
};
const PING = request('ping');

const transport = [
  recorded('message', {
    'initialize: A handshake returns the version, the capabilities and the name of the server': [
      request('initialize', INITIALIZE),
      message({
        result: having({
          ...{
            protocolVersion: { ...text, pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
            capabilities: having({ tools: {} }),
          },
          serverInfo: having({ name: text, version: text }),
        }),
      }),
      READ,
    ],
    'no-handshake: The tools are listed without one': [
      LIST,
      message({ result: having({ tools: { type: 'array', minItems: 1 } }) }),
      READ,
    ],
    'call: A tool is called without one': [call('list_orgs'), returns(), READ],
  }),
  recorded('response', {
    'message: A call has the media type of one of both': [
      call('list_orgs'),
      { status: 200, headers: IS_MESSAGE },
      READ,
    ],
    'text: The result has text content as well, for clients that read no structured content': [
      call('list_orgs'),
      message({ result: having({ content: containing({ type: 'text', text }) }) }),
      READ,
    ],
  }),
  recorded('no-token', {
    'no-token: A message without a token is a 401 with the address': [
      request('ping', undefined, { as: 'anonymous' }),
      CHALLENGE,
      READ,
    ],
    'unknown-token: So is one with an unknown token': [request('ping', undefined, { as: 'unknown' }), CHALLENGE, READ],
    'metadata: The metadata names the resource, its authorization servers and the scopes': [
      { send: 'GET /.well-known/oauth-protected-resource', as: 'anonymous' },
      {
        status: 200,
        body: having({
          resource: { ...text, format: 'uri' },
          authorization_servers: { type: 'array', minItems: 1, items: { ...text, format: 'uri' } },
          scopes_supported: {
            type: 'array',
            allOf: [{ contains: { const: 'project_rw' } }, { contains: { const: 'user_r' } }],
          },
        }),
      },
    ],
  }),
  chosen('ping', {
    'ping: A ping has an empty result': [PING, message({ result: { const: {} } }), READ],
    'notification: A notification is a 202 without a body': [
      sendMessage({ method: 'notifications/initialized' }),
      { status: 202, body: 'none' },
      READ,
    ],
    ...Object.fromEntries(
      ['GET', 'DELETE'].map((method) => [
        `${method.toLowerCase()}: A ${method} is a 405 that allows POST`,
        [
          { send: `${method} /v3/mcp`, headers: ACCEPT },
          { ...protocolError(-32_000, 405), headers: { allow: '^POST$' } },
        ],
      ]),
    ),
  }),
  chosen('malformed', {
    'malformed: A message that is not JSON is the error -32700': [
      { send: MCP, headers: ACCEPT, text: '{' },
      protocolError(-32_700, 400),
      READ,
    ],
    'media-type: Another media type is a 415': [
      request('ping', undefined, { headers: { 'content-type': 'text/plain' } }),
      protocolError(-32_000, 415),
      READ,
    ],
    'accept: A client that accepts JSON alone gets a 406': [
      request('ping', undefined, { headers: { accept: 'application/json' } }),
      protocolError(-32_000, 406),
      READ,
    ],
    'version: An unknown version of the protocol is a 400': [
      request('ping', undefined, { headers: { 'mcp-protocol-version': '1999-01-01' } }),
      protocolError(-32_000, 400),
      READ,
    ],
  }),
  chosen('unknown-method', {
    'unknown-method: An unknown method is the error -32601': [request('tools/lists'), protocolError(-32_601), READ],
    'unknown-tool: An unknown tool is the error -32602': [call('conformance_unknown'), protocolError(-32_602), READ],
  }),
];

const WINDOW = { timeWindow: having({ start: text, end: text }), count: 0, truncated: false };

const reads = [
  recorded('names', listed),
  recorded('arguments', {
    'number-as-text: A number that is sent as a string is refused': [
      call('list_vals', { limit: '2' }),
      refuses('limit: .*expected number, received string'),
      READ,
    ],
  }),
  recorded('result', {
    'list_orgs: The organizations have ids, handles and roles': [
      call('list_orgs'),
      returns({
        user: having({ id: '{me.id}', handle: text }),
        orgs: {
          ...{ type: 'array', minItems: 1 },
          items: having({ id: text, handle: text, displayName: {}, tier: {}, role: {}, isPersonal: boolean }),
        },
      }),
      READ,
    ],
    'list_vals: A val of the list has the values of /v2': [
      [makeProject(), call('list_vals', { name: '{made.name}' })],
      returns({
        ...{ user: having({ id: '{me.id}' }), count: 1, hasMore: false },
        vals: containing({
          ...{ id: '{made.id}', name: '{made.name}', identifier: VAL, privacy: 'public', httpPrivacy: 'public' },
          ...{ description: '{made.description}', createdAt: '{made.createdAt}' },
          ...{ author: having({ id: '{me.id}', username: '{me.username}' }), links: having({ html: text }) },
        }),
      }),
    ],
    'list_vals-limit: A list has as many vals as limit says, and shows that there are more': [
      [makeProject(), makeProject({ name: '{new.b}' }), call('list_vals', { limit: 1 })],
      returns({ count: 1, hasMore: true, vals: { type: 'array', minItems: 1, maxItems: 1 } }),
    ],
    'get_val_detail: A val has its owner, its address and its branches': [
      [...MADE, on('get_val_detail')],
      returns({
        ...{ identifier: VAL, name: '{made.name}', privacy: 'public', httpPrivacy: 'public' },
        ...{ createdAt: '{made.createdAt}', author: having({ username: '{me.username}' }), htmlUrl: text },
        branches: having({ count: 1, items: containing({ name: 'main', version: 1, updatedAt: text }) }),
      }),
    ],
    'list_files: A file has the id, path, type and version of /v2': [
      [...MADE, on('list_files')],
      returns({
        ...{ val: VAL, branch: 'main', path: '', count: 1 },
        files: containing({ id: '{file.id}', name: 'a.ts', path: 'a.ts', type: 'script', version: 1, updatedAt: time }),
      }),
    ],
    'list_files-directory: The files of directories are not in the list': [
      [makeProject(), addFile('b/c.ts'), on('list_files')],
      returns({ count: 1, files: containing({ path: 'b', type: 'directory' }) }),
    ],
    'read_file: A file is read without the numbers of its lines': [
      [...MADE, on('read_file', { ...FILE, show_line_numbers: false })],
      returns({ content: '1', fileType: 'script' }),
    ],
    'get_val_history: The latest version comes first': [
      [...MADE, addFile('b.ts'), on('get_val_history', { limit: 1 })],
      returns({
        ...{ val: VAL, branch: 'main', branchVersion: 2 },
        pagination: having({ offset: 0, limit: 1, hasNext: true, returned: 1 }),
        history: { type: 'array', items: having({ id: text, version: 2, createdAt: time }), minItems: 1, maxItems: 1 },
      }),
    ],
    'get_logs: A new file has no logs': [
      [...MADE, call('get_logs', { fileId: '{file.id}' })],
      returns({ fileId: '{file.id}', ...WINDOW, logs: { const: [] } }),
    ],
    'get_traces: It has no traces': [
      [...MADE, call('get_traces', { fileId: '{file.id}' })],
      returns({ fileId: '{file.id}', fileName: text, ...WINDOW, traces: { const: [] } }),
    ],
    'find_val_town_skills: The skills have the query': [
      call('find_val_town_skills', { query: 'conformance' }),
      returns({ query: 'conformance', matches: { type: 'array' } }),
      READ,
    ],
  }),
  recorded('not-found', {
    'no-directory: A directory that is not there is refused': [
      [...MADE, on('list_files', { path: 'unknown' })],
      refuses('File not found'),
    ],
    'no-file: So is a file': [[...MADE, on('read_file', { path: 'b.ts' })], refuses('File not found')],
    'no-blob: So is a blob': [[makeProject(), call('readBlob', { key: 'a', ...STORAGE })], refuses('[nN]ot found')],
    'no-val: So is a val': [call('get_val_detail', { val: '{me.username}/unknown-{hex}' }), refuses('.'), READ],
  }),
  recorded('stores', {
    'sqlite: What a statement writes is read by the next one': [
      [
        makeProject(),
        call('sqlite_execute', { sql: 'CREATE TABLE {new.a} (id)', ...DATABASE }),
        call('sqlite_execute', { sql: 'INSERT INTO {new.a} VALUES (7)', ...DATABASE }),
        call('sqlite_execute', { sql: 'SELECT id FROM {new.a}', ...DATABASE }),
      ],
      returns({ columns: { const: ['id'] }, rows: { enum: [[[7]], [{ id: 7 }]] } }),
    ],
    'sqlite-read: The mode read refuses to write': [
      [makeProject(), call('sqlite_execute', { sql: 'CREATE TABLE {new.a} (id)', mode: 'read', ...DATABASE })],
      refuses('.'),
    ],
    'sqlite-error: A wrong statement is refused': [
      [makeProject(), call('sqlite_execute', { sql: 'SELECT * FROM {new.a}', ...DATABASE })],
      refuses('no such table: {new.a}'),
    ],
    'sqlite-apart: The account has no table of a val': [
      [
        makeProject(),
        call('sqlite_execute', { sql: 'CREATE TABLE {new.a} (id)', ...DATABASE }),
        { send: 'POST /v1/sqlite/execute', body: { statement: 'SELECT * FROM {new.a}' } },
      ],
      { status: 400 },
    ],
    'blob: A blob that was stored is read': [
      [
        makeProject(),
        call('storeBlob', { key: 'a', content: 'é', ...STORAGE }),
        call('readBlob', { key: 'a', ...STORAGE }),
      ],
      returns({ content: 'é', size: 2 }),
    ],
    'listBlobs: It is in the list': [
      [
        makeProject(),
        call('storeBlob', { key: 'a', content: 'é', ...STORAGE }),
        call('storeBlob', { key: 'b', content: '1', ...STORAGE }),
        call('listBlobs', { prefix: 'a', ...STORAGE }),
      ],
      returns({ count: 1, blobs: containing({ key: 'a', size: 2, lastModified: time }) }),
    ],
    'blob-apart: The account has no blob of a val': [
      [makeProject(), call('storeBlob', { key: '{new.a}', content: '1', ...STORAGE }), 'GET /v1/blob/{new.a}'],
      404,
    ],
  }),
];

const HEX = { status: 200, hex: Buffer.from('const b = 2;').toString('hex') };
const NEW_FILE = { path: 'b.ts', content: 'const b = 2;' };
const CREATE = on('create_file', NEW_FILE);
const DRAFT = on('create_branch', { name: 'draft' });
const CREATE_ON_DRAFT = on('create_file', { ...NEW_FILE, branch: 'draft' });

const writes = [
  chosen('changes', {
    'create_val: A val is created, with a file': [
      [
        call('create_val', {
          name: '{new.a}',
          privacy: 'public',
          initialFile: { path: 'b.ts', content: 'const b = 2;' },
        }),
        { send: 'GET /v2/alias/vals/{me.username}/{new.a}', save: 'made' },
        readFile('b.ts'),
      ],
      HEX,
    ],
    'create_val-result: It returns what get_val_detail does': [
      call('create_val', { name: '{new.a}', privacy: 'public', description: 'A' }),
      returns({ identifier: '{me.username}/{new.a}', privacy: 'public', httpPrivacy: 'public', description: 'A' }),
    ],
    'update_val: A val gets another description': [
      [makeProject(), on('update_val', { description: 'B' }), `GET ${PROJECT}`],
      { status: 200, body: having({ description: 'B', privacy: 'public' }) },
    ],
    'delete_val: A val is deleted': [[makeProject(), on('delete_val'), `GET ${PROJECT}`], 404],
    'remix_val: A remix has the files of a val': [
      [
        ...MADE,
        on('remix_val', { name: '{new.b}', privacy: 'public' }),
        call('read_file', { val: '{me.username}/{new.b}', ...FILE, show_line_numbers: false }),
      ],
      returns({ content: '1' }),
    ],
    'create_file: A file is created': [[makeProject(), CREATE, readFile('b.ts')], HEX],
    'create_file-result: It returns the file': [
      [makeProject(), CREATE],
      returns({ id: text, path: 'b.ts', type: 'script', version: 1 }),
    ],
    'create_file-http: A file that has an endpoint returns it': [
      [makeProject(), on('create_file', { path: 'b.ts', content: '1', fileType: 'http' })],
      returns({ type: 'http', links: having({ endpoint: { ...text, format: 'uri' } }) }),
    ],
    'update_file: A file gets another text': [
      [...MADE, on('update_file', { ...FILE, content: 'const b = 2;' }), readFile('a.ts')],
      HEX,
    ],
    'replace_in_file: A part of a file is replaced': [
      [
        makeProject(),
        addFile('a.ts', { content: 'const a = 2;' }),
        on('replace_in_file', { ...FILE, old_string: 'a =', new_string: 'b =' }),
        readFile('a.ts'),
      ],
      HEX,
    ],
    'insert_at_line: Lines are inserted': [
      [...MADE, on('insert_at_line', { ...FILE, line: 1, content: '2' }), readFile('a.ts')],
      { status: 200, hex: Buffer.from('2\n1').toString('hex') },
    ],
    'rename_file: A file keeps its id under another path': [
      [...MADE, on('rename_file', { ...FILE, newPath: 'c.ts' }), 'GET /v2/files/{file.id}'],
      { status: 200, body: having({ id: '{file.id}', path: 'c.ts' }) },
    ],
    'delete_file: A file is deleted': [[...MADE, on('delete_file', FILE), readFile('a.ts')], 404],
    'line-numbers: The lines of a file have numbers, unless they are unwanted': [
      [...MADE, on('read_file', FILE)],
      returns({ content: '1: 1' }),
    ],
    'create_branch: A branch has the files of main': [
      [...MADE, DRAFT, on('read_file', { ...FILE, branch: 'draft', show_line_numbers: false })],
      returns({ content: '1' }),
    ],
    'branch: A change on a branch is not in main': [[...MADE, DRAFT, CREATE_ON_DRAFT, readFile('b.ts')], 404],
    'list_branches: The branches are listed': [
      [...MADE, DRAFT, on('list_branches')],
      returns({ count: 2, items: { allOf: [containing({ name: 'main' }), containing({ name: 'draft' })] } }),
    ],
    'merge_branch: A merge brings the files of a branch to main': [
      [...MADE, DRAFT, CREATE_ON_DRAFT, on('merge_branch', { branch: 'draft' }), readFile('b.ts')],
      HEX,
    ],
    'revert_to_version: A branch has the files of an earlier version again': [
      [
        ...MADE,
        addFile('b.ts'),
        { ...on('get_val_history'), save: 'history' },
        on('revert_to_version', { branchId: '{history.result.structuredContent.branchId}', version: 1 }),
        readFile('b.ts'),
      ],
      404,
    ],
    'set_env_var: An environment variable is set, and set again': [
      [
        makeProject(),
        on('set_env_var', { key: 'KEY', value: '1' }),
        on('set_env_var', { key: 'KEY', value: '2', description: 'B' }),
        `GET ${VARIABLES}`,
      ],
      { status: 200, body: having({ data: { ...containing({ key: 'KEY', description: 'B' }), maxItems: 1 } }) },
    ],
    'list_env_vars: The variables are listed, without their values': [
      [makeProject(), on('set_env_var', { key: 'KEY', value: 'conformance-value' }), on('list_env_vars')],
      {
        status: 200,
        body: having({
          result: having({
            structuredContent: having({
              count: 1,
              variables: { ...containing({ key: 'KEY' }), items: { not: { required: ['value'] } } },
            }),
          }),
        }),
      },
    ],
    'deleteBlob: A blob is deleted': [
      [
        makeProject(),
        call('storeBlob', { key: 'a', content: '1', ...STORAGE }),
        call('deleteBlob', { key: 'a', ...STORAGE }),
        call('readBlob', { key: 'a', ...STORAGE }),
      ],
      refuses('[nN]ot found'),
    ],
    'sqlite_batch: A batch is one transaction': [
      [
        makeProject(),
        call('sqlite_execute', { sql: 'CREATE TABLE {new.a} (id)', ...DATABASE }),
        call(
          'sqlite_batch',
          { statements: [{ sql: 'INSERT INTO {new.a} VALUES (1)' }, { sql: 'SELECT x' }], ...DATABASE },
          REFUSED,
        ),
        call('sqlite_execute', { sql: 'SELECT count(*) AS n FROM {new.a}', ...DATABASE }),
      ],
      returns({ rows: { enum: [[[0]], [{ n: 0 }]] } }),
    ],
  }),
  chosen('refused', {
    'exists: create_file refuses a path in use': [
      [...MADE, on('create_file', { ...FILE, content: '2' })],
      refuses('exists'),
    ],
    'exists-kept: The file has its text then': [
      [...MADE, on('create_file', { ...FILE, content: '2' }, REFUSED), readFile('a.ts')],
      { status: 200, hex: '31' },
    ],
    'absent: replace_in_file refuses a string that the file lacks': [
      [...MADE, on('replace_in_file', { ...FILE, old_string: 'x', new_string: 'y' })],
      refuses('old_string'),
    ],
    'twice: It refuses one that the file has twice': [
      [
        makeProject(),
        addFile('a.ts', { content: 'a a' }),
        on('replace_in_file', { ...FILE, old_string: 'a', new_string: 'b' }),
      ],
      refuses('old_string'),
    ],
    'name: create_val refuses a name in use': [
      [makeProject(), call('create_val', { name: '{made.name}', privacy: 'public' })],
      refuses('exists'),
    ],
  }),
  recorded('owner', {
    'second: The second account cannot change a file': [
      [...MADE, on('update_file', { ...FILE, content: '2' }, { as: 'second' })],
      refuses('.'),
    ],
    'second-kept: The file has its text then': [
      [...MADE, on('update_file', { ...FILE, content: '2' }, { as: 'second', ...REFUSED }), readFile('a.ts')],
      { status: 200, hex: '31' },
    ],
    'second-private: It does not see a private val': [
      [makeProject({ privacy: 'private' }), addFile('a.ts'), on('read_file', FILE, { as: 'second' })],
      refuses('.'),
    ],
    'second-public: It sees a public one': [
      [...MADE, on('read_file', { ...FILE, show_line_numbers: false }, { as: 'second' })],
      returns({ content: '1' }),
    ],
  }),
  chosen('scope', {
    'no-scope: A token without the scope of vals lists none': [
      call('list_vals', {}, { as: 'limited' }),
      { status: 403, body: having({ message: MISSING_SCOPE }) },
      READ,
    ],
    'read-scope: A token that may read lists them': [call('list_vals', {}, { as: 'reader' }), returns(), READ],
    'write-scope: It creates none': [
      call('create_val', { name: '{new.a}', privacy: 'public' }, { as: 'reader' }),
      { status: 403, body: having({ message: MISSING_SCOPE }) },
    ],
    'write-scope-file: It changes no file': [
      [...MADE, on('update_file', { ...FILE, content: '2' }, { as: 'reader' })],
      { status: 403, body: having({ message: MISSING_SCOPE }) },
    ],
  }),
];

/** The MCP server of the service: its protocol, and what its tools do. */
export const mcpCases: readonly Case[] = operation('mcp', MCP, [...transport, ...reads, ...writes]);
