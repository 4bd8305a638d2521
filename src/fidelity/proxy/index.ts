import type { FixtureSource } from '../../fixtures/read.js';
import { Redactor } from '../../lib/redactor.js';
import { type ListeningServer, listen } from '../../server/node.js';
import { makeReport, type Report, type ReportEntry } from '../report.js';
import { Service } from '../service.js';
import { Comparer } from './comparer.js';
import { Findings } from './findings.js';
import { Forwarder } from './forwarder.js';
import { HarRecording } from './har.js';
import { findHeader, type HeaderList, type ProxiedExchange } from './messages.js';
import { Shadow } from './shadow.js';

export interface ProxyOptions {
  /** Base URL of the upstream, without a slash at the end. */
  readonly to: string;
  readonly host: string;
  readonly port: number;
  /** Milliseconds to wait for a response. */
  readonly timeout: number;
  /** File or folder with what was read from the upstream. */
  readonly fixtures?: FixtureSource | undefined;
  /** Whether to record the traffic. Default: false */
  readonly record?: boolean;
  /** Undefined for a proxy that compares nothing. */
  readonly compare?: { readonly writes: boolean } | undefined;
}

/** Milliseconds that requests have to end when the proxy closes. */
const GRACE_MS = 2_000;

/** Longest wait for the user of a token: responses to compare wait for it. */
const MAX_LOOKUP_MS = 10_000;

/** A proxy to one service. */
export class RunningProxy {
  /** Requests that were passed on. */
  count = 0;
  readonly #options: ProxyOptions;
  readonly #redactor = new Redactor();
  readonly #startedAt = new Date();
  readonly #forwarder: Forwarder;
  readonly #findings = new Findings(this.#redactor);
  readonly recording: HarRecording | undefined;
  #shadow: Shadow | undefined;
  #comparer: Comparer | undefined;
  #server: ListeningServer | undefined;

  /** @internal Use {@link startProxy}. */
  constructor(options: ProxyOptions) {
    const { to, timeout } = options;
    this.#options = options;
    this.recording = options.record ? new HarRecording(to, this.#redactor) : undefined;
    this.#forwarder = new Forwarder({
      ...{ upstream: to, timeout },
      onRequest: (headers, target) => this.#learnSecrets(headers, target),
      onExchange: (exchange) => this.#see(exchange),
    });
  }

  /** @internal */
  async listen(): Promise<void> {
    const { to, host, port, timeout, fixtures, compare } = this.#options;
    if (compare) {
      const service = new Service(to, { timeout: Math.min(timeout, MAX_LOOKUP_MS) });
      const shadow = await Shadow.open(fixtures, service);
      this.#shadow = shadow;
      this.#comparer = new Comparer({ ...compare, shadow, findings: this.#findings });
    }
    this.#server = await listen(this.#forwarder.listener, host, port);
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  get findings(): ReportEntry[] {
    return this.#findings.list();
  }

  /** Requests that were compared, and why others were not. */
  get comparison() {
    const { compared = 0, leftOut = [] } = this.#comparer ?? {};
    return { compared, leftOut };
  }

  /** Accepts no more requests, and resolves when all are passed on and compared. */
  async close(): Promise<void> {
    await this.#server?.close(GRACE_MS);
    this.#forwarder.close();
    await this.#comparer?.close();
    await this.#shadow?.close();
  }

  report(): Report {
    const { compared, leftOut } = this.comparison;
    return makeReport({
      ...{ title: 'Proxy', service: this.#options.to, startedAt: this.#startedAt },
      checked: `${this.count} requests, ${compared} compared`,
      entries: this.findings,
      remarks: leftOut,
    });
  }

  #see(exchange: ProxiedExchange): void {
    this.count++;
    this.recording?.add(exchange);
    this.#comparer?.add(exchange);
  }

  /** Learns what clients identify themselves by, before anything is written. */
  #learnSecrets(headers: HeaderList, path: string): void {
    const [, token] = /^bearer +(.+)$/is.exec(findHeader(headers, 'authorization') ?? '') ?? [];
    if (token !== undefined) this.#redactor.add(token.trim());
    this.#redactor.learn(headers, path);
  }
}

/**
 * Starts a proxy to a service.
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws OptionsError for a busy port
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const proxy = new RunningProxy(options);
  try {
    await proxy.listen();
    return proxy;
  } catch (error) {
    await proxy.close();
    throw error;
  }
}
