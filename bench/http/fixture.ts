/** The data that every contender serves: vals of one user, and one run of each. */
import { readFileSync, writeFileSync } from 'node:fs';

export const USER = { id: '4e110001-0000-4000-8000-000000000000', username: 'ada', token: 'ada-token' } as const;

interface ValRow {
  readonly id: string;
  readonly author: string;
  readonly name: string;
  readonly code: string;
  readonly readme: string;
  readonly createdAt: string;
}

interface RunRow {
  readonly id: string;
  readonly val: string;
  readonly runStartAt: string;
  readonly runEndAt: string;
}

/** A fixture of the emulator. */
interface Fixture {
  readonly users: readonly { readonly id: string; readonly username: string }[];
  readonly vals: readonly ValRow[];
  readonly runs: readonly RunRow[];
}

const START = Date.UTC(2024, 5, 1);
const makeId = (kind: string, n: number): string => `4e11${kind}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const makeTimestamp = (n: number): string => new Date(START + n * 1_000).toISOString();

export const valId = (n: number): string => makeId('0002', n);

const makeVal = (n: number): ValRow => ({
  id: valId(n),
  author: USER.username,
  name: `val_${n}`,
  code: `import { value } from "npm:values";\n\nexport function total${n}(items: number[]): number {\n  return items.reduce((sum, item) => sum + value(item), ${n});\n}\n`,
  readme: `# Total ${n}\n\nAdds up the *value* of each item, beginning with ${n}.\n`,
  createdAt: makeTimestamp(n),
});

const makeRun = (n: number): RunRow => ({
  id: makeId('0003', n),
  val: `${USER.username}/val_${n}`,
  runStartAt: makeTimestamp(n),
  runEndAt: makeTimestamp(n + 1),
});

export function writeFixture(path: string, size: number): void {
  const numbers = Array.from({ length: size }, (_, n) => n);
  const fixture: Fixture = {
    users: [{ id: USER.id, username: USER.username }],
    vals: numbers.map(makeVal),
    runs: numbers.map(makeRun),
  };
  writeFileSync(path, JSON.stringify(fixture));
}

/** Writes a fixture of many runs of a few vals. */
export function writeRunsFixture(path: string, size: number): void {
  const vals = Array.from({ length: 100 }, (_, n) => makeVal(n));
  const head = JSON.stringify({ users: [{ id: USER.id, username: USER.username }], vals }).slice(0, -1);
  const runs = Array.from({ length: size }, (_, n) =>
    JSON.stringify({ ...makeRun(n), val: `${USER.username}/val_${n % 100}` }),
  );
  writeFileSync(path, `${head},"runs":[${runs.join(',')}]}`);
}

/** A val as in responses. */
export interface Val {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly [key: string]: unknown;
}

/** A run in the memory of a hand-written server. */
export interface Run {
  readonly id: string;
  readonly runStartAt: string;
  readonly runEndAt: string;
  readonly val: Val;
}

const author = { id: USER.id, username: USER.username };

export const renderVal = (
  row: Pick<ValRow, 'id' | 'name' | 'code' | 'createdAt'> & { readonly readme?: string },
): Val => ({
  name: row.name,
  id: row.id,
  version: 0,
  code: row.code,
  public: true,
  createdAt: row.createdAt,
  privacy: 'public',
  type: 'script',
  url: `https://val.town/v/ada/${row.name}`,
  links: {
    self: `http://127.0.0.1/v1/vals/${row.id}`,
    versions: `http://127.0.0.1/v1/vals/${row.id}/versions`,
    module: `https://esm.town/v/ada/${row.name}?v=0`,
  },
  author,
  likeCount: 0,
  referenceCount: 0,
  readme: row.readme ?? null,
  versionCreatedAt: row.createdAt,
});

/** Renders a run as in responses. */
export const renderRun = ({ id, runStartAt, runEndAt, val }: Run) => ({
  id,
  error: null,
  parentId: id,
  runStartAt,
  runEndAt,
  val: {
    id: val.id,
    name: val.name,
    author,
    author_id: author.id,
    username: author.username,
    public: val.public,
    privacy: val.privacy,
    version: val.version,
  },
});

/** Renders a page of runs with its links. */
export function renderPage(runs: readonly Run[], search: URLSearchParams): unknown {
  const limit = Number(search.get('limit') ?? 20);
  const offset = Number(search.get('offset') ?? 0);
  const link = (at: number) => `http://127.0.0.1/v1/me/runs?limit=${limit}&offset=${at}`;
  return {
    data: runs.slice(offset, offset + limit).map(renderRun),
    links: {
      self: link(offset),
      ...(offset + limit < runs.length ? { next: link(offset + limit) } : {}),
      ...(offset > 0 ? { prev: link(Math.max(0, offset - limit)) } : {}),
    },
  };
}

/** Reads the data of a hand-written server: vals in a Map, runs in an array, the latest first. */
export function readFixture(path: string): { readonly vals: Map<string, Val>; readonly runs: Run[] } {
  const fixture: Fixture = JSON.parse(readFileSync(path, 'utf8'));
  const vals = new Map(fixture.vals.map((row) => [row.id, renderVal(row)]));
  const byName = new Map(Array.from(vals.values(), (val) => [`${USER.username}/${val.name}`, val]));
  const runs = fixture.runs.flatMap(({ id, runStartAt, runEndAt, val: name }) => {
    const val = byName.get(name);
    return val ? [{ id, runStartAt, runEndAt, val }] : [];
  });
  return { vals, runs: runs.reverse() };
}
