import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseJsonIfValid } from '../../lib/json.js';
import { isObject } from '../../lib/objects.js';
import type { Redactor } from '../../lib/redactor.js';
import { type Service, ServiceError } from '../service.js';
import type { People } from './people.js';
import { isPage } from './shapes.js';

/** Of what the service does not have, or does not show. */
const MISSING = new Set([403, 404, 501]);

/** Requests that are under way at once. */
const CONCURRENCY = 4;

/** What is read again in each attempt, since it decides on the rest: the user, and which vals are private. */
const FIRST = /^\/v1\/(?:me$|users\/[^/]+\/vals)/;

/** A document as it was read, without tokens. */
export interface ReadPage {
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly json: unknown;
  /** Whether it is a page of a list without items that hang on private vals. */
  readonly isShortened?: boolean | undefined;
}

export interface PagesOptions {
  readonly service: Service;
  readonly redactor: Redactor;
  /** File that keeps what was read, so that a pull can be resumed. Its first line says what it is of. */
  readonly file: string;
  /** What the pull is of: the service, and options that decide what is read. */
  readonly head: object;
  /** @param planned documents that are known to be read */
  readonly onProgress: (done: number, planned: number) => void;
  /** Whether an item of a list is left out. */
  readonly isLeftOut: (item: unknown) => boolean;
}

/** Reads the documents of a service, each once, and keeps them in a file. */
export class Pages {
  readonly #options: PagesOptions;
  readonly #pages = new Map<string, ReadPage>();
  /** Targets of the documents in the file. */
  readonly #kept = new Set<string>();
  #waiting: (() => void)[] = [];
  #active = 0;
  #planned = 0;
  #done = 0;

  /**
   * @param pages what was read already. Default: what an earlier attempt has kept
   * @throws ServiceError for a file that is of another pull
   */
  constructor(options: PagesOptions, pages: readonly ReadPage[] = readKept(options)) {
    this.#options = options;
    for (const page of pages) {
      this.#pages.set(page.target, page);
      this.#kept.add(page.target);
    }
  }

  /** Returns the same documents without what identifies people, to be read again. */
  anonymized(people: People): Pages {
    const pages = this.all.map(({ target, json, ...page }) => {
      return { ...page, target: String(people.replace(target)), json: people.replace(json) };
    });
    return new Pages({ ...this.#options, onProgress: () => {} }, pages);
  }

  /** Documents that were read, those of an earlier attempt included. */
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
    const page = await this.#read(target);
    const value = this.#expectThere(page, isExpected);
    this.#keep(page);
    return value;
  }

  /** Reads a document that may be missing. Undefined for a 404, 403 or 501. Throws as {@link readAs} does. */
  async readIfThere<T>(target: string, isExpected: (value: unknown) => value is T): Promise<T | undefined> {
    const page = await this.#read(target);
    const value = MISSING.has(page.status) ? undefined : this.#expectThere(page, isExpected);
    this.#keep(page);
    return value;
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
      this.#keep(page);
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
    const { service, redactor, isLeftOut } = this.#options;
    const { status, text, headers, json: parsed } = await service.get(target);
    if (status === 200 && parsed === undefined) {
      const type = headers.get('content-type') ?? 'no media type';
      throw new ServiceError(`${service.base} is no vals API: GET ${target} responded with ${type} in place of JSON.`);
    }
    const clean: unknown = parsed === undefined ? undefined : JSON.parse(redactor.redactKnown(text));
    const data = isPage(clean) ? clean.data.filter((item) => !isLeftOut(item)) : [];
    const isShortened = isPage(clean) && data.length < clean.data.length;
    const json = isPage(clean) ? { ...clean, data } : clean;
    const page = { target, status, json, ...(isShortened && { isShortened }) };
    this.#pages.set(target, page);
    return page;
  }

  /** Keeps a document for another attempt, once it proves to be what it should be. */
  #keep(page: ReadPage): void {
    const { file, head } = this.#options;
    // What is missing may be there for another token.
    if (page.status !== 200 || FIRST.test(page.target) || this.#kept.has(page.target)) return;
    this.#kept.add(page.target);
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify(head)}\n`, { mode: 0o600 });
    }
    appendFileSync(file, `${JSON.stringify(page)}\n`);
  }

  async #limit<T>(run: () => Promise<T>): Promise<T> {
    if (this.#active === CONCURRENCY) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active++;
    try {
      return await run();
    } finally {
      // The next one takes the place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#active--;
    }
  }
}

/** Reads what an earlier attempt has kept. @throws ServiceError for a file that is of another pull */
function readKept({ file, head }: PagesOptions): ReadPage[] {
  if (!existsSync(file)) return [];
  const [found, ...lines] = readFileSync(file, 'utf8').split('\n');
  if (found === JSON.stringify(head)) return lines.flatMap(parsePage);
  throw new ServiceError(
    `${file} is of a pull from another URL or with other options. Repeat those, or remove the file to begin anew.`,
  );
}

/** Parses a line; the last one may be incomplete. */
function parsePage(line: string): ReadPage[] {
  const page = parseJsonIfValid(line);
  if (!isObject(page)) return [];
  const { target, status, json, isShortened } = page;
  if (typeof target !== 'string' || typeof status !== 'number') return [];
  return [{ target, status, json, ...(isShortened === true && { isShortened }) }];
}
