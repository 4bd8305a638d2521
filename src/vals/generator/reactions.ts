import { makeWeightedSampler, type Rng } from '#engine/lib/rng.js';
import { mapInSteps } from '#engine/lib/steps.js';
import { type Ago, formatAgo, HOUR, MINUTE, SECOND } from './calendar.js';
import type { GeneratorContext } from './context.js';
import { LIBRARY } from './context.js';
import type { Person } from './people.js';
import { interpolate } from './text.js';
import type { ParamValue } from './themes.js';
import { formatRef, type GeneratedVal, getTemplateValues, getVersionAt } from './val.js';

const LIKES_PER_VAL = 1.1;
/** Maximum fraction of people who like a val. */
const MAX_FANS = 0.8;
const THREADS_PER_VAL = 0.32;
const MAX_THREADS = 14;
const RECENT: Ago = 25 * MINUTE;

/** Relative number of people who notice a val, by its popularity and its importers. */
const getReach = ({ popularity, importers }: GeneratedVal): number =>
  popularity === 0 ? 0 : popularity + 2 * importers.filter(({ privacy }) => privacy === 'public').length;

/** Creates the likes, oldest first. */
export function* makeLikes(vals: readonly GeneratedVal[], people: readonly Person[], context: GeneratorContext) {
  const rng = context.rng.fork('likes');
  const sampleUser = makeWeightedSampler(people, ({ activity }) => 0.5 + Math.min(2, activity));
  const total = vals.reduce((sum, val) => sum + getReach(val), 0);
  const likes = yield* mapInSteps(vals, (val) => {
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
      const youngest = since * rng.next();
      fans.set(fan, context.timeAt(rng.next(), youngest, since));
    }
    return [...fans].map(([user, ago]) => ({ user, val, ago: Math.min(ago, val.created - MINUTE, user.joined) }));
  });
  return ensureRecent(likes.flat(), rng)
    .sort((a, b) => b.ago - a.ago)
    .map(({ user, val, ago }) => ({ user: user.username, val: formatRef(val), createdAt: formatAgo(ago) }));
}

/** Moves the two newest items to the last half hour, unless they are there. */
function ensureRecent<T extends { readonly ago: Ago }>(items: readonly T[], rng: Rng): T[] {
  const newest = new Set([...items].sort((a, b) => a.ago - b.ago).slice(0, 2));
  const isOld = (item: T) => newest.has(item) && item.ago > RECENT;
  return items.map((item) => (isOld(item) ? { ...item, ago: rng.int(MINUTE, RECENT) } : item));
}

/** A comment on a val between two times, and the reply of the author of the val. */
interface Thread {
  readonly author: Person | undefined;
  readonly phrase: string;
  readonly youngest: Ago;
  readonly oldest: Ago;
  /** Values for both comments, in addition to the values of the template. */
  readonly values?: Readonly<Record<string, ParamValue>>;
  readonly replies: readonly string[];
  /** Probability of a reply within hours. Without it, there is one, within hours of `youngest`: the time of the fix. */
  readonly replyRate?: number;
}

