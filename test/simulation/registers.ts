import { prefixOf } from '../cluster/client.js';
import { checkLinearizability, type Operation } from '../cluster/linearizability.js';
import { baseId } from '../cluster/model.js';
import { checkJournals, type Sent } from '../cluster/verdicts.js';
import { BALANCER, OTHER, type Plan, SANDBOXES, type World } from './world.js';

/** What a request does: sets a register, or counts. Undefined reads. */
interface Input {
  readonly value: string | undefined;
}

/** Something that clients write and read, by requests. */
interface Register {
  readonly name: string;
  write(value: string): readonly [method: string, path: string, body?: unknown];
  readonly read: readonly [method: string, path: string, body?: unknown];
  /** Returns what a response shows. */
  show(text: string): string;
  /** Returns the state after a write. Default: the value */
  next?(state: string): string;
}

const val = `/v1/vals/${baseId('ada')}`;
const PREFIX = prefixOf(OTHER);
const HEADERS = { authorization: 'Bearer ada-token' };
const REGISTERS: readonly Register[] = [
  ...['/v1/blob/a', `${PREFIX}/v1/blob/b`].map(
    (path): Register => ({
      name: path,
      write: (value) => ['POST', path, value],
      read: ['GET', path],
      show: (text) => (text.startsWith('"m') ? JSON.parse(text) : ''),
    }),
  ),
  {
    name: 'versions',
    write: (value) => ['POST', `${val}/versions`, { code: `// ${value}` }],
    read: ['GET', val],
    show: (text) => String(JSON.parse(text).version),
    next: (state) => String(Number(state) + 1),
  },
  {
    // Both rows or none.
    name: 'rows',
    write: (value) => {
      const rows = [1, 2].map((id) => ({ sql: 'INSERT OR REPLACE INTO pair VALUES (?, ?)', args: [id, value] }));
      return [
        'POST',
        `${PREFIX}/v1/sqlite/batch`,
        { statements: ['CREATE TABLE IF NOT EXISTS pair (id INTEGER PRIMARY KEY, v)', ...rows] },
      ];
    },
    read: ['POST', `${PREFIX}/v1/sqlite/execute`, { statement: 'SELECT v FROM pair' }],
    show: (text) => {
      const rows: unknown[][] = JSON.parse(text).rows ?? [];
      return rows[0]?.[0] === rows[1]?.[0] ? String(rows[0]?.[0] ?? '') : text;
    },
  },
];

/** Clients that write and read registers, and what they have seen. */
export class Registers {
  /** Whether faults are over. Until then, clients continue, more slowly. */
  isQuiet = false;
  readonly counts = { requests: 0, unknown: 0 };
  #values = 0;
  readonly #sent: Sent[] = [];
  readonly #world: World;
  /** What happened to a register before the first loss, between two, and after the last one. */
  readonly #histories = new Map(REGISTERS.map((register) => [register, [[]] as Operation<Input, string>[][]]));

  constructor(world: World) {
    this.#world = world;
  }

  /** Begins histories again, in a state that the registers had before: what was acknowledged last may be lost. */
  lose(): void {
    for (const spans of this.#histories.values()) spans.push([]);
  }

  async run({ clients, requests }: Plan): Promise<void> {
    const client = async () => {
      while (this.counts.requests < requests || !this.isQuiet) {
        if (this.counts.requests >= requests) await this.#world.sleep(this.#world.below(1_000));
        const register = REGISTERS[this.#world.below(REGISTERS.length)];
        const value = this.#world.below(3) === 0 ? undefined : `m${this.#values++}`;
        if (register) await this.#perform(register, value);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  /** Sends a request. @param value undefined reads */
  async #perform(register: Register, value: string | undefined): Promise<void> {
    const world = this.#world;
    const [method, path, body] = value === undefined ? register.read : register.write(value);
    const spans = this.#histories.get(register) ?? [];
    const span = spans.length - 1;
    const call = world.now();
    const marker = `r${this.counts.requests++}`;
    const headers = { ...HEADERS, 'x-marker': marker };
    const reply = await world.send({ method, url: BALANCER + path, headers, body, patience: 1_000 });
    const known = reply?.status === 503 ? undefined : reply;
    const sent = { call, return: known ? world.now() : Number.POSITIVE_INFINITY };
    this.#sent.push({
      ...sent,
      sandbox: path.startsWith(PREFIX) ? OTHER : '',
      marker,
      text: reply?.text,
      output: known,
    });
    // It is said not to be done.
    if (reply?.status === 503 && /Cannot write to|cannot be reached/.test(reply.text)) return;
    if (!known) this.counts.unknown++;
    const isLost = span < spans.length - 1;
    if (known && !isLost) {
      spans[span]?.push({
        ...sent,
        input: { value },
        output: value === undefined ? register.show(known.text) : 'done',
      });
    } else if (value !== undefined)
      spans[span]?.push({ call, return: Number.POSITIVE_INFINITY, input: { value }, output: undefined });
  }

  /** @throws Error for a history that one emulator could not have, a version that is older than the one before it, and a journal that is wrong */
  async check(): Promise<void> {
    for (const register of REGISTERS) await this.#perform(register, undefined);
    for (const [register, spans] of this.#histories) {
      for (const [i, operations] of spans.entries()) checkSpan(register, spans.slice(0, i).flat(), operations);
    }
    await checkJournals(BALANCER, SANDBOXES, this.#sent, this.#world);
    const url = `${BALANCER}${val}/versions?limit=100`;
    const reply = await this.#world.ask({ method: 'GET', url, headers: HEADERS });
    const versions: { readonly version: number; readonly createdAt: string }[] = JSON.parse(reply.text).data;
    const times = versions.sort((a, b) => a.version - b.version).map(({ createdAt }) => createdAt);
    if (times.join() !== times.toSorted().join()) throw new Error(`the time runs back: ${times}`);
  }
}

/** What a register has after a loss, before it is read. */
const UNKNOWN = '?';

/** @param earlier what happened before the last loss @throws Error for a history that one emulator could not have */
function checkSpan(
  { name, next }: Register,
  earlier: readonly Operation<Input, string>[],
  operations: readonly Operation<Input, string>[],
): void {
  const first = next ? '0' : '';
  const writes = earlier.flatMap(({ input: { value } }) => value ?? []);
  const mayBe = (output: string) =>
    next ? Number(output) <= writes.length + operations.length : [first, ...writes].includes(output);
  const { isLinearizable, stuck, state } = checkLinearizability(
    {
      initial: earlier.length > 0 ? UNKNOWN : first,
      step: (before: string, { value }: Input, output: string | undefined) => {
        if (value !== undefined && before === UNKNOWN && next) return before;
        if (value !== undefined) return next ? next(before) : value;
        return output === before || (before === UNKNOWN && mayBe(output ?? '')) ? output : undefined;
      },
      key: (each: string) => each,
    },
    // What has no response may happen later.
    [...earlier.filter(({ output }) => output === undefined), ...operations],
  );
  if (!isLinearizable)
    throw new Error(`${name} is ${JSON.stringify(state)}, but then ${JSON.stringify(stuck.slice(0, 3))}`);
}
