import { parseImports } from '#vals/collections/imports.js';
import type { Fixtures, ValCollectionName } from '#vals/collections/index.js';
import type { Account, PulledVal } from './account.js';

type Records<C extends keyof Fixtures> = NonNullable<Fixtures[C]>[number];

/**
 * Makes fixtures of an account. Placeholders stand for users and vals that only counts show.
 * @param now time of the pull, in milliseconds
 */
export function toFixtures(
  { me, users, vals, runs, likes, comments }: Account,
  now: number,
): Required<Pick<Fixtures, ValCollectionName>> {
  const namePlaceholder = chooseNames(users);
  const likers = makeLikers(vals, likes, namePlaceholder);
  const importers = makeImporters(vals, namePlaceholder(1));
  // Likers are the authors of the importers, too.
  const hasOnlyImporters = likers.users.length === 0 && importers.length > 0;
  const placeholders = hasOnlyImporters ? [placeholder(namePlaceholder(1))] : likers.users;
  return {
    users: [
      ...users.map(({ id, username, bio, profileImageUrl, email, tier }) => ({
        ...{ id, username, bio, profileImageUrl },
        ...(email !== undefined && { email }),
        ...(tier !== undefined && { tier }),
      })),
      ...placeholders,
    ],
    vals: [
      ...oldestFirst(vals).map(
        ({ id, author, name, code, version, readme, privacy, type, createdAt, versionCreatedAt }) => ({
          ...{ id, author: author.id, name, code, version, readme, privacy, type, createdAt },
          versionCreatedAt: versionCreatedAt ?? createdAt,
        }),
      ),
      ...importers,
    ],
    versions: vals.flatMap(({ id, versions }) =>
      versions
        .map(({ version, code, createdAt }) => ({ val: id, version, code, createdAt }))
        .sort((a, b) => a.version - b.version),
    ),
    runs: oldestFirst(runs).map(({ id, val, error, parentId, runStartAt, runEndAt, emails, logs, returnValue, args }) =>
      toJson({
        ...{ id, val: val.id, version: val.version, error, parentId: parentId ?? id, runStartAt, runEndAt },
        ...{ emails, logs, returnValue, args },
      }),
    ),
    // The latest comes first.
    likes: [...likes.map((val, i) => ({ user: me.id, val, createdAt: toTime(now - i * 1_000) })), ...likers.likes],
    comments: oldestFirst(comments).map(({ id, comment, createdAt, author, val }) => ({
      id,
      comment,
      createdAt,
      author: author.id,
      val: val.id,
    })),
  };
}

/** Lists are newest first. Of records with the same time, the emulator lists the last one of the fixtures first. */
const oldestFirst = <T>(items: readonly T[]): T[] => [...items].reverse();

const toTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Types the run as JSON, which it was read as. */
const toJson = (run: object): Records<'runs'> => JSON.parse(JSON.stringify(run));

type NamePlaceholder = (number: number) => string;

/** Chooses names that no user has: the account may be of an emulator with pulled fixtures. */
function chooseNames(users: Account['users']): NamePlaceholder {
  const taken = users.map(({ username }) => username?.toLowerCase() ?? '');
  let prefix = 'placeholder_';
  while (taken.some((username) => username.startsWith(prefix))) prefix = `another_${prefix}`;
  return (number) => prefix + number;
}

const placeholder = (username: string): Records<'users'> & { readonly username: string } => ({
  username,
  bio: 'A user whom the pulled account could not see.',
});

/** Limit of placeholders, since a service may count any number. */
const MAX_PLACEHOLDERS = 1_000;

const countPlaceholders = (missing: readonly { readonly count: number }[]): number =>
  missing.reduce((most, { count }) => Math.min(MAX_PLACEHOLDERS, Math.max(most, count)), 0);

/** Makes users who like vals as often as their counts say. */
function makeLikers(vals: readonly PulledVal[], likes: readonly string[], namePlaceholder: NamePlaceholder) {
  const liked = new Set(likes);
  const missing = vals.map(({ id, likeCount }) => ({ id, count: likeCount - (liked.has(id) ? 1 : 0) }));
  const length = countPlaceholders(missing);
  const users = Array.from({ length }, (_, i) => placeholder(namePlaceholder(i + 1)));
  const made = missing.flatMap(({ id, count }) =>
    users.slice(0, Math.max(0, count)).map(({ username }) => ({ user: username, val: id })),
  );
  return { users, likes: made };
}

/** Makes public vals that import vals as often as their counts say. */
function makeImporters(vals: readonly PulledVal[], author: string): Records<'vals'>[] {
  const known = new Map<string, number>();
  for (const { author, name, code, privacy } of vals) {
    const own = toKey(author.username ?? author.id, name);
    const imported =
      privacy === 'public' ? parseImports(code).map((target) => toKey(target.username, target.name)) : [];
    for (const key of imported) if (key !== own) known.set(key, (known.get(key) ?? 0) + 1);
  }
  const missing = vals.map(({ author, name, referenceCount }) => {
    const handle = author.username ?? author.id;
    return {
      address: `https://esm.town/v/${handle}/${name}`,
      count: referenceCount - (known.get(toKey(handle, name)) ?? 0),
    };
  });
  const length = countPlaceholders(missing);
  return Array.from({ length }, (_, i) => ({
    author,
    name: `importer_${i + 1}`,
    code: missing.flatMap(({ address, count }) => (count > i ? [`import "${address}";`] : [])),
  }));
}

const toKey = (handle: string, name: string): string => `${handle}/${name}`.toLowerCase();
