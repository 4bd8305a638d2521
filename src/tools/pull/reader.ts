import type { Fields } from '#engine/definition/context.js';
import { isDeeperThan, isObject, MAX_JSON_DEPTH } from '#engine/lib/objects.js';
import { formatCount } from '#engine/lib/text.js';
import { type Reply, type Service, ServiceError } from '../conformance/remote-service.js';

/** Statuses of what the service does not have, or does not show. */
const REFUSALS = new Set([400, 403, 404, 405, 410, 501]);
/** Concurrent requests. */
const CONCURRENCY = 4;
/** Refusals of a route without a success, after which no other request to it follows. */
const MOST_REFUSALS = 20;
/** Most notes, since a service may have any number of keys. */
const MOST_NOTES = 100;

/** What the requests to a route had as their results. */
interface RouteCounts {
  read: number;
  refused: number;
  /** Requests that were not sent after too many refusals. */
  unsent: number;
  first?: { readonly target: string; readonly status: number };
}

interface ReaderOptions {
  /** Most items of a list. Default: all */
  readonly limit?: number | undefined;
  /** @param planned number of known documents */
  readonly onProgress?: ((done: number, planned: number) => void) | undefined;
}

/** The longest page. Source: the service's OpenAPI document. */
export const PAGED = { limit: '100' };
export type Query = Readonly<Record<string, string>>;

/** Reads documents and lists of a service by their routes, and notes what cannot be read. */
export class Reader {
  readonly #service: Service;
  readonly #options: ReaderOptions;
  readonly #routes = new Map<string, RouteCounts>();
  readonly #notes = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #planned = 0;
  #done = 0;

  constructor(service: Service, options: ReaderOptions) {
    this.#service = service;
    this.#options = options;
  }

  /** Notes once what fixtures will not have, in words. */
  note(text: string): void {
    if (this.#notes.size < MOST_NOTES) this.#notes.add(text);
  }

  /** The documents that were read, by route. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#routes].flatMap(([route, { read }]) => (read > 0 ? [[route, read]] : [])));
  }

  /** Lists what could not be read, and the notes. */
  get unseen(): string[] {
    const refusals = [...this.#routes].flatMap(([route, { read, refused, unsent, first }]) => {
      if (!first) return [];
      const all = read + refused + unsent;
      const times = all === 1 ? '' : `, ${refused} of ${formatCount(all, 'request')}, the first one to ${first.target}`;
      const rest = unsent === 0 ? '' : `; ${unsent} more were not sent`;
      return [`GET ${route} is not readable: ${first.status}${times}${rest}.`];
    });
    return [...refusals, ...this.#notes];
  }

  /**
   * Reads a document. Undefined for one that the service does not have, or does not show.
   * @param values of the names in braces
   * @throws ServiceError for another status than 200
   */
  async read(route: string, values: Fields = {}, query: Query = {}): Promise<Reply | undefined> {
    return this.#get(route, toTarget(route, values, query));
  }

  /** Reads an object. @throws ServiceError as {@link read} does, and for another document */
  async item(route: string, values: Fields = {}): Promise<Fields | undefined> {
    const reply = await this.read(route, values);
    const json = reply && this.#parse(reply);
    if (reply && !isObject(json)) throw this.#differ(reply, 'an object');
    return isObject(json) ? json : undefined;
  }

  /**
   * Reads a list, by its links if it has pages. An item that is on two pages counts once.
   * @param isWhole whether it is undefined if a page cannot be read, and has no limit. Default: it has the items that were read
   * @throws ServiceError as {@link read} does, for another document, and for a list without end
   */
  async list(route: string, values: Fields = {}, query: Query = {}, isWhole = false): Promise<Fields[] | undefined> {
    const { base } = this.#service;
    const { limit = Number.POSITIVE_INFINITY } = isWhole ? {} : this.#options;
    const items = new Map<unknown, Fields>();
    let next: unknown = toTarget(route, values, query);
    while (typeof next === 'string' && items.size <= limit) {
      const target: string = next.startsWith(`${base}/`) ? next.slice(base.length) : next;
      const reply = await this.#get(route, target);
      if (!reply && isWhole) return undefined;
      if (!reply) break;
      const json = this.#parse(reply);
      const { data, links }: Fields = Array.isArray(json) ? { data: json } : Object(json);
      if (!Array.isArray(data) || !data.every(isObject)) throw this.#differ(reply, 'a list of objects');
      const { size } = items;
      for (const item of data) {
        const key = item.id ?? item.key ?? item.version ?? JSON.stringify(item);
        if (!items.has(key)) items.set(key, item);
      }
      next = isObject(links) ? links.next : undefined;
      if (typeof next === 'string' && items.size === size)
        throw new ServiceError(`${base}: the page ${target} adds no items, but links to a next one.`);
    }
    if (items.size > limit || (items.size === limit && typeof next === 'string'))
      this.note(`GET ${route}: only the first ${formatCount(limit, 'item')} of a list (--limit).`);
    return [...items.values()].slice(0, limit);
  }

  #parse(reply: Reply): unknown {
    const type = reply.headers.get('content-type') ?? 'no media type';
    const problem = `GET ${reply.target} responded with ${type} in place of JSON`;
    if (reply.json === undefined) throw new ServiceError(`${this.#service.base} is not a vals API: ${problem}.`);
    if (isDeeperThan(MAX_JSON_DEPTH, reply.json)) throw this.#differ(reply, `at most ${MAX_JSON_DEPTH} levels`);
    return reply.json;
  }

  #differ({ target }: Reply, expected: string): ServiceError {
    return new ServiceError(`${this.#service.base}: GET ${target} responded with another shape: expected ${expected}.`);
  }

  async #get(route: string, target: string): Promise<Reply | undefined> {
    const { onProgress } = this.#options;
    const counts = this.#routes.get(route) ?? { read: 0, refused: 0, unsent: 0 };
    this.#routes.set(route, counts);
    onProgress?.(this.#done, ++this.#planned);
    const isGivenUp = () => counts.read === 0 && counts.refused >= MOST_REFUSALS;
    const reply = await this.#limit(async () => (isGivenUp() ? undefined : await this.#service.get(target)));
    onProgress?.(++this.#done, this.#planned);
    const { base } = this.#service;
    if (!reply) counts.unsent++;
    else if (reply.status === 401) throw new ServiceError(`${base} refuses the token of --token (401).`);
    else if (REFUSALS.has(reply.status)) {
      counts.refused++;
      counts.first ??= { target, status: reply.status };
    } else if (reply.status !== 200) throw new ServiceError(`${base}: GET ${target} responded ${reply.status}.`);
    else {
      counts.read++;
      return reply;
    }
    return undefined;
  }

  async #limit<T>(run: () => Promise<T>): Promise<T> {
    if (this.#active === CONCURRENCY) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active++;
    try {
      return await run();
    } finally {
      // The next request takes the place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#active--;
    }
  }
}

function toTarget(route: string, values: Fields, query: Query): string {
  const encode = (_: string, name: string) => encodeURIComponent(String(values[name]).toWellFormed());
  const search = new URLSearchParams(query).toString();
  return route.replaceAll(/\{(\w+)\}/g, encode) + (search && `?${search}`);
}
