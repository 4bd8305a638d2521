import { isObject } from '#engine/lib/objects.js';
import type { Pages } from './pages.js';
import {
  type Comment,
  isComment,
  isListedVal,
  isReference,
  isRun,
  isUser,
  isVal,
  isVersionItem,
  type ListedVal,
  type Run,
  type User,
  type Val,
} from './shapes.js';

/** An account with its records, as the service shows it. */
export interface Account {
  readonly me: User;
  readonly users: readonly User[];
  /** Its own vals, and vals of others that it likes, has commented, or that depend on its own. */
  readonly vals: readonly PulledVal[];
  readonly runs: readonly Run[];
  /** Ids of vals, the latest like first. */
  readonly likes: readonly string[];
  readonly comments: readonly Comment[];
  /** Facts that the service does not show, in words. */
  readonly unseen: readonly string[];
}

export interface PulledVal extends Val {
  readonly author: NonNullable<Val['author']>;
  readonly code: string;
  readonly type: NonNullable<Val['type']>;
  readonly readme: string | null;
  readonly likeCount: number;
  readonly referenceCount: number;
  readonly versions: readonly { readonly version: number; readonly code: string; readonly createdAt: string }[];
}

export interface CrawlOptions {
  /** Earliest time of runs and comments. */
  readonly since?: string | undefined;
  /** Whether to read the logs, arguments and return value of each run. */
  readonly runDetails: boolean;
}

const describeMissing = (path: string): string => `the service does not have GET ${path}, or does not show it.`;

/** Reads an account. @throws ServiceError for a service that is not the vals API */
export async function crawl(pages: Pages, { since, runDetails }: CrawlOptions): Promise<Account> {
  const unseen: string[] = [];
  const me = await pages.readAs('/v1/me', isUser);
  const window = since === undefined ? '' : `&since=${encodeURIComponent(since)}`;
  const own = await pages.readList(`/v1/users/${me.id}/vals?limit=100`, isListedVal);
  if (!own)
    unseen.push(
      `The list of own vals: ${describeMissing('/v1/users/{user_id}/vals')} Only vals that other lists name were found.`,
    );
  const list = async <T>(target: string, isExpected: (value: unknown) => value is T): Promise<T[]> => {
    const items = await pages.readList(target, isExpected);
    if (!items) unseen.push(`A list: ${describeMissing(target.replace(/\?.*/, ''))}`);
    return items ?? [];
  };
  const [likes, comments, references, listedRuns] = await Promise.all([
    list('/v1/me/likes?limit=100', isListedVal),
    list(`/v1/me/comments?limit=100${window}`, isComment),
    list('/v1/me/references?limit=100', isReference),
    list(`/v1/me/runs?limit=100${window}`, isRun),
  ]);
  const ids = new Set([
    ...[...(own ?? []), ...likes, ...comments.map(({ val }) => val), ...listedRuns.map(({ val }) => val)].map(
      ({ id }) => id,
    ),
    ...references.flatMap(({ reference, dependsOn }) => [reference.id, dependsOn.id]),
  ]);
  const found = await Promise.all([...ids].map((id) => readVal(pages, id, me.id)));
  const vals = found.filter((val) => val !== undefined);
  if (vals.length < ids.size) unseen.push(`${ids.size - vals.length} vals that lists name, but that cannot be read.`);
  const known = new Set(vals.map(({ id }) => id));
  const runs = runDetails ? await readRuns(pages, listedRuns, unseen) : listedRuns;
  if (!runDetails && runs.length > 0) unseen.push('The logs, arguments and return values of runs: --no-run-details.');
  const authors = [...vals, ...comments].map(({ author }) => author);
  return {
    me,
    users: await readUsers(pages, me, authors),
    vals,
    runs: runs.filter(({ val }) => known.has(val.id)),
    likes: likes.map(({ id }) => id).filter((id) => known.has(id)),
    comments: comments.filter(({ val }) => known.has(val.id)),
    unseen: [...unseen, ...describeLimits(me, vals, runs)],
  };
}

/** Reads a val, with all versions if it is an own one. Undefined if it cannot be read, or has no author. */
async function readVal(pages: Pages, id: string, ownId: string): Promise<PulledVal | undefined> {
  const val = await pages.readIfThere(`/v1/vals/${id}`, isVal);
  if (!val?.author) return undefined;
  const { author, code, type, readme, likeCount, referenceCount } = val;
  const pulled = {
    ...{ ...val, author, code: code ?? '', type: type ?? 'script', readme: readme ?? null },
    ...{ likeCount: likeCount ?? 0, referenceCount: referenceCount ?? 0 },
  };
  if (author.id !== ownId) return { ...pulled, versions: [] };
  const listed = (await pages.readList(`/v1/vals/${id}/versions?limit=100`, isVersionItem)) ?? [];
  const versions = await Promise.all(
    listed
      .filter(({ version }) => version !== val.version)
      .map(async ({ version, createdAt }) => {
        const old = await pages.readIfThere(`/v1/vals/${id}/versions/${version}`, isVal);
        return { version, createdAt, code: old?.code ?? '' };
      }),
  );
  return { ...pulled, versions };
}

async function readRuns(pages: Pages, listed: readonly Run[], unseen: string[]): Promise<readonly Run[]> {
  const [first] = listed;
  if (!first) return [];
  if (!(await pages.readIfThere(`/v1/runs/${first.id}`, isRun))) {
    unseen.push(`The logs, arguments and return values of runs: ${describeMissing('/v1/runs/{run_id}')}`);
    return listed;
  }
  return Promise.all(listed.map(async (run) => (await pages.readIfThere(`/v1/runs/${run.id}`, isRun)) ?? run));
}

type Author = NonNullable<ListedVal['author']>;

/** Reads the profiles of users. Those without one have a name only. */
async function readUsers(pages: Pages, me: User, authors: readonly Author[]): Promise<User[]> {
  const others = new Map(authors.filter(({ id }) => id !== me.id).map((author) => [author.id, author]));
  const users = await Promise.all(
    [...others.values()].map(async ({ id, username }) => {
      const profile = await pages.readIfThere(`/v1/users/${id}`, isUser);
      return profile ?? { id, username, bio: null, profileImageUrl: null };
    }),
  );
  return [me, ...users];
}

/** Describes facts that the API never shows. */
function describeLimits(me: User, vals: readonly PulledVal[], runs: readonly Run[]): string[] {
  const own = vals.filter(({ author }) => author.id === me.id);
  const isMissing = { likes: own.some(({ likeCount }) => likeCount > 0), others: own.length < vals.length };
  return [
    ...(isMissing.likes ? ['Who else likes the vals: placeholder users have as many likes.'] : []),
    ...(isMissing.others
      ? ['The older versions of the vals of others, and what depends on them: placeholder vals import them as often.']
      : []),
    'The times of the own likes: only their order is known.',
    ...(runs.length > 0 ? ['What started the runs: all have the source ui.'] : []),
    'The numbers of deleted latest versions: a new version may use one again.',
    'The emails and the database of the account: no GET has them.',
  ];
}

/** Recognizes items of lists that belong to private vals. */
export class PrivateVals {
  readonly #ids = new Set<string>();

  /** Whether an item of a list is a private val, or belongs to one. */
  has(item: unknown): boolean {
    if (!isObject(item)) return false;
    const { val, reference, dependsOn } = item;
    const parts = [item, val, reference, dependsOn].filter(isObject);
    for (const { id, privacy } of parts) if (privacy === 'private' && typeof id === 'string') this.#ids.add(id);
    return parts.some(({ id }) => typeof id === 'string' && this.#ids.has(id));
  }
}
