import { FixtureError, type Problem } from '#engine/lib/errors.js';
import type { Input } from '#vals/collections/index.js';
import { createEmulator, type Emulator } from '../../emulator.js';
import type { toFixtures } from './fixtures.js';

export type PulledFixtures = ReturnType<typeof toFixtures> & { readonly blobs?: readonly Input<'blobs'>[] };

export interface Fitted {
  readonly fixtures: PulledFixtures;
  readonly emulator: Emulator;
  /** Records that fixtures do not allow, in words. */
  readonly unseen: readonly string[];
}

/** Limit of attempts. Each drops the records that refer to records dropped before. */
const MAX_ROUNDS = 10;

/** Loads fixtures without the records that the emulator does not allow, and without those that refer to them. */
export async function dropUnloadableRecords(pulled: PulledFixtures): Promise<Fitted> {
  const unseen: string[] = [];
  let fixtures = pulled;
  for (let round = 0; ; round++) {
    try {
      return { fixtures, emulator: await createEmulator({ fixtures, listen: false }), unseen };
    } catch (error) {
      if (!(error instanceof FixtureError) || round === MAX_ROUNDS) throw error;
      // Later rounds only drop records that refer to these.
      if (round === 0) unseen.push(...describe(fixtures, error.problems));
      fixtures = withoutProblems(fixtures, error.problems);
    }
  }
}

const MAX_LISTED = 10;

function describe(fixtures: PulledFixtures, problems: readonly Problem[]): string[] {
  const lines = problems.slice(0, MAX_LISTED).map(({ path, message }) => {
    const { collection, index, key } = parsePath(path);
    const rows: Readonly<Record<string, readonly object[]>> = fixtures;
    const { name, username, id, val, key: blob }: Readonly<Record<string, unknown>> = { ...rows[collection]?.[index] };
    const subject = [collection, name ?? username ?? id ?? val ?? blob, key]
      .filter((part) => part !== undefined)
      .join(' ');
    return `Fixtures do not allow it, so it is skipped: ${subject}: ${message}`;
  });
  const more = problems.length - lines.length;
  return more > 0 ? [...lines, `${more} more records that fixtures do not allow.`] : lines;
}

/** Parses the path of a problem: `vals[3].name`. */
function parsePath(path: string) {
  const [, collection = '', index, key] = /^(\w+)\[(\d+)\](?:\.(\w+))?/.exec(path) ?? [];
  return { collection, index: Number(index), key };
}

/** Drops the rows with problems. Users only lose the keys, since other records refer to them. */
function withoutProblems(fixtures: PulledFixtures, problems: readonly Problem[]): PulledFixtures {
  const found = problems.map(({ path }) => parsePath(path));
  const without = <R>(collection: keyof PulledFixtures, rows: readonly R[]): R[] => {
    const indexes = new Set(found.filter((each) => each.collection === collection).map(({ index }) => index));
    return rows.filter((_, index) => !indexes.has(index));
  };
  const users = fixtures.users.map((user, at) => {
    const keys = found.flatMap(({ collection, index, key }) => (collection === 'users' && index === at && key) || []);
    const kept = Object.entries(user).filter(([key]) => !keys.includes(key));
    return { username: null, ...Object.fromEntries(kept) };
  });
  return {
    users,
    vals: without('vals', fixtures.vals),
    versions: without('versions', fixtures.versions),
    runs: without('runs', fixtures.runs),
    likes: without('likes', fixtures.likes),
    comments: without('comments', fixtures.comments),
    ...(fixtures.blobs && { blobs: without('blobs', fixtures.blobs) }),
  };
}
