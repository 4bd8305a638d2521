import { Redactor } from '#engine/lib/redactor.js';
import { Service, type ServiceOptions } from '../conformance/remote-service.js';
import { makeReport, type Report } from '../conformance/report.js';
import { crawl, PrivateVals } from './account.js';
import { readBlobs } from './blobs.js';
import { findDrift, toRoute } from './drift.js';
import { dropUnloadableRecords, type PulledFixtures } from './fit.js';
import { toFixtures } from './fixtures.js';
import { Pages } from './pages.js';
import { hideAddresses } from './people.js';

export interface PullOptions extends ServiceOptions {
  /** Base URL of the service. */
  readonly url: string;
  readonly token: string;
  readonly since?: string | undefined;
  /** Whether to read private vals too, with their runs, likes and comments, and the blobs. */
  readonly privateVals: boolean;
  /** Whether to keep email addresses and pictures. */
  readonly keepAddresses: boolean;
  readonly runDetails: boolean;
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
  /** Facts that the service does not show. */
  readonly unseen: readonly string[];
}

export interface PullResult {
  readonly fixtures: PulledFixtures;
  readonly pulled: Pulled;
  /** Differences between the service and an emulator with these fixtures. */
  readonly drift: Report;
}

/**
 * Downloads an account of a service as fixtures, by GET requests alone.
 * @throws ServiceError for a service that cannot be read
 */
export async function pull(options: PullOptions): Promise<PullResult> {
  const { url, token, since, privateVals, keepAddresses, runDetails } = options;
  const { onProgress = () => {} } = options;
  const startedAt = new Date();
  const redactor = new Redactor([token]);
  const hidden = new PrivateVals();
  // After an error, no other request follows.
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const service = new Service(url, { ...options, signal });
  const read = new Pages({
    service,
    ...{ redactor, onProgress },
    isSkipped: (item) => !privateVals && hidden.has(item),
  });
  try {
    const found = await crawl(read, options);
    // An address may be in any document, also in an earlier one.
    const pages = keepAddresses ? read : read.map(hideAddresses(read.all.map(({ json }) => json)));
    const account = keepAddresses ? found : await crawl(pages, options);
    const { me } = account;
    const {
      blobs,
      list,
      unseen: unread,
    } = privateVals ? await readBlobs(service, me.username ?? me.id) : { blobs: [], unseen: [] };
    const { fixtures, emulator, unseen } = await dropUnloadableRecords({
      ...toFixtures(account, startedAt.getTime()),
      ...(blobs.length > 0 && { blobs }),
    });
    await using _emulator = emulator;
    const compared = list ? [...pages.all, list] : pages.all;
    const drift = await findDrift(emulator, { pages: compared, base: url, signal });
    const counts: Record<string, number> = {};
    for (const { target } of compared) {
      const route = toRoute(target);
      counts[route] = (counts[route] ?? 0) + 1;
    }
    return {
      fixtures,
      pulled: {
        ...{ from: url, at: startedAt.toISOString(), read: counts },
        options: { since, private: privateVals, keep: keepAddresses, runDetails },
        records: Object.fromEntries(Object.entries(fixtures).map(([name, records]) => [name, records.length])),
        unseen: [...account.unseen, ...unread, ...unseen],
      },
      drift: makeReport({
        ...{
          title: 'Drift',
          service: url,
          startedAt,
          checked: `${drift.compared} documents and lists`,
          entries: drift.entries,
        },
        remarks: [
          `The emulator responds as the service did for ${drift.equal} of ${drift.compared} documents and lists.`,
        ],
      }),
    };
  } catch (error) {
    stop.abort(error);
    throw error;
  }
}
