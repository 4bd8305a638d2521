import { type Exchange, exchangeId, type Listener } from '../journal/exchange.js';
import { type Metric, oneValue, type Sample } from '../lib/metrics.js';
import { isRead } from '../lib/target.js';
import { packageVersion } from '../platform/package.js';

/** Upper bounds of the buckets of the histogram, in seconds. */
const BOUNDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1];
/** Methods with a label. Others share one, so that no client can make up labels. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The label of an unknown route, and of an unknown method. */
const OTHER = 'other';

/** The requests of a route with one method. */
interface Series {
  readonly statuses: Map<number, number>;
  /** Requests by the first bound that they do not exceed; the last one counts those above all bounds. */
  readonly buckets: number[];
  /** Milliseconds of all requests. */
  duration: number;
}

/** Counts the requests to an emulator. Its size has a limit: routes, methods and statuses are known. */
export class RequestMetrics implements Listener {
  /** By the name of the route and the method: HEAD has the route of GET. */
  readonly #routes = new Map<string, Map<string, Series>>();
  #commits = 0;

  /** Counts an exchange that has ended. */
  ended(exchange: Exchange): void {
    const { method, status } = exchange;
    const route = exchange.route ?? OTHER;
    const duration = exchange.duration ?? 0;
    const series = this.#routes.get(route)?.get(method) ?? this.#add(route, method);
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (duration > (BOUNDS[bucket] ?? Number.POSITIVE_INFINITY) * 1_000) bucket++;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    series.duration += duration;
    if (!isRead(method) && exchange.number > 0 && exchange.commit === exchangeId(exchange)) this.#commits++;
  }

  #add(route: string, method: string): Series {
    const methods = this.#routes.get(route) ?? new Map<string, Series>();
    this.#routes.set(route, methods);
    const label = METHODS.includes(method) ? method : OTHER;
    const series = methods.get(label) ?? { statuses: new Map(), buckets: BOUNDS.map(() => 0).concat(0), duration: 0 };
    methods.set(label, series);
    return series;
  }

  /** Reads all metrics of the emulator and its process. @param sandboxes number of the named ones */
  *read(sandboxes: number): Generator<Metric> {
    const { rss, heapUsed, heapTotal } = process.memoryUsage();
    const { performance } = process.getBuiltinModule('node:perf_hooks');
    const { active } = performance.eventLoopUtilization();
    const version = packageVersion();
    yield oneValue('val_emulator_info', 'gauge', 'The version, as a label.', 1, { version });
    yield {
      name: 'val_emulator_requests_total',
      type: 'counter',
      help: 'Requests by route, method and status. Status 0 is a connection that a fault has reset.',
      samples: this.#readCounts(),
    };
    yield {
      name: 'val_emulator_request_duration_seconds',
      type: 'histogram',
      help: 'Time from the first byte of a request to the last byte of its response.',
      samples: this.#readDurations(),
    };
    yield oneValue('val_emulator_commits_total', 'counter', 'Writes that requests to /v1 committed.', this.#commits);
    yield oneValue('val_emulator_sandboxes', 'gauge', 'Sandboxes other than the default one.', sandboxes);
    yield oneValue('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rss);
    yield oneValue('process_start_time_seconds', 'gauge', 'Unix time of its start.', performance.timeOrigin / 1_000);
    yield oneValue('nodejs_heap_size_used_bytes', 'gauge', 'Heap of JavaScript in use.', heapUsed);
    yield oneValue('nodejs_heap_size_total_bytes', 'gauge', 'Heap of JavaScript.', heapTotal);
    yield oneValue(
      'nodejs_eventloop_active_seconds_total',
      'counter',
      'Time in which the event loop was busy: a rate near 1 delays all requests.',
      active / 1_000,
    );
  }

  *#readSeries(): Generator<{ readonly labels: { route: string; method: string }; readonly series: Series }> {
    for (const [route, methods] of this.#routes) {
      const path = route.slice(route.indexOf(' ') + 1);
      for (const [method, series] of methods) yield { labels: { route: path, method }, series };
    }
  }

  *#readCounts(): Generator<Sample> {
    for (const { labels, series } of this.#readSeries()) {
      for (const [status, value] of series.statuses) yield { labels: { ...labels, status }, value };
    }
  }

  *#readDurations(): Generator<Sample> {
    for (const { labels, series } of this.#readSeries()) {
      let count = 0;
      for (const [i, value] of series.buckets.entries()) {
        count += value;
        yield { suffix: '_bucket', labels: { ...labels, le: BOUNDS[i] ?? '+Inf' }, value: count };
      }
      yield { suffix: '_sum', labels, value: series.duration / 1_000 };
      yield { suffix: '_count', labels, value: count };
    }
  }
}
