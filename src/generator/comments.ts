import type { Input } from '../fixtures/schema.js';
import { makeWeightedSampler, type Rng } from '../lib/rng.js';
import { type Ago, type Calendar, formatAgo, HOUR, MINUTE, SECOND } from './calendar.js';
import { ensureRecent, getReach } from './likes.js';
import type { ParamValue } from './param-specs.js';
import { LIBRARY, type Person } from './people.js';
import { interpolate } from './text.js';
import { MENTIONS, PRAISE, PRAISE_OF_TYPE, QUESTIONS, REPAIRS, REPORTS, THANKS } from './themes/phrases.js';
import { formatRef, type GeneratedVal, type GeneratorContext, getTemplateValues, getVersionAt } from './val.js';

/** Average number of threads per val. */
const THREADS_PER_VAL = 0.32;
const MAX_THREADS = 14;

interface TimedComment extends Omit<Input<'comments'>, 'createdAt'> {
  readonly ago: Ago;
}

interface CommentContext {
  readonly rng: Rng;
  readonly calendar: Calendar;
  readonly sampleUser: (rng: Rng) => Person | undefined;
  /** How often each phrase was used, on any val. */
  readonly uses: Map<string, number>;
}

/** Creates the comments, oldest first. */
export function makeComments(vals: readonly GeneratedVal[], people: readonly Person[], generator: GeneratorContext) {
  const weigh = ({ activity, username }: Person) => (username === LIBRARY ? 0 : 0.5 + Math.min(2, activity));
  const rng = generator.rng.fork('comments');
  const sampleUser = makeWeightedSampler(people, weigh);
  const context = { rng, calendar: generator.calendar, sampleUser, uses: new Map<string, number>() };
  const total = vals.reduce((sum, val) => sum + Math.sqrt(getReach(val)), 0);
  const comments = vals.flatMap((val) => {
    const expected = (THREADS_PER_VAL * vals.length * Math.sqrt(getReach(val))) / Math.max(1, total);
    const count = Math.min(MAX_THREADS, Math.floor(expected + rng.next()));
    return count === 0 ? [] : new CommentThreads(val, context).write(count);
  });
  // The default user of clients has a recent comment on their best known val.
  const own = vals.filter((val) => val.author === people[0] && getReach(val) > 0);
  const [best] = own.sort((a, b) => getReach(b) - getReach(a));
  const recent = best ? new CommentThreads(best, context).writeRecent() : [];
  return [...ensureRecent(comments, rng), ...recent]
    .sort((a, b) => b.ago - a.ago)
    .map(({ author, val, comment, ago }) => ({ author, val, createdAt: formatAgo(ago), comment }));
}

type Values = Readonly<Record<string, ParamValue>>;

/** The comments on one val. */
class CommentThreads {
  readonly #comments: TimedComment[] = [];
  readonly #used = new Set<string>();
  readonly #val: GeneratedVal;
  readonly #context: CommentContext;
  readonly #rng: Rng;

  constructor(val: GeneratedVal, context: CommentContext) {
    this.#val = val;
    this.#context = context;
    this.#rng = context.rng;
  }

  write(count: number): readonly TimedComment[] {
    const specific = this.#rng.shuffle([...this.#listReports(), ...this.#listWishes(), ...this.#listMentions()]);
    for (let left = count; left > 0; left--) {
      const start = this.#rng.bool(0.55) ? specific.pop() : undefined;
      if (start) start();
      else if (this.#rng.bool(0.2)) this.#ask();
      else this.#praise();
    }
    return this.#comments;
  }

  writeRecent(): readonly TimedComment[] {
    this.#praise(MINUTE, 25 * MINUTE);
    return this.#comments.slice(0, 1);
  }

  /** Reports of bugs, before the fix. */
  #listReports(): (() => void)[] {
    const { versions, template } = this.#val;
    return versions.flatMap(({ variant, created, number }, index) => {
      const fix = versions[index + 1];
      if (!variant.bug || !template.bug) return [];
      const values = { error: template.bug.error, version: number };
      return () => {
        const ago = this.#add(this.#findUser(created), this.#takeRarest(REPORTS), fix?.created ?? 0, created, values);
        if (ago !== undefined && fix) this.#reply(this.#takeRarest(REPAIRS), fix.created, { fixed: fix.number });
      };
    });
  }

