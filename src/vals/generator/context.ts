import type { Faker } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as finnish } from '@faker-js/faker/locale/fi';
import { faker as french } from '@faker-js/faker/locale/fr';
import { faker as dutch } from '@faker-js/faker/locale/nl';
import { faker as brazilian } from '@faker-js/faker/locale/pt_BR';
import { faker as swedish } from '@faker-js/faker/locale/sv';
import { Rng } from '#engine/lib/rng.js';
import { DAY, makeCalendar } from './calendar.js';
import { type DatasetSize, type GenerateOptions, toNamedPerson } from './options.js';
import { loadThemes, type Sources, type Themes } from './themes.js';

/** Username of the account that owns the standard library. */
export const LIBRARY = 'std';

type Names = Pick<GenerateOptions, 'company' | 'people'>;

/** Shared by all parts of a dataset. Each part draws from its own fork of the generator. */
export type GeneratorContext = ReturnType<typeof makeContext>;

export function makeContext(size: DatasetSize, { company, people = [] }: Names = {}) {
  const named = people.map(toNamedPerson);
  // Smaller datasets do without the standard library, and so do those whose users are all named.
  const hasRoom = named.length < size.users && named.every(({ username }) => username.toLowerCase() !== LIBRARY);
  const hasLibrary = size.users >= 4 && size.vals >= 24 && hasRoom;
  // The times of the oldest run and of the first accounts. Bugs are visible only in runs.
  const runsSince = size.days * DAY;
  const oldest = runsSince + 300 * DAY;
  const rng = new Rng(`seed ${size.seed}`);
  const fakers = makeFakers(rng.fork('faker'));
  const data = loadThemes();
  const made = makeSources(fakers.english, data);
  const sources = company === undefined ? made : { ...made, company: [company] };
  return {
    size,
    company,
    named,
    hasLibrary,
    runsSince,
    oldest,
    rng,
    fakers,
    data,
    sources,
    timeAt: makeCalendar(oldest),
  };
}

/** Creates a faker per language, all driven by one generator. */
function makeFakers(rng: Rng) {
  // The single-language modules load ten times faster than the package, but export a shared instance and no class.
  const create = (shared: Faker): Faker => {
    const randomizer = { next: () => rng.next(), seed: () => {} };
    return Reflect.construct(shared.constructor, [{ locale: shared.rawDefinitions, randomizer }]);
  };
  return { english: create(english), others: [french, dutch, swedish, finnish, brazilian].map(create) };
}

/** Number of items per source that faker makes. */
const SIZE = 60;

function makeSources({ helpers, ...faker }: Faker, { companySuffixes, sources }: Themes): Sources {
  const make = (one: () => string) => helpers.uniqueArray(() => removeSpecialCharacters(one()), SIZE);
  return {
    ...sources,
    book: make(() => faker.book.title()),
    writer: make(() => faker.book.author()),
    artist: make(() => faker.music.artist()),
    song: make(() => faker.music.songName()),
    bird: make(() => faker.animal.bird()),
    person: make(() => faker.person.firstName()),
    company: make(() => `${faker.person.lastName()} & ${helpers.arrayElement(companySuffixes)}`),
    street: make(() => faker.location.street()),
    airport: helpers
      .multiple(() => faker.airline.airport(), { count: SIZE })
      .map(({ name, iataCode }) => ({ name: removeSpecialCharacters(name), code: iataCode })),
    element: make(() => faker.science.chemicalElement().name),
  };
}

/** Drops characters that would end a string in code. */
const removeSpecialCharacters = (text: string) => text.replaceAll(/["`\\$%|]/g, '').trim();
