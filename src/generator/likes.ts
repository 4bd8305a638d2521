import { makeWeightedSampler, type Rng } from '../lib/rng.js';
import { type Ago, formatAgo, MINUTE, SECOND } from './calendar.js';
import type { Person } from './people.js';
import { formatRef, type GeneratedVal, type GeneratorContext } from './val.js';

/** Average number of likes per val. */
const LIKES_PER_VAL = 1.1;
/** Maximum fraction of people who like a val. */
const MAX_FANS = 0.8;
const RECENT: Ago = 25 * MINUTE;

/** How many people notice a val, relative to others: its popularity and that of being imported. */
export const getReach = ({ popularity, importers }: GeneratedVal): number =>
  popularity === 0 ? 0 : popularity + 2 * importers.filter(({ privacy }) => privacy === 'public').length;

/** Creates the likes, oldest first. */
export function makeLikes(vals: readonly GeneratedVal[], people: readonly Person[], context: GeneratorContext) {
  const { calendar } = context;
  const rng = context.rng.fork('likes');
  const sampleUser = makeWeightedSampler(people, ({ activity }) => 0.5 + Math.min(2, activity));
  const total = vals.reduce((sum, val) => sum + getReach(val), 0);
  const likes = vals.flatMap((val) => {
    const expected = (LIKES_PER_VAL * vals.length * getReach(val)) / Math.max(1, total);
    const count = Math.floor(Math.min(MAX_FANS * (people.length - 1), expected) + rng.next());
    const fans = new Map<Person, Ago>();
    // Most authors who import a val like it, at about that time.
    for (const { author, created } of val.importers) {
      if (fans.size < count && author !== val.author && !fans.has(author) && rng.bool(0.6)) {
        fans.set(author, Math.max(SECOND, created - rng.int(-20 * MINUTE, 90 * MINUTE)));
      }
    }
    for (let attempt = 0; fans.size < count && attempt < count * 4; attempt++) {
      const fan = sampleUser(rng);
      if (!fan || fan === val.author || fans.has(fan)) continue;
      const since = Math.min(val.created, fan.joined);
      fans.set(fan, calendar.between(rng, since * rng.next(), since));
    }
    return [...fans].map(([user, ago]) => ({ user, val, ago: Math.min(ago, val.created - MINUTE, user.joined) }));
  });
  return ensureRecent(likes, rng)
    .sort((a, b) => b.ago - a.ago)
    .map(({ user, val, ago }) => ({ user: user.username, val: formatRef(val), createdAt: formatAgo(ago) }));
}

/** Moves the two newest items to the last half hour, unless they are there. */
export function ensureRecent<T extends { readonly ago: Ago }>(items: readonly T[], rng: Rng): T[] {
  const newest = new Set([...items].sort((a, b) => a.ago - b.ago).slice(0, 2));
  return items.map((item) =>
    newest.has(item) && item.ago > RECENT ? { ...item, ago: rng.int(MINUTE, RECENT) } : item,
  );
}
