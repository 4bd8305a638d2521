// What the check of linearizability knows of a sandbox. It imports nothing of src, so that a defect there cannot hide here.
// Values never change in place, so an earlier one is a reference.

export interface ValPart {
  readonly id: string;
  readonly author: string;
  readonly name: string;
  readonly privacy: string;
  readonly readme: string | null;
  readonly nextVersion: number;
  /** In ascending order. */
  readonly versions: readonly number[];
  /** Usernames, ids of runs, and authors of comments. */
  readonly likes: readonly string[];
  readonly runs: readonly string[];
  readonly comments: readonly string[];
}

export interface FaultPart {
  readonly id: string;
  readonly route: string | undefined;
  readonly status: number | undefined;
  readonly after: number;
  readonly times: number;
  readonly seen: number;
  readonly hits: number;
}

/** Everything that a reset, a rewind and a restore change. */
export interface StatePart {
  readonly vals: readonly ValPart[];
  /** Ids drawn so far. */
  readonly draws: number;
  /** The time of the frozen clock, in milliseconds. */
  readonly now: number;
  readonly faults: readonly FaultPart[];
  readonly faultCount: number;
  readonly limit: { readonly limit: number; readonly window: number } | null;
  /** Requests by user in the current window. */
  readonly windows: Readonly<Record<string, { readonly start: number; readonly requests: number }>>;
}

/** A sandbox. */
export interface Part {
  readonly isOpen: boolean;
  readonly state: StatePart;
  readonly history: readonly { readonly id: string; readonly request: string; readonly before: StatePart }[];
  /** Commits by the control API since the start or the last reset. */
  readonly updates: number;
  readonly snapshots: readonly { readonly name: string; readonly time: number; readonly state: StatePart }[];
  /** Requests since the start or the last reset, and those that the journal has. */
  readonly journal: { readonly count: number; readonly size: number };
}

/** A request, as the model reads it. */
export interface Input {
  readonly method: string;
  /** With parameters in place of ids, as in `GET /v1/vals/{val_id}`; of the control API, without `/_emulator/`. */
  readonly route: string;
  /** Undefined for the control API. */
  readonly user: string | undefined;
  /** The id of a val or a run, or a name, as the route has it. */
  readonly id: string;
  readonly version: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body that the test made
  readonly body: any;
  /** Its number in the journal, if a journal was read that has it: the order of requests, as the nodes tell it. */
  readonly number?: number;
  /** The status of a fault that the request asks for. */
  readonly wanted: number | undefined;
}

/** What the model predicts of a response. */
export interface Output {
  readonly status: number;
  /** Requests that the rate limit leaves. */
  readonly remaining: number | undefined;
  /** The time of the clock in seconds. Undefined for the control API. */
  readonly date: number | undefined;
  readonly shown: string;
}

export const USERS: readonly string[] = ['ada', 'bob', 'cleo'];
export const NOW = '2030-01-01T00:00:00.000Z';
export const LIMIT = 100_000;
export const HOUR = 3_600_000;
export const JOURNAL_LENGTH = 1_000;
/** The last ones: the order of earlier ones would be found to be wrong so late that the search takes too long. */
export const SHOWN_COMMITS = 3;

export const userId = (user: string) => `00000000-0000-4000-8000-00000000000${USERS.indexOf(user)}`;
export const baseId = (user: string) => `00000000-0000-4000-8000-00000000001${USERS.indexOf(user)}`;
const TIME = '2029-12-01T00:00:00.000Z';

/** The seed of every sandbox: three users with one val each. */
export const seed = {
  users: USERS.map((username) => ({ username, id: userId(username), token: `${username}-token` })),
  vals: USERS.map((author) => ({
    ...{ author, id: baseId(author), name: 'base', code: `// ${author}`, privacy: 'public' },
    ...{ createdAt: TIME, versionCreatedAt: TIME },
  })),
};