/** Creates the comments, oldest first. */
export function* makeComments(vals: readonly GeneratedVal[], people: readonly Person[], context: GeneratorContext) {
  const rng = context.rng.fork('comments');
  const { phrases } = context.data;
  const sampleUser = makeWeightedSampler(people, ({ activity, username }) =>
    username === LIBRARY ? 0 : 0.5 + Math.min(2, activity),
  );
  /** How often each phrase was used, on any val. */
  const uses = new Map<string, number>();
  const total = vals.reduce((sum, val) => sum + Math.sqrt(getReach(val)), 0);
  const comments = yield* mapInSteps(vals, (val) => {
    const expected = (THREADS_PER_VAL * vals.length * Math.sqrt(getReach(val))) / Math.max(1, total);
    const count = Math.min(MAX_THREADS, Math.floor(expected + rng.next()));
    return count === 0 ? [] : writeThreads(val, count);
  });
  // The default user of clients has a recent comment on their best known val.
  const own = vals.filter((val) => val.author === people[0] && getReach(val) > 0);
  const [best] = own.sort((a, b) => getReach(b) - getReach(a));
  const latest = best ? writeThread(best, praise(best, MINUTE, 25 * MINUTE)).slice(0, 1) : [];
  return [...ensureRecent(comments.flat(), rng), ...latest]
    .sort((a, b) => b.ago - a.ago)
    .map(({ author, val, comment, ago }) => ({ author, val, createdAt: formatAgo(ago), comment }));

  function writeThreads(val: GeneratedVal, count: number) {
    const specific = rng.shuffle([...listReports(val), ...listWishes(val), ...listMentions(val)]);
    const threads = new Map<string, ReturnType<typeof writeThread>>();
    for (let left = count; left > 0; left--) {
      const start = rng.bool(0.55) ? specific.pop() : undefined;
      const thread = start?.() ?? (rng.bool(0.2) ? ask(val) : praise(val, 0, val.created));
      if (!threads.get(thread.phrase)?.length) threads.set(thread.phrase, writeThread(val, thread));
    }
    return [...threads.values()].flat();
  }

  /** Writes the comments of a thread; none if there is not enough time. */
  function writeThread(val: GeneratedVal, thread: Thread) {
    const { author, phrase, youngest, oldest, values, replies, replyRate } = thread;
    const since = Math.min(oldest, author?.joined ?? 0) - 30 * SECOND;
    if (!author || since <= youngest) return [];
    const ago = context.timeAt(rng.next(), youngest, since);
    const comment = toComment(val, author, phrase, ago, values);
    if (replies.length === 0 || (replyRate !== undefined && !rng.bool(replyRate))) return [comment];
    const reply = takeRarest(replies);
    if (val.author.username === LIBRARY && rng.bool()) return [comment];
    const replied = (replyRate === undefined ? youngest : ago) - rng.int(MINUTE, 5 * HOUR);
    return replied > 0 ? [comment, toComment(val, val.author, reply, replied, values)] : [comment];
  }

  /** Reports of bugs, before the fix. */
  function listReports({ author, versions, template: { bug } }: GeneratedVal): (() => Thread)[] {
    return versions.flatMap(({ hasBug, created: oldest, number }, index) => {
      const fix = versions[index + 1];
      if (!hasBug || !bug) return [];
      const values = { error: bug.error, version: number, ...(fix && { fixed: fix.number }) };
      const after = { youngest: fix?.created ?? 0, values, replies: fix ? phrases.repairs : [] };
      return () => ({ author: findUser(author, oldest), phrase: takeRarest(phrases.reports), oldest, ...after });
    });
  }

  /** Wishes that a later version fulfils. */
  function listWishes({ author, versions, template: { wishes = [] } }: GeneratedVal): (() => Thread)[] {
    return wishes.flatMap(({ stage, wish: phrase, reply }) => {
      const index = versions.findIndex((version) => version.stage >= stage);
      const [before, fulfilled] = [versions[index - 1], versions[index]];
      if (!before || !fulfilled || fulfilled.hasBug || before.created - fulfilled.created < 10 * MINUTE) return [];
      const { created: oldest } = before;
      const after = { youngest: fulfilled.created, values: { version: fulfilled.number }, replies: [reply] };
      return () => ({ author: findUser(author, oldest), phrase, oldest, ...after });
    });
  }

  /** Comments by authors who import the val. */
  function listMentions(val: GeneratedVal): (() => Thread)[] {
    const importers = val.importers.filter(({ privacy, author }) => privacy === 'public' && author !== val.author);
    return importers.slice(0, 20).map((importer) => () => {
      const { author, name, created: oldest } = importer;
      const values = { link: `[${name}](https://www.val.town/v/${formatRef(importer)})` };
      const youngest = Math.max(0, oldest - 30 * HOUR);
      return {
        author,
        phrase: takeRarest(phrases.mentions),
        youngest,
        oldest,
        values,
        replies: phrases.thanks,
        replyRate: 0.35,
      };
    });
  }

  function ask({ author, created: oldest }: GeneratedVal): Thread {
    const phrase = takeRarest(Object.keys(phrases.questions));
    const replies = [phrases.questions[phrase] ?? ''];
    return { phrase, author: findUser(author, oldest), youngest: 0, oldest, replies, replyRate: 0.8 };
  }

  function praise({ author, template, type }: GeneratedVal, youngest: Ago, oldest: Ago): Thread {
    const own = template.praise ?? [];
    const phrase = takeRarest([...own, ...own, ...phrases.praiseOfType[type], ...phrases.praise]);
    return { phrase, author: findUser(author, oldest), youngest, oldest, replies: phrases.thanks, replyRate: 0.15 };
  }

  function takeRarest(phrases: readonly string[]): string {
    const [only = '', ...others] = phrases;
    if (others.length === 0) return only;
    const countUses = (phrase: string) => uses.get(phrase) ?? 0;
    const fewest = Math.min(...phrases.map(countUses));
    const phrase = rng.pick(phrases.filter((other) => countUses(other) === fewest));
    uses.set(phrase, fewest + 1);
    return phrase;
  }

  /** Finds a user other than the author whose account existed at a time. */
  function findUser(author: Person, since: Ago): Person | undefined {
    for (let attempt = 0; attempt < 8; attempt++) {
      const user = sampleUser(rng);
      if (user && user !== author && user.joined > Math.min(since, HOUR)) return user;
    }
    return undefined;
  }
}

function toComment(val: GeneratedVal, { username }: Person, phrase: string, ago: Ago, values: Thread['values'] = {}) {
  const { code, params } = getVersionAt(val, ago);
  const known = getTemplateValues(val, params).set('lines', code.split('\n').length);
  return {
    author: username,
    val: formatRef(val),
    comment: interpolate(phrase, new Map([...known, ...Object.entries(values)])),
    ago,
  };
}
