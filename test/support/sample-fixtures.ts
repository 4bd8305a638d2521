import type { Fixtures } from '../../src/index.js';

const NAMES = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'] as const;
const PRIVACIES = ['public', 'unlisted', 'private'] as const;
const TYPES = ['script', 'http', 'email', 'interval', 'express', 'rpc', 'httpnext'] as const;

const VALS = NAMES.flatMap((author, i) => [0, 1, 2, 3].map((j) => ({ author, name: `val${j}`, position: 4 * i + j })));
const before = (minutes: number) => `-${minutes}m`;

/** Ids of the vals in {@link sampleFixtures}. */
export const SAMPLE_VALS: readonly string[] = VALS.map(
  ({ position }) => `00000000-0000-4000-8000-0000000000${10 + position}`,
);

/** Code that imports a val. */
export const codeImporting = (author: string, name: string): string =>
  `import { ${name} } from 'https://esm.town/v/${author}/${name}';\nexport default ${name};`;

/** Six users with four vals each, of every privacy and type, and enough of everything else for several pages. */
export const sampleFixtures: Fixtures = {
  users: NAMES.map((username, i) => ({ username, bio: `Number ${i}`, token: `${username} token` })),
  vals: VALS.map(({ author, name, position }) => ({
    author,
    name,
    id: SAMPLE_VALS[position],
    privacy: PRIVACIES[position % 3],
    type: TYPES[position % 7],
    readme: position % 2 === 0 ? null : `# ${name}`,
    createdAt: before(10_000 - position),
    versionCreatedAt: before(5_000 - position),
    code: codeImporting(NAMES[(position * 5) % 7] ?? 'stranger', `val${position % 4}`),
  })),
  versions: VALS.flatMap(({ author, name, position }) =>
    Array.from({ length: position % 5 }, (_, version) => ({
      val: `${author}/${name}`,
      version: version * 2,
      code: `export default ${version};`,
      createdAt: before(9_000 - position - version),
    })),
  ),
  runs: VALS.flatMap(({ author, name, position }) =>
    Array.from({ length: position % 9 }, (_, i) => ({
      val: `${author}/${name}`,
      runStartAt: before(400 - ((position * 7 + i * 31) % 400)),
      error: i % 3 === 0 ? { message: 'boom', val: `${author}.${name}` } : null,
    })),
  ),
  likes: VALS.flatMap(({ author, name, position }) =>
    NAMES.filter((_, i) => (position + i) % 4 !== 0).map((user, i) => ({
      user,
      val: `${author}/${name}`,
      createdAt: before(3_000 - position * 10 - i),
    })),
  ),
  comments: VALS.flatMap(({ author, name, position }) =>
    NAMES.filter((_, i) => (position + i) % 3 === 0).map((writer, i) => ({
      author: writer,
      val: `${author}/${name}`,
      comment: `Comment ${i} on **${name}**`,
      createdAt: before(2_000 - position * 10 - i),
    })),
  ),
};
