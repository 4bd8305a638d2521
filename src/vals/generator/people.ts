import type { Rng } from '#engine/lib/rng.js';
import type { Input } from '#vals/service/service.collection.js';
import { drawAvatar } from './avatars.js';
import { type Ago, DAY } from './calendar.js';
import { type GeneratorContext, LIBRARY } from './context.js';
import type { NamedPerson } from './options.js';
import { drawParams, interpolate, toSlug } from './text.js';
import type { ParamValue, Styles, Theme } from './themes.js';

/** A user of the dataset, with traits that decide their behaviour. */
export interface Person extends Omit<Input<'users'>, 'username'> {
  readonly username: string;
  readonly joined: Ago;
  readonly themes: readonly Theme[];
  readonly style: ReturnType<typeof chooseStyle>;
  /** Relative number of vals that they write. */
  readonly activity: number;
  /** Relative number of people who see their vals. */
  readonly reach: number;
}

const LIBRARY_INDEX = 3;

/** Creates the users. The first is the most active: clients use it by default. */
export function makePeople(context: GeneratorContext): Person[] {
  const { size, company, named, hasLibrary, fakers, sources, oldest, data } = context;
  const rng = context.rng.fork('people');
  const bioParams = Object.fromEntries(Object.keys(sources).map((name) => [name, `@${name}`]));
  const usernames = new Set([LIBRARY, ...named.map(({ username }) => username.toLowerCase())]);
  const bios = new Set<string>();
  const remaining = [...named];
  return Array.from({ length: size.users }, (_, index) => {
    if (hasLibrary && index === LIBRARY_INDEX) return makeLibrary(oldest, rng, data.styles);
    const given = remaining.shift();
    return namePerson(makePerson(index === 0, index % 2 === 0, given?.username), given);
  });

  /** Gives a person the name of the caller, or an address at the company. */
  function namePerson(person: Person, given?: NamedPerson): Person {
    const { username } = given ?? person;
    const isNamed = given !== undefined || company !== undefined;
    const domain = company === undefined ? 'example.com' : `${toSlug(company)}.example`;
    return { ...person, ...(isNamed && { email: `${username.toLowerCase()}@${domain}` }), ...given };
  }

  /**
   * @param isAtWork whether the bio mentions the company of the caller, if possible
   * @param givenName the username that the person gets, for the letter on their picture
   */
  function makePerson(isFirst: boolean, isAtWork: boolean, givenName?: string): Person {
    const faker = rng.bool(0.45) ? fakers.english : rng.pick(fakers.others);
    const first = toHandle(faker.person.firstName());
    const last = toHandle(faker.person.lastName());
    const username = makeUsername(first, last);
    const themes = rng.shuffle(data.themes).slice(0, isFirst ? 3 : rng.int(1, 3));
    const isInactive = !isFirst && rng.bool(0.15);
    return {
      username,
      email: `${rng.pick([username, `${first}.${last}`])}@example.${rng.pick(['com', 'org', 'net'])}`,
      bio: isFirst || rng.bool(0.65) ? makeBio(themes, isAtWork) : null,
      profileImageUrl: isFirst || rng.bool(0.7) ? drawAvatar(rng, givenName ?? username) : null,
      tier: isFirst || rng.bool(0.2) ? 'pro' : 'free',
      // Half of all accounts are younger than a third of the period.
      joined: isFirst
        ? oldest - rng.int(2, 9) * DAY
        : Math.round((oldest - 12 * DAY) * Math.min(rng.next(), 0.1 + rng.next())) + DAY,
      themes,
      style: chooseStyle(rng, data.styles),
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
  function makeBio(themes: readonly Theme[], isAtWork: boolean): string {
    const values = new Map<string, ParamValue>();
    drawParams(bioParams, values, { rng, sources });
    const own = rng.shuffle(themes.flatMap((theme) => theme.bios));
    const general = rng.shuffle(data.phrases.bios);
    const candidates = [...own, ...general, ...own.flatMap((bio) => general.map((other) => `${bio} ${other}`))];
    const mentions = candidates.filter((text) => company !== undefined && isAtWork && text.includes('%company%'));
    const bio =
      [...mentions, ...candidates].map((text) => interpolate(text, values)).find((text) => !bios.has(text)) ?? '';
    bios.add(bio);
    return bio;
  }
}

const toHandle = (name: string) => toSlug(name.split(/[- ]/)[0] ?? '').replaceAll('-', '');

const makeLibrary = (joined: Ago, rng: Rng, styles: Styles): Person => ({
  username: LIBRARY,
  email: `${LIBRARY}@example.com`,
  bio: 'The standard library: storage, mail and a few friends.',
  profileImageUrl: drawAvatar(rng, LIBRARY),
  tier: 'pro',
  joined,
  themes: [],
  style: { ...chooseStyle(rng, styles), isChatty: true },
  activity: 0,
  reach: 12,
});

/** Chooses how a person writes code: names of parameters and how handlers are declared. */
export function chooseStyle(rng: Rng, { requestNames, emailNames, handlers: declarations }: Styles) {
  const names = new Map(Object.entries({ req: rng.pick(requestNames), mail: rng.pick(emailNames) }));
  const handlers = Object.entries(rng.pick(declarations)).map(
    ([key, text]) => [key, interpolate(text, names)] as const,
  );
  return { values: new Map([...names, ...handlers]), isChatty: rng.bool(0.6) };
}
