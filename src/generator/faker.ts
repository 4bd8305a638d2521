import type { Faker } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as finnish } from '@faker-js/faker/locale/fi';
import { faker as french } from '@faker-js/faker/locale/fr';
import { faker as dutch } from '@faker-js/faker/locale/nl';
import { faker as brazilian } from '@faker-js/faker/locale/pt_BR';
import { faker as swedish } from '@faker-js/faker/locale/sv';
import type { Rng } from '../lib/rng.js';
import type { Sources } from './param-specs.js';
import { COMPANY_SUFFIXES, FIXED_SOURCES } from './themes/sources.js';

export interface Fakers {
  readonly english: Faker;
  readonly others: readonly Faker[];
}

/** Creates a faker per language, all driven by one generator. */
export function makeFakers(rng: Rng): Fakers {
  // The single-language modules load ten times faster than the package, but export a shared instance and no class.
  const create = (shared: Faker): Faker => {
    const randomizer = { next: () => rng.next(), seed: () => {} };
    return Reflect.construct(shared.constructor, [{ locale: shared.rawDefinitions, randomizer }]);
  };
  return { english: create(english), others: [french, dutch, swedish, finnish, brazilian].map(create) };
}

/** Number of items per source that faker makes. */
const SIZE = 60;

/** Creates all sources that parameters can name: the fixed ones and those that faker makes. */
export function makeSources({ helpers, ...faker }: Faker): Sources {
  const make = (one: () => string) => helpers.uniqueArray(() => removeSpecialCharacters(one()), SIZE);
  return {
    ...FIXED_SOURCES,
    book: make(() => faker.book.title()),
    writer: make(() => faker.book.author()),
    artist: make(() => faker.music.artist()),
    song: make(() => faker.music.songName()),
    bird: make(() => faker.animal.bird()),
    person: make(() => faker.person.firstName()),
    company: make(() => `${faker.person.lastName()} & ${helpers.arrayElement(COMPANY_SUFFIXES)}`),
    street: make(() => faker.location.street()),
    airport: helpers
      .multiple(() => faker.airline.airport(), { count: SIZE })
      .map(({ name, iataCode }) => ({ name: removeSpecialCharacters(name), code: iataCode })),
    element: make(() => faker.science.chemicalElement().name),
  };
}

/** Drops what would end a string in code. */
const removeSpecialCharacters = (text: string) => text.replaceAll(/["`\\$%|]/g, '').trim();
