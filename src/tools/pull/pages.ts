import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#engine/lib/objects.js';
import type { Redactor } from '#engine/lib/redactor.js';
import { type Service, ServiceError } from '../conformance/remote-service.js';
import { isPage } from './shapes.js';

/** Statuses of documents that the service does not have or show. */
const MISSING = new Set([403, 404, 501]);

/** Concurrent requests. */
const CONCURRENCY = 4;

/** A document as it was read, without tokens. */
export interface ReadPage {
  readonly target: string;
  readonly status: number;
  readonly json: unknown;
  /** Media type with its parameters. Null for none. */
  readonly mediaType: string | null;
  /** Whether the list lacks items of private vals. */
  readonly isShortened?: boolean | undefined;
}

export interface PagesOptions {
  readonly service: Service;
  readonly redactor: Redactor;
  /** @param planned number of known documents */
  readonly onProgress: (done: number, planned: number) => void;
  /** Whether to skip an item of a list. */
  readonly isSkipped: (item: unknown) => boolean;
}

/** Reads the documents of a service, each once. */
export class Pages {
  readonly #options: PagesOptions;
  readonly #pages = new Map<string, ReadPage>();
  #waiting: (() => void)[] = [];
  #active = 0;
  #planned = 0;
  #done = 0;

  /** @param pages documents read earlier */
  constructor(options: PagesOptions, pages: readonly ReadPage[] = []) {
    this.#options = options;
    for (const page of pages) this.#pages.set(page.target, page);
  }

  /** Returns the same documents with other content. */
  map(change: (json: unknown) => unknown): Pages {
    const pages = this.all.map((page) => ({ ...page, json: change(page.json) }));
    return new Pages({ ...this.#options, onProgress: () => {} }, pages);
  }

  get all(): readonly ReadPage[] {
    return [...this.#pages.values()];
  }

  /** Reads a document, whatever its status. */
  async #read(target: string): Promise<ReadPage> {
    const { onProgress } = this.#options;
    onProgress(this.#done, ++this.#planned);
    const page = this.#pages.get(target) ?? (await this.#limit(() => this.#fetch(target)));
    onProgress(++this.#done, this.#planned);
    return page;
  }

  /**
   * Reads a document that must be there.
   * @throws ServiceError for another status than 200, and for a document of another shape
   */
  async readAs<T>(target: string, isExpected: (value: unknown) => value is T): Promise<T> {
    return this.#expectThere(await this.#read(target), isExpected);
  }

  /** Reads a document that may be missing. Undefined for a 404, 403 or 501. @throws ServiceError as {@link readAs} */
  async readIfThere<T>(target: string, isExpected: (value: unknown) => value is T): Promise<T | undefined> {
    const page = await this.#read(target);
    return MISSING.has(page.status) ? undefined : this.#expectThere(page, isExpected);
  }

  /**
   * Reads a whole list, by its links. Undefined if the service has no such route.
   * @throws ServiceError as {@link readAs} does, and for a list without end
   */
  async readList<T>(target: string, isExpected: (value: unknown) => value is T): Promise<T[] | undefined> {
    const { base } = this.#options.service;
    const items: T[] = [];
    const seen = new Set<string>();
    let before: unknown[] | undefined;
    for (let next: string | null | undefined = target; next; ) {
      seen.add(next);
      const page: ReadPage = await this.#read(next);
      if (MISSING.has(page.status) && next === target) return undefined;
      const { data, links } = this.#expectThere(page, isPage);
      for (const item of data) items.push(this.#expect(target, item, isExpected));
      next = links.next?.startsWith(`${base}/`) ? links.next.slice(base.length) : links.next;
      if (next && seen.has(next)) throw new ServiceError(`${base}: the page ${page.target} links to an earlier one.`);
      if (next && !page.isShortened && isDeepStrictEqual(data, before)) {
        throw new ServiceError(`${base}: the page ${page.target} adds no items, but links to a next one.`);
      }
      before = data;
    }
    return items;
  }

  #expectThere<T>({ target, status, json }: ReadPage, isExpected: (value: unknown) => value is T): T {
    const { base } = this.#options.service;
    if (status === 401) throw new ServiceError(`${base} refuses the token of --token (401).`);
    if (status !== 200) throw new ServiceError(`${base}: GET ${target} responded ${status}.`);
    return this.#expect(target, json, isExpected);
  }

  #expect<T>(target: string, value: unknown, isExpected: (value: unknown) => value is T): T {
    if (isExpected(value)) return value;
    const { base } = this.#options.service;
    const [error] = 'errors' in isExpected && Array.isArray(isExpected.errors) ? isExpected.errors : [];
    const problem = isObject(error) ? `: ${String(error.instancePath) || 'it'} ${String(error.message)}` : '';
    throw new ServiceError(`${base}: GET ${target.replace(/\?.*/, '')} responded with another shape${problem}.`);
  }

  async #fetch(target: string): Promise<ReadPage> {
    const { service, redactor, isSkipped } = this.#options;
    const { status, text, headers, json: parsed } = await service.get(target);
    if (status === 200 && parsed === undefined) {
      const type = headers.get('content-type') ?? 'no media type';
      throw new ServiceError(
        `${service.base} is not a vals API: GET ${target} responded with ${type} in place of JSON.`,
      );
    }
    const clean: unknown = parsed === undefined ? undefined : JSON.parse(redactor.redactKnown(text));
    const data = isPage(clean) ? clean.data.filter((item) => !isSkipped(item)) : [];
    const isShortened = isPage(clean) && data.length < clean.data.length;
    const json = isPage(clean) ? { ...clean, data } : clean;
    const page = { target, status, json, mediaType: headers.get('content-type'), ...(isShortened && { isShortened }) };
    this.#pages.set(target, page);
    return page;
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
