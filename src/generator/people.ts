import type { Rng } from '../lib/rng.js';
import { drawAvatar } from './avatars.js';
import { type Ago, DAY } from './calendar.js';
import type { Fakers } from './faker.js';
import { compileParams, type ParamValue, type ParamValues, type Sources } from './param-specs.js';
import type { Theme } from './template.js';
import { interpolate, toSlug } from './text.js';
import { THEMES } from './themes/index.js';
import { BIOS } from './themes/phrases.js';

/** A user of the dataset, with what decides their behaviour. */
export interface Person {
  readonly username: string;
  readonly email: string;
  readonly bio: string | null;
  readonly profileImageUrl: string | null;
  readonly tier: 'free' | 'pro';
  readonly joined: Ago;
  readonly themes: readonly Theme[];
  readonly style: Style;
  /** Relative number of vals that they write. */
  readonly activity: number;
  /** Relative number of people who see their vals. */
  readonly reach: number;
}

/** How a person writes code. */
interface Style {
  readonly values: ParamValues;
  /** Whether they write comments. */
  readonly chatty: boolean;
}

/** Username of the account that owns the standard library. */
export const LIBRARY = 'std';
const LIBRARY_INDEX = 3;

interface PeopleOptions {
  readonly fakers: Fakers;
  readonly sources: Sources;
  /** When the first accounts were created. */
  readonly oldest: Ago;
  readonly withLibrary: boolean;
}

/** Creates the users. The first is the most active: clients use it by default. */
export function makePeople(count: number, { fakers, sources, oldest, withLibrary }: PeopleOptions, rng: Rng): Person[] {
  const sampleBioParams = compileParams(
    Object.fromEntries(Object.keys(sources).map((name) => [name, `@${name}`])),
    sources,
  );
  const usernames = new Set([LIBRARY]);
  const bios = new Set<string>();
  return Array.from({ length: count }, (_, index) =>
    withLibrary && index === LIBRARY_INDEX ? makeLibrary(oldest, rng) : makePerson(index === 0),
  );

  function makePerson(isFirst: boolean): Person {
    const { english, others } = fakers;
    const faker = rng.bool(0.45) ? english : rng.pick(others);
    const first = toHandle(faker.person.firstName());
    const last = toHandle(faker.person.lastName());
    const username = makeUsername(first, last);
    const themes = rng.shuffle(THEMES).slice(0, isFirst ? 3 : rng.int(1, 3));
    const isInactive = !isFirst && rng.bool(0.15);
    return {
      username,
      email: `${rng.pick([username, `${first}.${last}`])}@example.${rng.pick(['com', 'org', 'net'])}`,
      bio: isFirst || rng.bool(0.65) ? makeBio(themes) : null,
      profileImageUrl: isFirst || rng.bool(0.7) ? drawAvatar(rng, username) : null,
      tier: isFirst || rng.bool(0.2) ? 'pro' : 'free',
      // Half of all accounts are younger than a third of the period.
      joined: isFirst
        ? oldest - rng.int(2, 9) * DAY
        : Math.round((oldest - 12 * DAY) * Math.min(rng.next(), 0.1 + rng.next())) + DAY,
      themes,
      style: chooseStyle(rng),
      activity: isFirst ? 6 : isInactive ? 0 : Math.min(6, rng.longTail(1)),
      reach: isFirst ? 4 : rng.longTail(1, 20),
    };
  }

  function makeUsername(first: string, last: string): string {
    const { word } = fakers.english;
    const words = toHandle(word.adjective()) + toHandle(word.noun());
    const initials = [first.charAt(0) + last, first + last.charAt(0)];
    const base = rng.pick([first, first + last, ...initials, `${first}_${last}`, `${first}codes`, words]).slice(0, 24);
    let username = base;
    while (username.length < 3 || usernames.has(username)) username = `${base}${rng.int(2, usernames.size + 9)}`;
    usernames.add(username);
    return username;
  }

  /** A bio that no one else has, if possible. */
  function makeBio(themes: readonly Theme[]): string {
    const values = new Map<string, ParamValue>();
    sampleBioParams(rng, values, 0);
    const own = rng.shuffle(themes.flatMap((theme) => theme.bios));
    const general = rng.shuffle(BIOS);
    const candidates = [...own, ...general, ...own.flatMap((bio) => general.map((other) => `${bio} ${other}`))];
    const bio = candidates.map((text) => interpolate(text, values)).find((text) => !bios.has(text)) ?? '';
    bios.add(bio);
    return bio;
  }
}

const toHandle = (name: string) => toSlug(name.split(/[- ]/)[0] ?? '').replaceAll('-', '');

const makeLibrary = (joined: Ago, rng: Rng): Person => ({
  username: LIBRARY,
  email: `${LIBRARY}@example.com`,
  bio: 'The standard library: storage, mail and a few friends.',
  profileImageUrl: drawAvatar(rng, LIBRARY),
  tier: 'pro',
  joined,
  themes: [],
  style: { ...chooseStyle(rng), chatty: true },
  activity: 0,
  reach: 12,
});

/** Chooses the template values that differ by person: names of parameters and how handlers are declared. */
export function chooseStyle(rng: Rng): Style {
  const req = rng.pick(['req', 'req', 'request', 'request', 'r']);
  const mail = rng.pick(['email', 'email', 'e', 'message', 'mail']);
  const handler = rng.pick(['function', 'function', 'named', 'arrow']);
  const declare = (name: string, params: string, result = '') =>
    handler === 'arrow'
      ? `export default async (${params})${result} => {`
      : `export default async function${handler === 'named' ? ` ${name}` : ' '}(${params})${result} {`;
  const values = {
    req,
    // Not `email`, which is the name of an import.
    mail,
    onHttp: declare('handler', `${req}: Request`, ': Promise<Response>'),
    onInterval: declare('run', 'interval: Interval'),
    onEmail: declare('receive', `${mail}: Email`),
    end: handler === 'arrow' ? '};' : '}',
  };
  return { values: new Map(Object.entries(values)), chatty: rng.bool(0.6) };
}
