import type { Fixtures } from '../../src/index.js';

const NAMES = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'] as const;
const PRIVACIES = ['public', 'unlisted', 'private'] as const;
const TYPES = ['script', 'http', 'email', 'interval', 'express', 'rpc', 'httpnext'] as const;

const VALS = NAMES.flatMap((author, i) => [0, 1, 2, 3].map((j) => ({ author, name: `val${j}`, place: 4 * i + j })));
const before = (minutes: number) => `-${minutes}m`;

/** Ids of the vals in {@link town} and the usernames of their authors. */
export const TOWN_AUTHORS: ReadonlyMap<string, string> = new Map(
  VALS.map(({ author, place }) => [`00000000-0000-4000-8000-0000000000${10 + place}`, author]),
);
export const TOWN_VALS: readonly string[] = [...TOWN_AUTHORS.keys()];

/** Code that imports a val. */
export const codeImporting = (author: string, name: string): string =>
  `import { ${name} } from 'https://esm.town/v/${author}/${name}';\nexport default ${name};`;

/** Six users with four vals each, of every privacy and type, and enough of everything else for several pages. */
export const town: Fixtures = {
  users: NAMES.map((username, i) => ({ username, bio: `Number ${i}`, token: `${username} token` })),
  vals: VALS.map(({ author, name, place }) => ({
    author,
    name,
    id: TOWN_VALS[place],
    privacy: PRIVACIES[place % 3],
    type: TYPES[place % 7],
    readme: place % 2 === 0 ? null : `# ${name}`,
    createdAt: before(10_000 - place),
    versionCreatedAt: before(5_000 - place),
    code: codeImporting(NAMES[(place * 5) % 7] ?? 'nobody', `val${place % 4}`),
  })),
  versions: VALS.flatMap(({ author, name, place }) =>
    Array.from({ length: place % 5 }, (_, version) => ({
      val: `${author}/${name}`,
      version: version * 2,
      code: `export default ${version};`,
      createdAt: before(9_000 - place - version),
    })),
  ),
  runs: VALS.flatMap(({ author, name, place }) =>
    Array.from({ length: place % 9 }, (_, i) => ({
      val: `${author}/${name}`,
      runStartAt: before(400 - ((place * 7 + i * 31) % 400)),
      error: i % 3 === 0 ? { message: 'boom', val: `${author}.${name}` } : null,
    })),
  ),
  likes: VALS.flatMap(({ author, name, place }) =>
    NAMES.filter((_, i) => (place + i) % 4 !== 0).map((user, i) => ({
      user,
      val: `${author}/${name}`,
      createdAt: before(3_000 - place * 10 - i),
    })),
  ),
  comments: VALS.flatMap(({ author, name, place }) =>
    NAMES.filter((_, i) => (place + i) % 3 === 0).map((writer, i) => ({
      author: writer,
      val: `${author}/${name}`,
      comment: `Comment ${i} on **${name}**`,
      createdAt: before(2_000 - place * 10 - i),
    })),
  ),
};
