import type { FixtureSource } from '../../fixtures/read.js';
import { Redactor } from '../../lib/redactor.js';
import { listen } from '../../server/node.js';
import { makeReport, type Report, type ReportEntry } from '../report.js';
import { Service } from '../service.js';
import { Comparer } from './comparer.js';
import { Findings } from './findings.js';
import { Forwarder } from './forwarder.js';
import { HarRecording } from './har.js';
import { findHeader, type HeaderList } from './messages.js';

export interface ProxyOptions {
  /** Base URL of the upstream, without a slash at the end. */
  readonly to: string;
  readonly host: string;
  readonly port: number;
  readonly timeout: number;
  /** File or folder with fixtures of the account on the upstream. */
  readonly fixtures?: FixtureSource | undefined;
  /** Whether to record the traffic. Default: false */
  readonly record?: boolean;
  /** Whether to compare reads with an emulator. Default: false */
  readonly compare?: boolean | undefined;
}

export interface RunningProxy {
  readonly url: string;
  readonly count: number;
  readonly recording: HarRecording | undefined;
  readonly findings: readonly ReportEntry[];
  readonly comparison: { readonly compared: number; readonly skipped: readonly string[] };
  report(): Report;
  /** Accepts no more requests. Resolves when the last one has a response and is compared. */
  close(): Promise<void>;
}

/** Milliseconds that requests have to end when the proxy closes. */
const GRACE_MS = 2_000;

/** Longest wait for the user of a token: responses to compare wait for it. */
const MAX_LOOKUP_MS = 10_000;

/**
 * Starts a proxy to a service.
 * @throws FixtureError for fixtures that cannot be loaded
 * @throws OptionsError for a busy port
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { to, host, port, timeout, fixtures, record, compare } = options;
  const redactor = new Redactor();
  const startedAt = new Date();
  const findings = new Findings(redactor);
  const recording = record ? new HarRecording(to, redactor) : undefined;
  const service = new Service(to, { timeout: Math.min(timeout, MAX_LOOKUP_MS) });
  const comparer = compare ? await Comparer.open(fixtures, { service, findings }) : undefined;
  let count = 0;
  const forwarder = new Forwarder({
    ...{ upstream: to, timeout },
    onRequest: (headers, target) => learnSecrets(redactor, headers, target),
    onExchange(exchange) {
      count++;
      recording?.add(exchange);
      comparer?.add(exchange);
    },
  });
  const close = async () => {
    forwarder.close();
    await comparer?.close();
  };
  const server = await listen(forwarder.listener, host, port).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const proxy: RunningProxy = {
    ...{ url: server.url, recording },
    get count() {
      return count;
    },
    get findings() {
      return findings.list();
    },
    get comparison() {
      return { compared: comparer?.compared ?? 0, skipped: comparer?.skipped ?? [] };
    },
    report() {
      const { compared, skipped } = proxy.comparison;
      const checked = `${count} requests, ${compared} compared`;
      return makeReport({ title: 'Proxy', service: to, startedAt, checked, entries: proxy.findings, remarks: skipped });
    },
    async close() {
      await server.close(GRACE_MS);
      await close();
    },
  };
  return proxy;
}

/** Learns the credentials of a client before anything is written. */
function learnSecrets(redactor: Redactor, headers: HeaderList, path: string): void {
  const [, token] = /^bearer +(.+)$/is.exec(findHeader(headers, 'authorization') ?? '') ?? [];
  if (token !== undefined) redactor.add(token.trim());
  redactor.learn(headers, path);
}
