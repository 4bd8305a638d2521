import { readProjects } from './projects.js';

// A model of what a data folder must have. It imports nothing of src, so that a defect there cannot hide here. Values are
// plain and never change in place, so an earlier one is a reference.

export interface ValModel {
  /** Undefined for one that may have been created, without a response. */
  readonly id: string | undefined;
  readonly privacy: string;
  readonly readme: string | null;
  readonly nextVersion: number;
  /** Code by version. */
  readonly versions: Readonly<Record<string, string>>;
  /** Texts. */
  readonly comments: readonly string[];
  readonly runs: readonly string[];
  readonly isLiked: boolean;
  /** Of a project. */
  readonly project?: ProjectModel;
}

/** Texts of files by path. Null for a directory. */
export type Tree = Readonly<Record<string, string | null>>;

export interface ProjectModel {
  readonly id: string | undefined;
  readonly privacy: string;
  /** By name, with the files of each version. */
  readonly branches: Readonly<Record<string, { readonly id: string | undefined; readonly trees: readonly Tree[] }>>;
  /** Values by key. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The vals of a user, by name. */
export type Mine = Readonly<Record<string, ValModel>>;

/** Begins the names of blobs among the vals of a user. */
export const BLOB = 'blob:';

/** Names the database of a user among the vals. */
export const SQL = 'sql:';

/** A blob, as a val with its content. */
export const blobModel = (content: string): ValModel => ({
  ...{ id: undefined, privacy: '', readme: null, nextVersion: 0, versions: { 0: content } },
  ...{ comments: [], runs: [], isLiked: false },
});

/** A database, as a val with the rows of its table. */
export const databaseModel = (rows: readonly string[]): ValModel => blobModel(rows.join(', '));

/** A project, as a val with its branches. */
export const projectModel = (project: ProjectModel): ValModel => ({ ...blobModel(''), project });

/** Everything that a reset, a rewind and a restore change. */
export interface StateModel {
  readonly seedCode: string;
  readonly users: Readonly<Record<string, Mine>>;
  /** Armed faults, by their `times`. */
  readonly faults: readonly number[];
  readonly limit: number | null;
  /** The time at which it is frozen, or the last one that a response had. */
  readonly clock: { readonly frozen: boolean; readonly time: string };
}

export interface WorldModel {
  readonly seed: string;
  readonly state: StateModel;
  readonly snapshots: Readonly<Record<string, StateModel>>;
  /** The vals in each kept sandbox. */
  readonly kept: Readonly<Record<string, Mine>>;
}

export const USERS = Array.from({ length: 16 }, (_, i) => `user${i}`);
/** The user of the one who changes the world. */
export const RULER = 'ruler';

export const fixturesOf = (seed: string) => ({
  users: [...USERS, RULER, 'root'].map((username) => ({ username, token: `${username}-token` })),
  vals: [{ author: 'root', name: 'seed', code: seed }],
});

export const seedState = (seedCode: string): StateModel => ({
  seedCode,
  users: {},
  faults: [],
  limit: null,
  clock: { frozen: false, time: '' },
});

export const seedWorld = (seed: string): WorldModel => ({ seed, state: seedState(seed), snapshots: {}, kept: {} });

// biome-ignore lint/suspicious/noExplicitAny: a response, which the comparison checks
export type Json = any;

/** Reads an exported state: the vals of each user, and the code of the val of the seed. */
export function readState(exported: Json): { users: Record<string, Mine>; seedCode: string } {
  const users: Record<string, Record<string, ValModel>> = {};
  let seedCode = '';
  const of = (items: Json[], key: string, val: string) => items.filter((item) => item[key] === val);
  for (const { author, name, id, code, version, nextVersion, readme, privacy } of exported.vals) {
    if (author === 'root' && name === 'seed') {
      seedCode = code;
      continue;
    }
    const reference = `${author}/${name}`;
    const older = of(exported.versions, 'val', reference).map((each) => [each.version, each.code]);
    users[author] ??= {};
    users[author][name] = {
      ...{ id, privacy, readme, nextVersion },
      versions: Object.fromEntries([...older, [version, code]]),
      comments: of(exported.comments, 'val', reference).map(({ comment }) => comment),
      runs: of(exported.runs, 'val', reference).map(({ returnValue }) => returnValue),
      isLiked: of(exported.likes, 'val', reference).length > 0,
    };
  }
  for (const { user, key, text } of exported.blobs) {
    users[user] ??= {};
    users[user][BLOB + key] = blobModel(text);
  }
  for (const { user, sql } of exported.sqlite) {
    const rows = sql.join('').matchAll(/VALUES \(\d+,'(\d+)','(x*)'\);/g);
    users[user] ??= {};
    users[user][SQL] = databaseModel([...rows].map(([, marker, filler]) => `${marker} ${filler.length}`));
  }
  for (const [owner, name, project] of readProjects(exported)) {
    users[owner] ??= {};
    users[owner][name] = projectModel(project);
  }
  return { users, seedCode };
}

/** Compares the vals of a user with the model. What the model does not know, such as ids, may be any. */
export const isSame = (actual: Mine = {}, expected: Mine = {}): boolean => fits(actual, expected);

function fits(actual: unknown, expected: unknown): boolean {
  if (expected === undefined) return true;
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if (typeof actual !== 'object' || actual === null) return false;
  const fields = new Map(Object.entries(actual));
  const wanted = Object.entries(expected);
  return (
    fields.size === wanted.length && wanted.every(([key, value]) => fields.has(key) && fits(fields.get(key), value))
  );
}

export const pick = <T>(random: () => number, items: readonly T[]): T | undefined =>
  items[Math.floor(random() * items.length)];

export const without = <T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> => {
  const { [name]: _, ...others } = record;
  return others;
};
