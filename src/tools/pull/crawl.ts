import { formatContent } from '#engine/definition/content.js';
import type { Fields } from '#engine/definition/context.js';
import { formatValue } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { onceFor } from '#engine/lib/once.js';
import { routes } from '#vals/service/all.routes.js';
import { definitions } from '#vals/service/service.collection.js';
import { ServiceError } from '../conformance/remote-service.js';
import { readBranches } from './branches.js';
import {
  idOf,
  NOUNS,
  type Noun,
  type NounName,
  type PulledRow,
  type PulledRows,
  type PullScope,
  ROOTS,
} from './nouns.js';
import { makePlaceholders } from './placeholders.js';
import { PAGED, type Reader } from './reader.js';

export interface CrawlOptions {
  readonly scope: PullScope;
  /** Earliest time of runs and comments. */
  readonly since?: string | undefined;
  /** Further projects: `grace/site`. */
  readonly projects: readonly string[];
}

const PLACEHOLDERS = 'Who else likes and imports the vals: placeholder users and vals do as often as the counts say.';
/** Facts that no GET shows. */
const HIDDEN = [
  'The emails, the databases, the values of environment variables and the blobs of projects: no GET has them.',
  'The times of the own likes: only their order is known.',
];

/** Reads an account with what its records name. @throws ServiceError for a service that is not the vals API */
export async function crawl(reader: Reader, options: CrawlOptions): Promise<PulledRows> {
  const me = await reader.item('/v1/me');
  if (typeof me?.id !== 'string') {
    throw new ServiceError(reader.unseen[0] ?? 'GET /v1/me responded with another shape: expected an id.');
  }
  return new Crawl(reader, options, { ...me, id: me.id }).run();
}

