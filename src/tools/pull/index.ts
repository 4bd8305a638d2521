import { isObject } from '#engine/lib/objects.js';
import { collectAddress, exampleAddress, Redactor, replaceAddresses } from '#engine/lib/redactor.js';
import type { StateDiff } from '#engine/sandbox/comparison.js';
import { createEmulator } from '../../emulator.js';
import { Service, type ServiceOptions } from '../conformance/remote-service.js';
import { type CrawlOptions, crawl } from './crawl.js';
import { withoutRefused } from './fit.js';
import { type PulledRows, UNCOMPARED } from './nouns.js';
import { Reader } from './reader.js';

export interface PullOptions extends ServiceOptions, CrawlOptions {
  /** Base URL of the service. */
  readonly url: string;
  readonly token: string;
  /** Most items of each list. Default: all */
  readonly limit?: number | undefined;
  /** Whether to keep email addresses and pictures. */
  readonly keepAddresses: boolean;
  /** Fixtures of an earlier pull to compare with: a folder or a file. Default: none */
  readonly compare?: string | undefined;
  /** Paths that are not compared. */
  readonly ignore: readonly string[];
  readonly onProgress?: (done: number, planned: number) => void;
}

/** The content of `pulled.json`. */
interface Pulled {
  readonly from: string;
  readonly at: string;
  readonly options: object;
  /** Documents by route. */
  readonly read: Readonly<Record<string, number>>;
  readonly records: Readonly<Record<string, number>>;
  /** What the fixtures do not have, in words. */
  readonly unseen: readonly string[];
}

export interface PullResult {
  readonly fixtures: PulledRows;
  readonly pulled: Pulled;
  /** What has changed since the fixtures to compare with. */
  readonly drift?: StateDiff | undefined;
}

/**
 * Downloads an account of a service as fixtures, by GET requests alone.
 * @throws ServiceError for a service that cannot be read. @throws FixtureError and OptionsError for what is wrong to compare with
 */
export async function pull(options: PullOptions): Promise<PullResult> {
  const { url, token, since, scope, projects, limit, keepAddresses, compare } = options;
  const startedAt = new Date();
  await using earlier =
    compare === undefined ? null : await createEmulator({ fixtures: compare, listen: false, now: startedAt });
  const compared = { ignore: [...UNCOMPARED, ...options.ignore] };
  // Wrong patterns are reported before anything is read.
  earlier?.diff(undefined, undefined, compared);
  // After an error, no other request follows.
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const reader = new Reader(new Service(url, { ...options, signal }), options);
  const redactor = new Redactor([token]);
  try {
    const rows = clean(await crawl(reader, options), redactor, keepAddresses);
    const fixtures = await withoutRefused(rows, reader, startedAt);
    return {
      fixtures,
      pulled: {
        ...{ from: url, at: startedAt.toISOString(), read: reader.counts },
        options: { since, limit, keep: keepAddresses, projects, ...scope },
        records: Object.fromEntries(Object.entries(fixtures).map(([name, records]) => [name, records.length])),
        unseen: reader.unseen.map((line) => redactor.redactKnown(line)),
      },
      drift: earlier?.diff(undefined, fixtures, compared),
    };
  } catch (error) {
    stop.abort(error);
    throw error;
  }
}

/** Replaces the token in all texts; the email addresses of accounts and their pictures, too, unless they are kept. */
function clean(rows: PulledRows, redactor: Redactor, keepAddresses: boolean): PulledRows {
  const addresses = new Map<string, string>();
  for (const user of keepAddresses ? [] : (rows.users ?? [])) collectAddress(user, addresses, exampleAddress);
  const hide = (value: unknown, key = ''): unknown => {
    if (key === 'profileImageUrl' && !keepAddresses) return null;
    if (typeof value === 'string') return redactor.redactKnown(replaceAddresses(value, addresses));
    if (Array.isArray(value)) return value.map((item) => hide(item));
    return isObject(value) ? hideIn(value) : value;
  };
  const hideIn = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [redactor.redactKnown(key), hide(value, key)]));
  return Object.fromEntries(Object.entries(rows).map(([name, list]) => [name, list.map(hideIn)]));
}
