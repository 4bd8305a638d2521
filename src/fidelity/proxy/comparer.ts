import { createEmulator } from '../../emulator.js';
import type { FixtureSource } from '../../fixtures/read.js';
import { reasonFor } from '../../lib/errors.js';
import { isObject } from '../../lib/objects.js';
import { isRead } from '../../lib/target.js';
import { type Service, ServiceError } from '../service.js';
import { compareResponses } from './compare.js';
import { ResponseDocument } from './document.js';
import type { Findings } from './findings.js';
import { decodeBody, type ProxiedExchange, readReply } from './messages.js';
import { listIds, Shadow } from './shadow.js';

/** Limits of the queue, so that the memory of the proxy is bounded. */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Milliseconds for the rest of the queue at the end. */
const CLOSE_MS = 10_000;

/** Statuses of a service that is busy or down. */
const PASSING = new Set([429, 500, 502, 503, 504]);

interface ComparerOptions {
  readonly service: Service;
  readonly findings: Findings;
}

/** Reasons to skip a request. */
const REASONS = {
  write: 'it may change something',
  route: 'the emulator does not have its route',
  busy: 'the service was busy or failed',
  size: 'its body is too long, or has an unknown encoding',
  queue: 'too many requests were waiting',
  end: 'it still waited at the end',
  caller: 'its user could not be found by GET /v1/me',
  error: 'the comparison failed',
} as const;

/** Sends each read to the shadow after the upstream has responded, and compares the two responses. */
export class Comparer {
  compared = 0;
  readonly #options: ComparerOptions;
  readonly #shadow: Shadow;
  readonly #document = new ResponseDocument();
  readonly #skipped = new Map<keyof typeof REASONS, number>();
  /** Of the first comparison that failed. */
  #failure: string | undefined;
  #waiting = 0;
  #waitingBytes = 0;
  #end = Number.POSITIVE_INFINITY;
  #last: Promise<void> = Promise.resolve();

  /** @param fixtures of the account on the upstream. Undefined for none */
  static async open(fixtures: FixtureSource | undefined, options: ComparerOptions): Promise<Comparer> {
    const emulator = await createEmulator({ fixtures: fixtures ?? { users: [] }, listen: false });
    return new Comparer(options, new Shadow(emulator, options.service, fixtures !== undefined));
  }

  private constructor(options: ComparerOptions, shadow: Shadow) {
    this.#options = options;
    this.#shadow = shadow;
  }

  /** Compares a response later. */
  add(exchange: ProxiedExchange): void {
    const size = (exchange.request.body?.length ?? 0) + (exchange.response.body?.length ?? 0);
    if (this.#waiting >= MAX_WAITING || this.#waitingBytes + size > MAX_WAITING_BYTES) {
      this.#skip('queue', exchange);
      return;
    }
    this.#waiting++;
    this.#waitingBytes += size;
    this.#last = this.#last
      .then(() => this.#compare(exchange))
      .catch((error: unknown) => {
        if (error instanceof ServiceError) return this.#skip('caller', exchange);
        this.#failure ??= reasonFor(error).replaceAll(/\s+/g, ' ');
        this.#skip('error', exchange);
      })
      .finally(() => {
        this.#waiting--;
        this.#waitingBytes -= size;
      });
  }

  /** Lists why requests were not compared, each reason with a count. */
  get skipped(): string[] {
    const reasons = { ...REASONS, error: `${REASONS.error}: ${this.#failure}` };
    return [...this.#skipped].map(([reason, count]) => `${count} not compared: ${reasons[reason]}`);
  }

  /** Resolves when all responses are compared, or after ten seconds. */
  async close(): Promise<void> {
    this.#end = performance.now() + CLOSE_MS;
    await this.#last;
    await this.#shadow.close();
  }

  /** Counts a request that is not compared, and gives up the records that it may have changed. */
  #skip(reason: keyof typeof REASONS, { method, target, response }: ProxiedExchange): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
    if (isRead(method) || response.status >= 400) return;
    this.#shadow.diverge([target, decodeBody(response)?.toString('utf8') ?? '']);
  }

  async #compare(exchange: ProxiedExchange): Promise<void> {
    const { method, target, response } = exchange;
    const shadow = this.#shadow;
    if (performance.now() > this.#end) return this.#skip('end', exchange);
    const route = shadow.findRoute(exchange);
    if (!route) return this.#skip('route', exchange);
    if (!isRead(method)) return this.#skip('write', exchange);
    if (PASSING.has(response.status)) return this.#skip('busy', exchange);
    const upstream = readReply(exchange);
    if (!upstream) return this.#skip('size', exchange);
    const caller = await shadow.findCaller(exchange);
    const emulator = await shadow.respond(exchange, caller);
    const ids = listIds(`${target} ${isObject(upstream.json) ? upstream.json.id : ''}`);
    const comparison = {
      ...{ route, target, upstream, emulator },
      hasSameData: shadow.hasFixtures && caller.isKnown && !ids.some((id) => shadow.isDiverged(id)),
      isDiverged: (id: string) => shadow.isDiverged(id),
    };
    for (const difference of compareResponses(comparison, this.#document)) {
      this.#options.findings.add(difference, comparison);
    }
    this.compared++;
  }
}
