import { UUID_PATTERN } from '../../lib/ids.js';
import { parseInstant } from '../../lib/time.js';

const UUID = UUID_PATTERN.source;
/** As the API writes times, also percent-encoded in a link. */
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d+)?Z`;
/** A name that a service makes. */
const NAME = /^[A-Za-z]\w{2,}$/;

/** The ids and times in a text, with the text between them. */
export function splitText(text: string): { readonly values: string[]; readonly rest: string[] } {
  const parts = text.split(new RegExp(`(${UUID}|${TIME})`, 'gi'));
  return { values: parts.filter((_, i) => i % 2 === 1), rest: parts.filter((_, i) => i % 2 === 0) };
}

const decodeTime = (text: string): string => text.replaceAll(/%3A/gi, ':');
const isTime = (text: string): boolean => /T/i.test(text);

/** What the other service calls the things of a session. It is learnt from its responses. */
export class Mapping {
  /** Ids in lower case, and names. */
  readonly #theirs = new Map<string, string>();
  readonly #ours = new Map<string, string>();
  readonly #times = new Map<number, string>();
  /** What the client made itself: it is the same on both sides. */
  readonly #sentTimes = new Set<number>();
  readonly #known: ReadonlySet<string>;
  #sentText = '';
  #names: RegExp | undefined;

  /** @param known names that are not new to the client: those of the seed data */
  constructor(known: Iterable<string> = []) {
    this.#known = new Set(known);
  }

  has(id: string): boolean {
    return this.#theirs.has(id.toLowerCase());
  }

  /** Whether two ids stand for one thing. Of two new ones, that is assumed from now on. */
  matchIds(ours: string, theirs: string): boolean {
    return this.#match(ours.toLowerCase(), theirs.toLowerCase());
  }

  /** The same for names that the service has made: those that the client has never sent. */
  matchNames(ours: string, theirs: string): boolean {
    const isMade = NAME.test(ours) && NAME.test(theirs) && !this.#known.has(ours) && !this.#sentText.includes(ours);
    return this.#theirs.has(ours) ? this.#theirs.get(ours) === theirs : isMade && this.pairNames(ours, theirs);
  }

  /** The same for any names. */
  pairNames(ours: string, theirs: string): boolean {
    this.#names = undefined;
    return this.#match(ours, theirs);
  }

  #match(ours: string, theirs: string): boolean {
    if (this.#theirs.has(ours) || this.#ours.has(theirs)) return this.#theirs.get(ours) === theirs;
    this.#theirs.set(ours, theirs);
    this.#ours.set(theirs, ours);
    return true;
  }

  /** Whether two times may stand for one: any two, unless the client has chosen it. */
  matchTimes(ours: string, theirs: string): boolean {
    const instant = parseInstant(decodeTime(ours)) ?? Number.NaN;
    if (this.#sentTimes.has(instant)) return instant === parseInstant(decodeTime(theirs));
    this.#times.set(instant, decodeTime(theirs));
    return true;
  }

  /** Whether two values of {@link splitText} may stand for one thing. */
  match(ours: string, theirs: string): boolean {
    if (isTime(ours) !== isTime(theirs)) return false;
    return isTime(ours) ? this.matchTimes(ours, theirs) : this.matchIds(ours, theirs);
  }

  /** Notes what the client sends. */
  noteSent(text: string): void {
    this.#sentText += `\n${text}`;
    for (const value of splitText(text).values) {
      const instant = isTime(value) ? parseInstant(decodeTime(value)) : undefined;
      if (instant !== undefined && !this.#times.has(instant)) this.#sentTimes.add(instant);
    }
  }

  /** Puts the ids and names of the other service in place of ours, and its times in a path. */
  translate(text: string, isPath = false): string {
    const translated = text.replace(new RegExp(`${UUID}|${TIME}`, 'gi'), (found) => {
      if (!isTime(found)) return this.#theirs.get(found.toLowerCase()) ?? found;
      const time = isPath ? this.#times.get(parseInstant(decodeTime(found)) ?? Number.NaN) : undefined;
      if (time === undefined) return found;
      return found.includes(':') ? time : encodeURIComponent(time);
    });
    return this.translateNames(translated);
  }

  translateNames(text: string): string {
    if (!this.#names) {
      const names = [...this.#theirs.keys()].filter((name) => NAME.test(name));
      this.#names = new RegExp(names.length === 0 ? '(?!)' : `(?<!\\w)(?:${names.join('|')})(?!\\w)`, 'g');
    }
    return text.replace(this.#names, (name) => this.#theirs.get(name) ?? name);
  }
}