export const newVal = (id: string, author: string, name: string, privacy: string, readme: string | null): ValPart => ({
  ...{ id, author, name, privacy, readme, nextVersion: 1, versions: [0] },
  ...{ likes: [], runs: [], comments: [] },
});

const SEED_STATE: StatePart = {
  vals: USERS.map((user) => newVal(baseId(user), user, 'base', 'public', null)),
  draws: 0,
  now: Date.parse(NOW),
  faults: [],
  faultCount: 0,
  limit: { limit: LIMIT, window: HOUR },
  windows: {},
};

export const INITIAL: Part = {
  isOpen: true,
  state: SEED_STATE,
  history: [],
  updates: 0,
  snapshots: [],
  journal: { count: 0, size: 0 },
};

const HISTORY_LENGTH = 100;

export const iso = (time: number) => new Date(time).toISOString();
export const latest = (val: ValPart) => val.versions.at(-1);
/** What a response shows of a val. */
export const show = (val: ValPart, version = latest(val)) =>
  [val.id, val.name, version, val.privacy, val.likes.length, val.readme].join(' ');
export const sorted = (items: Iterable<string>) => [...items].sort().join(' ');

export const withState = (part: Part, changes: Partial<StatePart>): Part => ({
  ...part,
  state: { ...part.state, ...changes },
});
export const replaceVal = (part: Part, val: ValPart): Part =>
  withState(part, { vals: part.state.vals.map((each) => (each.id === val.id ? val : each)) });

/** Adds the commit from one part to the next to the history. */
export const committed = (before: Part, after: Part, id: string, request: string): Part => ({
  ...after,
  history: [...after.history, { id, request, before: before.state }].slice(-HISTORY_LENGTH),
});

export const addVersion = (val: ValPart): ValPart => ({
  ...val,
  versions: [...val.versions, val.nextVersion],
  nextVersion: val.nextVersion + 1,
});

/** Counts a request of a user against the rate limit. */
export function count(part: Part, user: string): [part: Part, remaining: number | undefined, isOver: boolean] {
  const { limit, windows, now } = part.state;
  if (!limit) return [part, undefined, false];
  const last = windows[user];
  const isCurrent = last !== undefined && now < last.start + limit.window && now >= last.start;
  const current = isCurrent ? { ...last, requests: last.requests + 1 } : { start: now, requests: 1 };
  const counted = withState(part, { windows: { ...windows, [user]: current } });
  return [counted, Math.max(0, limit.limit - current.requests), current.requests > limit.limit];
}

/** Finds the status of the fault of a request, and counts it. */
export function strike(part: Part, { route, wanted }: Input): [part: Part, status: number | undefined] {
  if (wanted !== undefined) return [part, wanted];
  const faults = [...part.state.faults];
  for (const [i, fault] of faults.entries()) {
    if ((fault.route !== undefined && fault.route !== route) || fault.hits === fault.times) continue;
    const isInjected = fault.seen >= fault.after;
    faults[i] = { ...fault, seen: fault.seen + 1, hits: fault.hits + (isInjected ? 1 : 0) };
    if (isInjected) return [withState(part, { faults }), fault.status];
  }
  return [withState(part, { faults }), undefined];
}

const numbers = new WeakMap<StatePart, number>();
const numbersByText = new Map<string, number>();

/** Returns the same number for equal states. */
function numberOf(state: StatePart): number {
  const known = numbers.get(state);
  if (known !== undefined) return known;
  const text = JSON.stringify(state);
  const number = numbersByText.get(text) ?? numbersByText.size;
  numbersByText.set(text, number);
  numbers.set(state, number);
  return number;
}

/** Returns the same text for equal parts only. */
export const keyOf = ({ isOpen, state, history, updates, snapshots, journal }: Part): string =>
  [
    ...[isOpen, numberOf(state), updates, journal.count, journal.size],
    ...history.map(({ id, before }) => `${id}:${numberOf(before)}`),
    ...snapshots.map(({ name, state: saved }) => `${name}:${numberOf(saved)}`),
  ].join(' ');