class Crawl {
  readonly #reader: Reader;
  readonly #options: CrawlOptions;
  readonly #me: Fields & { readonly id: string };
  /** Users, organizations and vals that records name, by id. */
  readonly #named = {
    user: new Map<string, Fields>(),
    org: new Map<string, Fields>(),
    val: new Map<string, Fields>(),
  };
  readonly #listKeys = onceFor(
    ({ list, item }: Noun) => new Set([list, item].flatMap((path) => (path ? listKeys(path) : []))),
  );
  /** The vals of `/v1` that were read. */
  readonly #vals: Fields[] = [];

  constructor(reader: Reader, options: CrawlOptions, me: Fields & { readonly id: string }) {
    this.#reader = reader;
    this.#options = options;
    this.#me = me;
  }

  async run(): Promise<PulledRows> {
    const above = { user_id: this.#me.id };
    await this.#walk('ownVals', above);
    const own = [...this.#named.val.keys()];
    const listed = (await Promise.all(ROOTS.map((name) => this.#walk(name, above)))).flat();
    const known = new Set(listed.map(([, { id }]) => id));
    const projects = await Promise.all(this.#options.projects.map((name) => this.#readProject(name, known)));
    // Lists arrive in any order.
    const ids = new Set([...own, ...[...this.#named.val.keys()].sort()]);
    const named = Array.from(ids, (id) => this.#named.val.get(id) ?? { id });
    const vals = await this.#readItems(NOUNS.vals, named, {});
    const users = await this.#readItems(NOUNS.users, sortById(this.#named.user), {});
    const organizations = sortById(this.#named.org).flatMap(({ id, username }): PulledRow[] =>
      known.has(id) ? [] : [['organizations', { id, username }]],
    );
    const me: PulledRow = ['users', this.#take(NOUNS.users, this.#me, above)];
    const rows = [me, ...users, ...listed, ...projects.flat(), ...organizations, ...vals];
    const placeholders = makePlaceholders(this.#vals, rows);
    if (placeholders.length > 0) this.#reader.note(PLACEHOLDERS);
    const { runDetails, history } = this.#options.scope;
    if (!runDetails) this.#reader.note('The logs, arguments and return values of runs: --no-run-details.');
    if (!history) this.#reader.note('What files and vals were in earlier versions: --no-history.');
    for (const fact of HIDDEN) this.#reader.note(fact);
    return toCollections([...rows, ...placeholders]);
  }

  /** Whether an item is of no private val, or private ones are read. */
  #isShown = (item: Fields): boolean =>
    this.#options.scope.private || [item, item.val].every((each) => !isObject(each) || each.privacy !== 'private');

  /** Reads a list, its items and what is below them, in the order of fixtures. */
  async #walk(name: NounName, above: Fields): Promise<PulledRow[]> {
    const noun = NOUNS[name];
    const { scope, since } = this.#options;
    if (noun.listFor && !scope[noun.listFor]) return [];
    if (name === 'branches') return readBranches(this.#reader, above, scope.history);
    // The latest version is in the val, and others keep theirs.
    if (name === 'versions' && idOf(above.author) !== this.#me.id) return [];
    const query = { ...(!noun.isArray && PAGED), ...noun.query?.(above, since === undefined ? {} : { since }) };
    const items = (await this.#reader.list(noun.list, above, query)) ?? [];
    return this.#readItems(
      noun,
      name === 'versions' ? items.filter(({ version }) => version !== above.latest) : items,
      above,
    );
  }

  async #readItems(noun: Noun, items: readonly Fields[], above: Fields): Promise<PulledRow[]> {
    const rows = await Promise.all(items.map((item, i) => this.#readItem(noun, item, above, items.length - 1 - i)));
    return (noun.isNewestFirst ? rows.reverse() : rows).flat();
  }

  /** @param older number of items of the list after it */
  async #readItem(noun: Noun, listed: Fields, above: Fields, older = 0): Promise<PulledRow[]> {
    const { collection, below = [], isBytes, item: route, ids = {}, itemFor } = noun;
    if (!this.#isShown(listed)) return [];
    const toValues = (item: Fields): Fields => ({
      ...above,
      ...Object.fromEntries(Object.entries(ids).map(([name, key]) => [name, item[key]])),
    });
    const isRead = route !== undefined && (!itemFor || this.#options.scope[itemFor]);
    const bytes = isRead && isBytes ? await this.#reader.read(route, toValues(listed)) : undefined;
    if (isBytes && !bytes) return [];
    const detail = isRead && !isBytes ? await this.#reader.item(route, toValues(listed)) : undefined;
    const item = { ...listed, ...detail };
    if (!this.#isShown(item)) return [];
    this.#noteNames(noun, item);
    if (collection === 'vals') this.#vals.push(item);
    const values = toValues(item);
    const own = { ...this.#take(noun, item, values, older), ...(bytes && formatContent(bytes.bytes)) };
    const rows = await Promise.all(below.map((name) => this.#walk(name, values)));
    return [...(collection ? [[collection, own] as const] : []), ...rows.flat()];
  }

  /** Takes the keys that fixtures have as well, of those that the emulator responds with, and notes all others. */
  #take(noun: Noun, item: Fields, above: Fields, older = 0): Fields {
    const { collection, list, row } = noun;
    const keys = this.#listKeys(noun);
    const properties = definitions.byName.get(collection ?? '')?.schema.properties ?? {};
    const taken = Object.entries(item).filter(([key]) => {
      if (!keys.has(key)) this.#reader.note(`The key ${formatValue(key)} of GET ${list}: fixtures have none.`);
      return keys.has(key) && Object.hasOwn(properties, key);
    });
    return { ...Object.fromEntries(taken), ...row?.(item, above, older) };
  }

  /** Remembers the users, organizations and vals that an item names. */
  #noteNames(noun: Noun, item: Fields): void {
    for (const owner of [item.author, item.user, isObject(item.val) ? item.val.author : undefined]) {
      if (!isObject(owner) || typeof owner.id !== 'string' || owner.id === this.#me.id) continue;
      this.#named[owner.type === 'org' ? 'org' : 'user'].set(owner.id, owner);
    }
    for (const val of noun.vals?.(item) ?? []) {
      if (!isObject(val) || typeof val.id !== 'string' || this.#named.val.get(val.id)?.code) continue;
      this.#named.val.set(val.id, val.code ? val : { id: val.id });
    }
  }

  /** Reads a project by its name. @param known ids of those that were read already */
  async #readProject(name: string, known: ReadonlySet<unknown>): Promise<PulledRow[]> {
    const [username, val_name] = name.split('/');
    const project = await this.#reader.item('/v2/alias/vals/{username}/{val_name}', { username, val_name });
    if (!project || known.has(project.id)) return [];
    return this.#readItem({ ...NOUNS.projects, below: ['branches'] }, project, {});
  }
}

/** Lists the keys that the emulator responds with: those of an item, of a list. */
function listKeys(path: string): string[] {
  const response: unknown = routes.find((route) => route.method === 'GET' && route.path === path)?.response;
  const dig = (schema: unknown, key: string): unknown => (isObject(schema) ? schema[key] : undefined);
  const items = dig(dig(dig(response, 'properties'), 'data'), 'items') ?? dig(response, 'items') ?? response;
  return Object.keys(Object(dig(items, 'properties')));
}

/** Sorts what was named in any order. */
const sortById = (records: ReadonlyMap<string, Fields>): Fields[] =>
  [...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);

/** Sorts records into their collections. */
function toCollections(rows: readonly PulledRow[]): PulledRows {
  const sorted = new Map<string, Fields[]>(definitions.names.map((name) => [name, []]));
  for (const [name, row] of rows) sorted.get(name)?.push(row);
  return Object.fromEntries([...sorted].filter(([, own]) => own.length > 0));
}
