import { listCredentials } from '../control/session.js';
import type { FixtureSource } from '../fixtures/read.js';
import { LIKE_SECRET } from '../lib/secrets.js';
import { makeReport, type Report } from '../remote/report.js';
import { Secrets } from '../remote/secrets.js';
import { Service } from '../remote/service.js';
import { type ListeningServer, listen } from '../server/node.js';
import { Comparer } from './comparer.js';
import { type Exchange, findHeader, type HeaderList } from './exchange.js';
import { type Finding, Findings } from './findings.js';
import { Forwarder } from './forwarder.js';
import { HarRecording } from './har.js';
import { SessionRecording } from './session.js';
import { Shadow } from './shadow.js';

/** HAR 1.2, or a session as `val-emulator record` writes it. */
export type RecordingFormat = 'har' | 'session';

export interface ProxyOptions {
  /** Base URL of the upstream, without a slash at the end. */
  readonly to: string;
  readonly host: string;
  readonly port: number;
  /** Milliseconds to wait for a response. */
  readonly timeout: number;
  /** File or folder with what was read from the upstream. */
  readonly fixtures?: FixtureSource | undefined;
  /** Undefined for a proxy that records nothing. */
  readonly record?: RecordingFormat | undefined;
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
  readonly #secrets = new Secrets();
  readonly #startedAt = new Date();
  readonly #forwarder: Forwarder;
  readonly #findings = new Findings(this.#secrets);
  #recording: HarRecording | SessionRecording | undefined;
  #shadow: Shadow | undefined;
  #comparer: Comparer | undefined;
  #server: ListeningServer | undefined;

  /** @internal Use {@link startProxy}. */
  constructor(options: ProxyOptions) {
    const { to, timeout } = options;
    this.#options = options;
    this.#forwarder = new Forwarder({
      ...{ upstream: to, timeout },
      onRequest: (headers, target) => this.#learnSecrets(headers, target),
      onExchange: (exchange) => this.#see(exchange),
    });
  }

  /** @internal */
  async listen(): Promise<void> {
    const { to, host, port, timeout, fixtures, record, compare } = this.#options;
    if (compare || record === 'session') {
      const service = new Service(to, { timeout: Math.min(timeout, MAX_LOOKUP_MS) });
      const shadow = await Shadow.open(fixtures, service);
      this.#shadow = shadow;
      if (compare) this.#comparer = new Comparer({ ...compare, shadow, findings: this.#findings });
      if (record === 'session') this.#recording = new SessionRecording(to, shadow, this.#secrets);
    }
    if (record === 'har') this.#recording = new HarRecording(to, this.#secrets);
    this.#server = await listen(this.#forwarder.listener, host, port);
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  get recording(): HarRecording | SessionRecording | undefined {
    return this.#recording;
  }

  get findings(): Finding[] {
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
    await this.#recording?.settle();
    await this.#shadow?.close();
  }

  report(): Report {
    const { leftOut } = this.comparison;
    const entries = this.findings.map(({ verdict, ...entry }) => entry);
    return makeReport({
      title: 'Proxy',
      service: this.#options.to,
      startedAt: this.#startedAt,
      entries,
      remarks: leftOut,
    });
  }

  #see(exchange: Exchange): void {
    this.count++;
    this.#recording?.add(exchange);
    this.#comparer?.add(exchange);
  }

  /** Learns what clients identify themselves by, before anything is written. */
  #learnSecrets(headers: HeaderList, path: string): void {
    const [, token] = /^bearer +(.+)$/is.exec(findHeader(headers, 'authorization') ?? '') ?? [];
    if (token !== undefined) this.#secrets.add(token.trim());
    for (const text of listCredentials({ headers: headers.flat(), path })) {
      if (LIKE_SECRET.test(text)) this.#secrets.add(text);
    }
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
