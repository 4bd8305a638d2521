import { LOOPBACK, type Network, prefixOf, read } from './client.js';
import { checkLinearizability } from './linearizability.js';
import { CLEARING, keyOf, SandboxModel } from './model.js';
import { type Recorded, SANDBOXES } from './traffic.js';

const describe = ({ input, output, marker, call, return: end, sandbox }: Recorded): string => {
  const { method, path, user, body, wanted, number } = input;
  const sent = JSON.stringify({ user, body, wanted });
  const times = `${call.toFixed(1)}–${end === Number.POSITIVE_INFINITY ? '?' : end.toFixed(1)}`;
  return `${times} ${sandbox} ${marker}${number === undefined ? '' : `=r${number}`} ${method} ${path} ${sent} -> ${output ? JSON.stringify(output) : 'unknown'}`;
};

/** Drops requests without a response that no journal has, if nothing has emptied the journal since their call. */
function withoutLost(operations: readonly Recorded[]): Recorded[] {
  const cleared = operations.filter(({ input }) => CLEARING.has(input.route)).map((each) => each.return);
  const last = Math.max(0, ...cleared);
  return operations.filter(
    ({ input, call, return: end }) =>
      input.user === undefined || input.number !== undefined || Number.isFinite(end) || call < last,
  );
}

/** Checks the history of each sandbox. @throws Error for one that is not linearizable @returns the steps it took */
export function checkHistories(operations: readonly Recorded[], ids: readonly string[]): number {
  const model = new SandboxModel(ids);
  let steps = 0;
  for (const sandbox of SANDBOXES) {
    const history = withoutLost(operations.filter((operation) => operation.sandbox === sandbox));
    const verdict = checkLinearizability({ ...model, key: keyOf }, history);
    steps += verdict.steps;
    if (verdict.isLinearizable) continue;
    const list = (some: readonly object[]) =>
      some.flatMap((each) => history.find((other) => other === each) ?? []).map((each) => `    ${describe(each)}`);
    const expected = verdict.stuck.map(({ input }) => JSON.stringify(model.respond(verdict.state, input)[1]));
    throw new Error(
      [
        `the history of sandbox ${JSON.stringify(sandbox)} is ${verdict.isUndecided ? 'undecided' : 'not linearizable'}`,
        `  ${verdict.order.length} of ${history.length} operations have an order, in ${verdict.steps} steps; the last of them:`,
        ...list(verdict.order.slice(-12)),
        '  none of these can come next:',
        ...list(verdict.stuck).map((line, i) => `${line}; expected ${expected[i]}`),
      ].join('\n'),
    );
  }
  return steps;
}

// biome-ignore lint/suspicious/noExplicitAny: a document of the emulator
type Json = any;

/** What a client knows of a request that a journal may have. */
export type Sent = Pick<Recorded, 'sandbox' | 'marker' | 'call' | 'return' | 'text'> & {
  readonly output: { readonly status: number } | undefined;
};

/** Reads the journals of sandboxes, and checks each. @throws Error for the first one that is wrong */
export async function checkJournals(
  base: string,
  sandboxes: readonly string[],
  operations: readonly Sent[],
  network = LOOPBACK,
): Promise<void> {
  for (const sandbox of sandboxes) {
    const journal = await read(`${base}${prefixOf(sandbox)}/_emulator/requests`, network);
    checkJournal(sandbox, JSON.parse(journal), operations);
  }
}

/** Checks that a journal has each request at most once, in the order of time, with the response that was sent. */
function checkJournal(sandbox: string, journal: Json[], operations: readonly Sent[]): void {
  const sent = new Map(operations.filter((each) => each.sandbox === sandbox).map((each) => [each.marker, each]));
  const seen = new Map<string, string>();
  let latestCall: { readonly call: number; readonly id: string } = { call: 0, id: '' };
  for (const { id, request, response, status } of journal) {
    const marker: string = request.headers['x-marker'];
    const operation = sent.get(marker);
    const fail = (problem: string) =>
      new Error(`journal of sandbox ${JSON.stringify(sandbox)}, ${id} ${marker}: ${problem}`);
    if (!operation) throw fail('it was not sent');
    if (seen.has(marker)) throw fail(`it is also ${seen.get(marker)}`);
    seen.set(marker, id);
    if (operation.return < latestCall.call) throw fail(`it returned before ${latestCall.id} was called`);
    if (operation.call > latestCall.call) latestCall = { call: operation.call, id };
    if (!operation.output) continue;
    if (operation.output.status !== status)
      throw fail(`status ${status}, but the client got ${operation.output.status}`);
    const body = response.body === null ? '' : JSON.stringify(response.body);
    // The content of a file is a text, and so no JSON.
    if (body !== operation.text && response.body !== operation.text && !body.startsWith('"(dropped'))
      throw fail(`${body}, but the client got ${operation.text}`);
  }
}

const DOCUMENTS = [
  ...['state', 'state?tokens=true', 'users', 'history', 'snapshots', 'faults', 'clock', 'rate-limit', 'requests'],
  ...['summary', 'session'],
];

/** Removes how long requests took and how they ended, which their own node knows alone, and the checksums of such lines. */
const withoutEnds = (text: string): string =>
  text.replace(/"duration":[^,]+,|"outcome":[^,}]+,?/g, '').replace(/^[0-9a-f]{8} \d+:\d+:[0-9a-f]{8} /gm, '');

/** Reads all that a node shows of all sandboxes. */
export async function exportNode(base: string, network: Network): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  // Time of the last use, and the address of the node.
  const list: Json[] = JSON.parse(await read(`${base}/_emulator/sandboxes`, network));
  const records = list.map(({ url: _url, lastUse: _lastUse, ...others }) => others);
  all.set('sandboxes', JSON.stringify(records));
  for (const name of ['', ...records.map((each) => each.name)]) {
    for (const path of DOCUMENTS) {
      const text = await read(`${base}${prefixOf(name)}/_emulator/${path}`, network);
      all.set(`${name} ${path}`, withoutEnds(text).replaceAll(new URL(base).host, 'node'));
    }
  }
  return all;
}

/** Compares two exports. @param title names both @throws Error for the first difference */
export function assertSame(
  title: string,
  first: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): void {
  for (const key of new Set([...first.keys(), ...other.keys()])) {
    const [a = '(nothing)', b = '(nothing)'] = [first.get(key), other.get(key)];
    if (a === b) continue;
    let at = 0;
    while (a[at] === b[at]) at++;
    const part = (text: string) => text.slice(Math.max(0, at - 200), at + 200);
    throw new Error(`${title} differ in ${key} at ${at}:\n  ${part(a)}\n  ${part(b)}`);
  }
}

/** Compares all that nodes show. @throws Error for the first difference */
export async function compareNodes(bases: readonly string[], network = LOOPBACK): Promise<Map<string, string>> {
  const [first, ...others] = await Promise.all(bases.map((base) => exportNode(base, network)));
  if (!first) throw new Error('there is no node');
  for (const [i, other] of others.entries()) assertSame(`nodes 0 and ${i + 1}`, first, other);
  return first;
}
