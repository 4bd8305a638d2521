import { formatContent } from '#engine/definition/content.js';
import type { Fields } from '#engine/definition/context.js';
import { formatValue } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { formatCount } from '#engine/lib/text.js';
import { toTimestamp } from '#engine/lib/time.js';
import { definitions } from '#vals/collections/index.js';
import { routes } from '#vals/routes/index.js';
import { ServiceError } from '../conformance/remote-service.js';
import { readBranches } from './branches.js';
import { NOUNS, type Noun, type NounName, type PulledRow, type PulledRows, type PullScope } from './nouns.js';
import { makePlaceholders } from './placeholders.js';
import { PAGED, type Reader } from './reader.js';

export interface CrawlOptions {
  readonly scope: PullScope;
  /** Earliest time of runs and comments. */
  readonly since?: string | undefined;
  /** Further projects: `grace/site`. */
  readonly projects: readonly string[];
}

/** The lists from which all starts, after that of the own vals. */
const ROOTS = ['organizations', 'projects', 'likes', 'comments', 'references', 'runs', 'blobs'] as const;

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

  constructor(reader: Reader, options: CrawlOptions, me: Fields & { readonly id: string }) {
    this.#reader = reader;
    this.#options = options;
    this.#me = me;
  }

  async run(): Promise<PulledRows> {
    const { scope, projects } = this.#options;
    const above = { user_id: this.#me.id };
    await this.#walk('ownVals', above);
    const own = new Set(this.#named.val.values());
    const listed = (await Promise.all(ROOTS.map((name) => this.#walk(name, above)))).flat();
    const known = new Set(listed.map(([, { id }]) => id));
    const others = await Promise.all(projects.map((name) => this.#readProject(name, known)));
    const named = [...own, ...sortById(this.#named.val).filter((val) => !own.has(val))];
    const vals = (await Promise.all(named.map((val) => this.#readVal(val)))).reverse();
    const shown = vals.filter((val) => val !== undefined);
    const users = await Promise.all(sortById(this.#named.user).map((user) => this.#readUser(user)));
    const rows: PulledRow[] = [
      ['users', this.#take(NOUNS.users, this.#me, above)],
      ...[...users, ...listed, ...others.flat(), ...shown.flatMap(({ rows }) => rows)],
    ];
    const organizations = new Set(rows.map(([, { id }]) => id));
    for (const [id, { username }] of this.#named.org) {
      if (!organizations.has(id)) rows.push(['organizations', { id, username }]);
    }
    const placeholders = makePlaceholders(
      shown.map(({ val }) => val),
      rows,
    );
    if (placeholders.length > 0) {
      this.#reader.note(
        'Who else likes and imports the vals: placeholder users and vals do as often as the counts say.',
      );
    }
    if (!scope.runDetails) this.#reader.note('The logs, arguments and return values of runs: --no-run-details.');
    if (!scope.history) this.#reader.note('What files and vals were in earlier versions: --no-history.');
    for (const fact of HIDDEN) this.#reader.note(fact);
    return toCollections([...this.#withoutOrphans(rows, new Set(shown.map(({ val }) => val.id))), ...placeholders]);
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
    const query = { ...(!noun.isArray && PAGED), ...noun.query?.(above, since === undefined ? {} : { since }) };
    const items = ((await this.#reader.list(noun.list, above, query)) ?? []).filter(this.#isShown);
    const rows = await Promise.all(items.map((item) => this.#readItem(noun, item, above)));
    return (noun.isNewestFirst ? rows.reverse() : rows).flat();
  }

  async #readItem(noun: Noun, listed: Fields, above: Fields): Promise<PulledRow[]> {
    const { collection, below = [], isBytes, item: route, ids = {}, itemFor } = noun;
    const values = { ...above, ...Object.fromEntries(Object.entries(ids).map(([name, key]) => [name, listed[key]])) };
    let item = listed;
    let content: Fields = {};
    if (route && (!itemFor || this.#options.scope[itemFor])) {
      if (isBytes) {
        const reply = await this.#reader.read(route, values);
        if (!reply) return [];
        content = formatContent(reply.bytes);
      } else item = { ...(await this.#reader.item(route, values)), ...listed };
    }
    this.#noteNames(noun, item);
    const rows = await Promise.all(below.map((name) => this.#walk(name, values)));
    const own = collection && ([collection, { ...this.#take(noun, item, values), ...content }] as const);
    return [...(own ? [own] : []), ...rows.flat()];
  }

  /** Takes the keys that fixtures have as well, of those that the emulator responds with, and notes all others. */
  #take({ collection, list, item: route, row }: Noun, item: Fields, above: Fields): Fields {
    const keys = new Set([list, route].flatMap((each) => (each ? listKeys(each) : [])));
    const properties = definitions.byName.get(collection ?? '')?.schema.properties ?? {};
    const taken = Object.entries(item).filter(([key]) => {
      if (!keys.has(key)) this.#reader.note(`The key ${formatValue(key)} of GET ${list}: fixtures have none.`);
      return keys.has(key) && Object.hasOwn(properties, key);
    });
    return { ...Object.fromEntries(taken), ...row?.(item, above) };
  }

  /** Remembers the users, organizations and vals that an item names. */
  #noteNames(noun: Noun, item: Fields): void {
    const owners = [item.author, item.user, isObject(item.val) ? item.val.author : undefined];
    for (const owner of owners) {
      if (!isObject(owner) || typeof owner.id !== 'string' || owner.id === this.#me.id) continue;
      this.#named[owner.type === 'org' ? 'org' : 'user'].set(owner.id, owner);
    }
    for (const val of noun.vals?.(item) ?? []) {
      if (!isObject(val) || typeof val.id !== 'string') continue;
      if (this.#named.val.get(val.id)?.code === undefined) this.#named.val.set(val.id, val);
    }
  }

  /** Reads a val that lists name, with the versions of an own one. Undefined if it cannot be read. */
  async #readVal(listed: Fields): Promise<{ readonly val: Fields; readonly rows: PulledRow[] } | undefined> {
    const val = (await this.#reader.item('/v1/vals/{val_id}', { val_id: listed.id })) ?? listed;
    if (typeof val.code !== 'string' || !isObject(val.author) || !this.#isShown(val)) return undefined;
    this.#noteNames(NOUNS.vals, val);
    const above = { val_id: val.id };
    const isOwn = val.author.id === this.#me.id;
    const versions = isOwn ? await this.#walk('versions', above) : [];
    const older = versions.filter(([, { version }]) => version !== val.version);
    return { val, rows: [['vals', this.#take(NOUNS.vals, val, above)], ...older] };
  }

  async #readUser(listed: Fields): Promise<PulledRow> {
    const user = { ...listed, ...(await this.#reader.item('/v1/users/{user_id}', { user_id: listed.id })) };
    return ['users', { username: null, ...this.#take(NOUNS.users, user, {}) }];
  }

  /** Reads a project by its name. @param known ids of those that were read already */
  async #readProject(name: string, known: ReadonlySet<unknown>): Promise<PulledRow[]> {
    const [username, val_name] = name.split('/');
    const project = await this.#reader.item('/v2/alias/vals/{username}/{val_name}', { username, val_name });
    if (!project || known.has(project.id)) return [];
    return this.#readItem({ ...NOUNS.projects, below: ['branches'] }, project, {});
  }

  /** Leaves out the records of vals that are not among the pulled ones. */
  #withoutOrphans(rows: readonly PulledRow[], vals: ReadonlySet<unknown>): PulledRow[] {
    const kept = rows.filter(([, { val }]) => val === undefined || vals.has(val));
    const count = rows.length - kept.length;
    if (count > 0) this.#reader.note(`${formatCount(count, 'record')} of vals that were not read.`);
    return kept;
  }
}

/** Lists the keys that the emulator responds with: those of an item, of a list. */
function listKeys(path: string): string[] {
  const response: unknown = routes.find((route) => route.method === 'GET' && route.path === path)?.response;
  const dig = (schema: unknown, key: string): unknown => (isObject(schema) ? schema[key] : undefined);
  const items = dig(dig(dig(response, 'properties'), 'data'), 'items') ?? dig(response, 'items') ?? response;
  const properties = dig(items, 'properties');
  return isObject(properties) ? Object.keys(properties) : [];
}

/** Sorts what was named in any order. */
const sortById = (records: ReadonlyMap<string, Fields>): Fields[] =>
  [...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);

/** Sorts records into their collections. Likes, whose times are unknown, are a second apart. */
function toCollections(rows: readonly PulledRow[]): PulledRows {
  const collections = definitions.names.map((name) => {
    const own = rows.flatMap(([collection, row]) => (collection === name ? [row] : []));
    return [
      name,
      name === 'likes' ? own.map((row, i) => ({ ...row, createdAt: toTimestamp(i * 1_000) })) : own,
    ] as const;
  });
  return Object.fromEntries(collections.filter(([, own]) => own.length > 0));
}

/** The collections that a pull reads. */
export const PULLED: ReadonlySet<string> = new Set([
  'commits',
  ...Object.values(NOUNS).flatMap(({ collection }) => collection ?? []),
]);