  /** Wishes that a later version fulfils. */
  #listWishes(): (() => void)[] {
    const { versions, template } = this.#val;
    return (template.wishes ?? []).flatMap(({ stage, wish, reply }) => {
      const index = versions.findIndex(({ variant }) => variant.stage >= stage);
      const [before, fulfilled] = [versions[index - 1], versions[index]];
      if (!before || !fulfilled || fulfilled.variant.bug || before.created - fulfilled.created < 10 * MINUTE) return [];
      return () => {
        const asked = this.#add(this.#findUser(before.created), wish, fulfilled.created, before.created);
        if (asked !== undefined) this.#reply(reply, fulfilled.created, { version: fulfilled.number });
      };
    });
  }

  /** Comments by authors who import the val. */
  #listMentions(): (() => void)[] {
    return this.#val.importers
      .filter(({ privacy, author }) => privacy === 'public' && author !== this.#val.author)
      .slice(0, 20)
      .map((importer) => () => {
        const { name, author, created } = importer;
        const link = `[${name}](https://www.val.town/v/${formatRef(importer)})`;
        const mention = this.#takeRarest(MENTIONS);
        const ago = this.#add(author, mention, Math.max(0, created - 30 * HOUR), created, { link });
        if (ago !== undefined && this.#rng.bool(0.35)) this.#reply(this.#takeRarest(THANKS), ago);
      });
  }

  #ask(): void {
    const { created } = this.#val;
    const question = this.#takeRarest([...QUESTIONS.keys()]);
    const ago = this.#add(this.#findUser(created), question, 0, created);
    if (ago !== undefined && this.#rng.bool(0.8)) this.#reply(QUESTIONS.get(question) ?? '', ago);
  }

  #praise(youngest: Ago = 0, oldest = this.#val.created): void {
    const { template, type } = this.#val;
    const own = template.praise ?? [];
    const praise = this.#takeRarest([...own, ...own, ...PRAISE_OF_TYPE[type], ...PRAISE]);
    const ago = this.#add(this.#findUser(oldest), praise, youngest, oldest);
    if (ago !== undefined && this.#rng.bool(0.15)) this.#reply(this.#takeRarest(THANKS), ago);
  }

  #takeRarest(phrases: readonly string[]): string {
    const { uses } = this.#context;
    const countUses = (phrase: string) => uses.get(phrase) ?? 0;
    const fewest = Math.min(...phrases.map(countUses));
    const phrase = this.#rng.pick(phrases.filter((other) => countUses(other) === fewest));
    uses.set(phrase, fewest + 1);
    return phrase;
  }

  #findUser(since: Ago): Person | undefined {
    for (let attempt = 0; attempt < 8; attempt++) {
      const user = this.#context.sampleUser(this.#rng);
      if (user && user !== this.#val.author && user.joined > Math.min(since, HOUR)) return user;
    }
    return undefined;
  }

  /** Adds a comment and returns its time; undefined if the phrase was used on this val or there is no time for it. */
  #add(author: Person | undefined, phrase: string, youngest: Ago, oldest: Ago, values: Values = {}): Ago | undefined {
    if (!author || this.#used.has(phrase)) return undefined;
    const since = Math.min(oldest, author.joined) - 30 * SECOND;
    if (since <= youngest) return undefined;
    this.#used.add(phrase);
    const ago = this.#context.calendar.between(this.#rng, youngest, since);
    this.#push(author, phrase, ago, values);
    return ago;
  }

  /** Adds a reply of the author, within hours. */
  #reply(phrase: string, since: Ago, values: Values = {}): void {
    const { author } = this.#val;
    if (author.username === LIBRARY && this.#rng.bool()) return;
    const ago = since - this.#rng.int(MINUTE, 5 * HOUR);
    if (ago > 0) this.#push(author, phrase, ago, values);
  }

  #push({ username }: Person, phrase: string, ago: Ago, values: Values): void {
    const { code, variant } = getVersionAt(this.#val, ago);
    const known = getTemplateValues(this.#val, variant.params);
    const all = new Map([...known, ['lines', code.split('\n').length], ...Object.entries(values)]);
    this.#comments.push({ author: username, val: formatRef(this.#val), comment: interpolate(phrase, all), ago });
  }
}
