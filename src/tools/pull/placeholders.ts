import type { Fields } from '#engine/definition/context.js';
import { isObject } from '#engine/lib/objects.js';
import { parseImports } from '#vals/vals/imports.collection.js';
import type { PulledRow } from './nouns.js';

/** Limit of placeholders, since a service may count any number. */
const MOST_PLACEHOLDERS = 1_000;

/** Makes users who like vals, each with a public val that imports vals, as often as only the counts of the vals show. */
export function makePlaceholders(vals: readonly Fields[], rows: readonly PulledRow[]): PulledRow[] {
  const liked = new Set(rows.flatMap(([collection, { val }]) => (collection === 'likes' ? [val] : [])));
  const imports = vals
    .filter(({ privacy }) => privacy === 'public')
    .map((val) => ({ own: toKey(val), all: listKeys(val) }));
  const missing = vals.map((val) => {
    const key = toKey(val);
    const importers = imports.filter(({ own, all }) => own !== key && all.has(key)).length;
    return {
      ...{ id: val.id, code: `import "https://esm.town/v/${key}";` },
      likes: toCount(val.likeCount) - (liked.has(val.id) ? 1 : 0),
      imports: toCount(val.referenceCount) - importers,
    };
  });
  const length = missing.reduce((most, { likes, imports }) => Math.max(most, likes, imports), 0);
  const prefix = choosePrefix(rows);
  return Array.from({ length }, (_, i): PulledRow[] => {
    const username = `${prefix}${i + 1}`;
    const code = missing.flatMap((each) => (each.imports > i ? [each.code] : []));
    return [
      ['users', { username, bio: 'A user whom the pulled account could not see.' }],
      ...(code.length > 0 ? [['vals', { author: username, name: 'importer', code }] as const] : []),
      ...missing.flatMap(({ id, likes }) => (likes > i ? [['likes', { user: username, val: id }] as const] : [])),
    ];
  }).flat();
}

const toCount = (value: unknown): number => (typeof value === 'number' ? Math.min(value, MOST_PLACEHOLDERS) : 0);

/** Names a val as imports do: `ada/hello`. */
const toKey = ({ author, name }: Fields): string =>
  `${isObject(author) ? (author.username ?? author.id) : ''}/${name}`.toLowerCase();

const listKeys = ({ code }: Fields): Set<string> =>
  new Set(parseImports(String(code)).map(({ username, name }) => `${username}/${name}`));

/** Chooses the start of names that no user has: the account may be of an emulator with pulled fixtures. */
function choosePrefix(rows: readonly PulledRow[]): string {
  const taken = rows.map(([, { username }]) => String(username).toLowerCase());
  let prefix = 'placeholder_';
  while (taken.some((username) => username.startsWith(prefix))) prefix = `another_${prefix}`;
  return prefix;
}
