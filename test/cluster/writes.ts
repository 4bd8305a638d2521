import { setTimeout as sleep } from 'node:timers/promises';
import { LOOPBACK } from './client.js';
import { compareNodes } from './verdicts.js';

export const CLIENTS = 8;
/** Milliseconds between two writes of a client. */
const PAUSE_MS = 20;
const SANDBOXES = ['', 's1', 's2', 's3'] as const;

interface Write {
  readonly sandbox: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
}

/** What became of writes. */
export interface Tally {
  readonly acknowledged: number;
  /** Acknowledged, and not there afterwards. */
  readonly lost: number;
  /** Responses with the status 503, and requests without one. */
  readonly refused: number;
  /** Of these, the ones that are there. */
  readonly doneAnyway: number;
  /** The longest time in which no write was acknowledged, in seconds. */
  readonly gap: number;
}

/** Clients that create vals, each of them one at a time. */
export class Writes {
  readonly #base: string;
  readonly #writes: Write[] = [];
  readonly #clients: readonly Promise<void>[];
  #hasEnded = false;

  /** @param base address of the balancer */
  constructor(base: string) {
    this.#base = base;
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#run(client));
  }

  async #run(client: number): Promise<void> {
    const sandbox = SANDBOXES[client % SANDBOXES.length] ?? '';
    for (let i = 0; !this.#hasEnded; i++) {
      const name = `c${client}n${i}`;
      const start = performance.now();
      const reply = await LOOPBACK.send({
        method: 'POST',
        url: `${this.#base}${pathOf(sandbox)}/v1/vals`,
        headers: { authorization: 'Bearer ada-token' },
        body: { name, code: '1' },
      });
      const retryAfter = reply?.headers['retry-after'];
      this.#writes.push({ sandbox, name, start, end: performance.now(), status: reply?.status, retryAfter });
      await sleep(PAUSE_MS);
    }
  }

  /** Ends the clients. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#clients);
  }

  /**
   * Compares what clients were told with what the nodes have.
   * @param disruption when the primary was lost
   * @throws Error for nodes that differ, for a write that is half there, and for one that is there although an earlier one is lost
   */
  async check(bases: readonly string[], disruption: number): Promise<Tally> {
    const told = await compareNodes(bases);
    const isThere = ({ sandbox, name }: Write) => namesIn(told.get(`${sandbox} state`)).has(name);
    for (const sandbox of SANDBOXES) {
      const names = [...namesIn(told.get(`${sandbox} state`))].filter((name) => /^c\dn\d+$/.test(name)).sort();
      const journal: readonly Exchange[] = JSON.parse(told.get(`${sandbox} requests`) ?? '[]');
      const recorded = journal.filter(({ status }) => status === 200).map(({ response }) => response.body.name);
      if (recorded.sort().join() !== names.join())
        throw new Error(`sandbox ${sandbox}: ${names}; journal: ${recorded}`);
    }
    const acknowledged = this.#writes.filter(({ status }) => status === 200);
    const refused = this.#writes.filter(({ status }) => status !== 200);
    for (const { status, retryAfter, name } of refused) {
      if (status !== 503 || retryAfter !== '1') throw new Error(`${name}: ${status}, Retry-After ${retryAfter}`);
    }
    const lost = acknowledged.filter((write) => !isThere(write));
    for (const { end, name } of lost) {
      const later = acknowledged.find((write) => write.start > end && write.end < disruption && isThere(write));
      if (later) throw new Error(`${name} is lost, and ${later.name}, which came after it, is there`);
    }
    const ends = acknowledged.map(({ end }) => end).sort((a, b) => a - b);
    const gaps = ends.map((end, i) => end - (ends[i - 1] ?? end));
    return {
      acknowledged: acknowledged.length,
      lost: lost.length,
      refused: refused.length,
      doneAnyway: refused.filter(isThere).length,
      gap: Math.round(Math.max(...gaps) / 100) / 10,
    };
  }
}

interface Exchange {
  readonly status: number;
  readonly response: { readonly body: { readonly name: string } };
}

const pathOf = (sandbox: string): string => (sandbox === '' ? '' : `/_sandbox/${sandbox}`);

function namesIn(state = '{"vals":[]}'): Set<string> {
  const { vals }: { readonly vals: readonly { readonly name: string }[] } = JSON.parse(state);
  return new Set(vals.map(({ name }) => name));
}
