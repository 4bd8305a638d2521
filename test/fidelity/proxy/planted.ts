import { STATUS_CODES } from 'node:http';
import { onTestFinished } from 'vitest';
import { createEmulator, type Fixtures } from '../../../src/index.js';
import { parseJsonIfValid } from '../../../src/lib/json.js';
import { valNotFound } from '../../support/errors.js';
import { serve } from './support.js';

export const ADA = 'ada00000-0000-4000-8000-000000000001';
export const HELLO = 'e1100000-c54b-11ef-b3a1-e6cdfca9ef9f';
const SECRET = '5ec00000-c54b-11ef-b3a1-e6cdfca9ef9f';
const RUN_AT = '2024-06-01T12:00:00.000Z';
const IMPORT = "import { hello } from 'https://esm.town/v/ada/hello';";

/** A val with two versions, a run and a comment; a private val; and one that depends on the first. */
export const PLANTED_FIXTURES: Fixtures = {
  users: [{ username: 'ada', id: ADA, email: 'ada@example.com', tier: 'pro' }, { username: 'grace' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: IMPORT, version: 1, versionCreatedAt: RUN_AT },
    { author: 'ada', name: 'secret', id: SECRET, code: '1', privacy: 'private' },
    { author: 'grace', name: 'greet', code: IMPORT, createdAt: RUN_AT },
  ],
  versions: [{ val: 'ada/hello', version: 0, code: '1', createdAt: '2024-05-01T00:00:00Z' }],
  runs: [{ val: 'ada/hello', runStartAt: RUN_AT }],
  comments: [{ author: 'grace', val: 'ada/hello', comment: 'Nice', createdAt: RUN_AT }],
};

export interface Call {
  readonly method?: string;
  readonly body?: object;
  readonly path: string;
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for none. */
  readonly body: unknown;
}

/** A difference from the emulator: a call, the change of its response, and the finding. */
type Difference = readonly [
  call: Call,
  change: (reply: Reply, readAsAda: (path: string) => Promise<unknown>) => Partial<Reply> | Promise<Partial<Reply>>,
  found: string,
];

const toError = (status: number) => () => {
  const error = STATUS_CODES[status];
  return { status, body: { message: error, error, statusCode: status } };
};
/** Changes keys of a body. */
const edit =
  (change: (body: ReturnType<typeof Object>) => object) =>
  ({ body }: Reply) => ({ body: { ...Object(body), ...change(Object(body)) } });
const MY_RUNS = `/v1/me/runs?until=${RUN_AT}`;
const VAL_RUNS = `/v1/vals/${HELLO}/runs`;

export const DIFFERENCES: readonly Difference[] = [
  [{ path: '/v1/me' }, edit(() => ({ tier: undefined })), 'getMe/key/$.tier'],
  [{ path: `/v1/users/${ADA}` }, edit(() => ({ email: 'ada@example.com' })), 'getUser/key/$.email'],
  [
    { path: '/v1/me/references' },
    edit(({ data }) => ({ data: data.map((item: object) => ({ ...item, referencedAt: null })) })),
    'listMyReferences/type/$.data[].referencedAt',
  ],
  [
    { path: '/v1/me/comments' },
    edit(({ data: [{ val, ...item }] }) => ({ data: [{ ...item, val: { ...val, version: '1' } }] })),
    'listMyComments/type/$.data[].val.version',
  ],
  [
    { path: '/v1/me/comments?relationship=received' },
    edit(({ links }) => ({ links: { self: links.self.replace('relationship=received&', '') } })),
    'listMyComments/links/$.links',
  ],
  [
    { path: `/v1/vals/${HELLO}` },
    edit(({ referenceCount }) => ({ referenceCount: referenceCount + 1 })),
    'getVal/value/$.referenceCount',
  ],
  [
    { path: `/v1/vals/${HELLO}/versions` },
    edit(({ data }) => ({ data: data.toReversed() })),
    'listValVersions/order/$.data',
  ],
  [
    { path: `${VAL_RUNS}?since=${RUN_AT}` },
    async ({ body }, read) => ({ body: { ...Object(body), data: Object(await read(VAL_RUNS)).data } }),
    'listValRuns/items/$.data',
  ],
  [{ path: MY_RUNS }, edit(({ data }) => ({ data: data.slice(1) })), 'listMyRuns/items/$.data'],
  [
    { path: `/v1/users/${ADA}/vals?limit=101` },
    async (_, read) => ({ status: 200, body: await read(`/v1/users/${ADA}/vals?limit=100`) }),
    'listUserVals/status/200-not-400',
  ],
  [
    { path: `/v1/vals/${SECRET}`, as: 'grace' },
    async (_, read) => ({ status: 200, body: await read(`/v1/vals/${SECRET}`) }),
    'getVal/status/200-not-404',
  ],
  [
    { path: '/v1/search/vals?query=secret' },
    async ({ body }, read) => {
      const { data } = Object(await read(`/v1/users/${ADA}/vals`));
      return { body: { ...Object(body), data: data.filter(({ id }: { id: string }) => id === SECRET) } };
    },
    'searchVals/items/$.data',
  ],
  [{ path: VAL_RUNS, as: 'grace' }, toError(403), 'listValRuns/status/403-not-404'],
  [{ path: '/v1/me', headers: { authorization: 'bearer ada-token' } }, toError(401), 'getMe/status/401-not-200'],
  [{ path: '/v1/alias/ada/HELLO' }, () => ({ status: 404, body: valNotFound }), 'getValByAlias/status/404-not-200'],
];
export const CALLS = DIFFERENCES.map(([call]) => call);

export const toHeaders = ({ as = 'ada', body, headers }: Call): Record<string, string> => ({
  ...{ authorization: `Bearer ${as}-token`, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...headers,
});

/** Starts an emulator behind a server that changes the response to each call. Returns the URL of the server. */
export async function servePlanted(): Promise<string> {
  const emulator = await createEmulator({ fixtures: PLANTED_FIXTURES, listen: false });
  onTestFinished(() => emulator.close());
  const readReply = async (url: string, init: RequestInit): Promise<Reply> => {
    const response = await emulator.fetch(url, init);
    const headers = new Headers([...response.headers]);
    return { status: response.status, headers, body: parseJsonIfValid(await response.text()) };
  };
  return serve(async ({ url = '', headers: { host, authorization = '' } }, response) => {
    const base = `http://${host}`;
    const reply = await readReply(base + url, { headers: { authorization } });
    const planted = DIFFERENCES.find(([call]) => call.path === url && toHeaders(call).authorization === authorization);
    const readAsAda = async (path: string) => (await readReply(base + path, { headers: toHeaders({ path }) })).body;
    const changed = { ...reply, ...(await planted?.[1](reply, readAsAda)) };
    changed.headers.delete('content-length');
    response.writeHead(changed.status, Object.fromEntries(changed.headers));
    response.end(changed.body === undefined ? undefined : JSON.stringify(changed.body));
  });
}
