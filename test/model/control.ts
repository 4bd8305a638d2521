import { ANY } from './emulator.js';
import { duration, exportVal, type Learn, Records, stringOr } from './fixtures.js';
import type { Write } from './pipeline.js';
import type { Config, Json, State } from './records.js';
import { type Expected, iso, MINUTE, Refusal, refuse } from './request.js';

interface Snapshot {
  readonly state: State;
  readonly time: string;
}
/** An operation of the control plane, by its HTTP request. */
export interface Operation {
  readonly method: string;
  /** Below `/_emulator/`. */
  readonly path: string;
  readonly body?: Json | undefined;
}
/** The control plane of one sandbox. */
export class ControlModel extends Records {
  snapshots: ReadonlyMap<string, Snapshot> = new Map();
  /** Commits by the control API since the start or the last reset. */
  updates = 0;

  /** Predicts the response to a request to the control plane. */
  control({ method, path, body = {} }: Operation, learn: Learn): Expected {
    const before = this.state;
    try {
      const [noun = '', name = '', verb] = path.split('/').map(decodeURIComponent);
      switch (`${method} ${noun}`) {
        case 'POST records':
          return this.#add(body, before, learn);
        case 'POST reset':
          return this.#restart(this.seed);
        case 'GET state':
          return { status: 200, body: this.export() };
        case 'GET users':
          return { status: 200, body: before.users.map(({ username, id, token }) => ({ username, id, token })) };
        case 'PUT clock':
          return this.#clock(body);
        case 'GET clock':
          return { status: 200, body: { now: iso(before.now), frozen: true } };
        case 'GET rate-limit':
          return { status: 200, body: this.#limitView() };
        case 'PUT rate-limit':
          return this.#limit(body, before);
        case 'GET faults':
          return { status: 200, body: before.faults.map((fault) => this.#faultView(fault)) };
        case 'POST faults':
          return { status: 201, body: this.#arm(body) };
        case 'DELETE faults':
          if (name !== '' && !before.faults.some(({ id }) => id === name)) refuse(404);
          this.state = { ...before, faults: name === '' ? [] : before.faults.filter(({ id }) => id !== name) };
          return { status: 204 };
        case 'GET snapshots':
          return { status: 200, body: [...this.snapshots].map(([each, { time }]) => ({ name: each, time })) };
        case 'POST snapshots':
          return verb === 'restore' ? this.#restore(name) : this.#snapshot(stringOr(body.name, ''));
        case 'DELETE snapshots':
          if (!this.snapshots.has(name)) refuse(404);
          this.snapshots = new Map([...this.snapshots].filter(([each]) => each !== name));
          return { status: 204 };
        case 'GET history':
          return {
            status: 200,
            body: this.past
              .slice(-100)
              .map((write) => historyView(write, this.journal.find(({ id }) => id === write.id)?.user ?? null)),
          };
        case 'POST rewind':
          return this.#rewind(body);
        case 'GET requests':
          return { status: 200, body: this.journal };
        case 'DELETE requests':
          this.journal = [];
          return { status: 204 };
        default:
          throw new Error(`${method} ${path} is not modelled`);
      }
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.state = before;
      return { status: refusal.status };
    }
  }

  #restart(state: State): Expected {
    this.state = state;
    [this.past, this.journal, this.requests, this.updates] = [[], [], 0, 0];
    return { status: 200, body: ANY };
  }

  /** The same records become the seed. */
  reseedWithOwnRecords({ now }: State, trail: number): void {
    const { users, tokens, vals, runs, likes, comments, blobs, databases } = this.state;
    const records = { users, tokens, vals, runs, likes, comments, blobs, databases };
    this.seed = { ...emptyState(now), limit: this.seed.limit, ...records, trail };
    this.#restart(this.seed);
  }

  /** Adds one record. */
  #add(body: Json, before: State, learn: Learn): Expected {
    const [[collection = '', record] = []] = Object.entries(body);
    const added = this.#addTo(collection, Object(record), learn);
    this.#update('POST /_emulator/records', before);
    return { status: 201, body: { [collection]: added } };
  }

  #addTo(collection: string, record: Json, learn: Learn): Json {
    switch (collection) {
      case 'users':
        return this.addUser(record, learn);
      case 'tokens':
        return this.addToken(record, learn);
      case 'vals':
        return this.addVal(record, learn);
      case 'runs':
        return this.addRun(record, learn);
      case 'likes':
        return this.addLike(record);
      case 'comments':
        return this.addComment(record, learn);
      default:
        throw new Error(`${collection} are not modelled`);
    }
  }

  #update(request: string, before: State): void {
    this.committed(`w${++this.updates}`, request, before);
  }

  #limit({ limit, window }: Json, before: State): Expected {
    const ms = window === undefined ? MINUTE : duration(String(window));
    this.state = { ...before, limit: limit === null ? null : { limit: Number(limit), window: ms }, spent: new Map() };
    this.#update('PUT /_emulator/rate-limit', before);
    return { status: 200, body: this.#limitView() };
  }

  /** The limit, and the requests of each user in its current window. */
  #limitView(): Json {
    const { limit, spent, now } = this.state;
    const name = (token: string) => this.ownerOf(token)?.username;
    const active = [...spent].filter(([, { since }]) => limit && since > now - limit.window);
    const windows = active.map(([token, { requests }]) => ({ user: name(token), requests }));
    return { limit: limit?.limit ?? null, windows };
  }

  #clock({ freeze, set, advance }: Json): Expected {
    const past = this.state.now;
    const now =
      advance === undefined
        ? freeze === true
          ? past
          : Date.parse(String(freeze ?? set))
        : past + (typeof advance === 'number' ? advance : duration(String(advance)));
    if (!(now >= 0) || (advance !== undefined && now < past)) refuse(422);
    this.state = { ...this.state, now };
    return { status: 200, body: { now: iso(now), frozen: true } };
  }

  #arm(body: Json): Json {
    const { route, user, reset, headers, status, body: sent, delay } = body;
    if (route !== undefined && !this.routes.includes(String(route))) refuse(422);
    const count = this.state.faultCount + 1;
    const passes = (delay !== undefined || reset !== undefined) && headers === undefined && sent === undefined;
    const defaults = { after: 0, status: passes ? undefined : (status ?? 500), seen: 0, hits: 0 };
    const fault = { ...defaults, ...body, ...(user !== undefined && { user: this.ref(user).id }), id: `f${count}` };
    this.state = { ...this.state, faultCount: count, faults: [...this.state.faults, fault] };
    return this.#faultView(fault);
  }

  #faultView(fault: State['faults'][number]): Json {
    const { id, route, method, user, status, times, after, headers, body, delay, reset, seen, hits } = fault;
    const or = (value: unknown) => value ?? null;
    return {
      ...{ id, after, seen, hits, rate: 1, seed: '0', match: null, truncate: null, until: null, reset: reset ?? false },
      ...{ route: or(route), method: or(method), status: or(status), times: or(times), headers: or(headers) },
      ...{ body: or(body), delay: or(delay), user: user === undefined ? null : this.userRef(String(user)) },
      remaining: times === undefined ? null : Number(times) - hits,
    };
  }

  #snapshot(name: string): Expected {
    const time = iso(this.state.now);
    const others = [...this.snapshots].filter(([each]) => each !== name);
    this.snapshots = new Map([...others, [name, { state: this.state, time }]]);
    return { status: 201, body: { name, time } };
  }

  #restore(name: string): Expected {
    this.state = (this.snapshots.get(name) ?? refuse(404)).state;
    this.past = [];
    return { status: 200, body: ANY };
  }

  #rewind({ steps, before }: Json): Expected {
    const place =
      steps === undefined ? this.past.findIndex(({ id }) => id === before) : this.past.length - Number(steps);
    this.state = (this.past[place] ?? refuse(404)).before;
    const commits = this.past.length - place;
    this.past = this.past.slice(0, place);
    return { status: 200, body: { commits } };
  }
}

const emptyState = (now: number): State => ({
  ...{
    users: [],
    tokens: [],
    vals: [],
    runs: [],
    likes: [],
    comments: [],
    blobs: [],
    databases: [],
    projects: [],
    faults: [],
    faultCount: 0,
    spent: new Map(),
    limit: null,
    draws: 0,
    trail: 0,
    now,
  },
});

/** A sandbox with these records: the model loads its seed as it adds single records. */
export function seededModel(
  config: Config,
  now: number,
  records: Readonly<Record<string, readonly Json[]>>,
): ControlModel {
  const { limit } = config;
  const empty = { ...emptyState(now), limit: limit === undefined ? null : { limit, window: MINUTE } };
  const model = new ControlModel(config, empty);
  for (const [collection, rows] of Object.entries(records)) {
    for (const body of rows) {
      const { status } = model.control({ method: 'POST', path: 'records', body: { [collection]: body } }, () =>
        refuse(500),
      );
      if (status !== 201) throw new Error(`${status} for ${JSON.stringify(body)}`);
    }
  }
  model.seed = model.state;
  [model.past, model.updates] = [[], 0];
  return model;
}

/** How many records differ after a write: one that was written with the same values does not. */
function historyView({ id, request, time, before, after }: Write, user: unknown): Json {
  const all = ({ users, tokens, vals, runs, likes, comments, blobs, databases }: State) => ({
    users: new Map(users.map((each) => [each.id, each])),
    tokens: new Map(tokens.map((each) => [each.id, each])),
    // An older version is no part of it.
    vals: new Map(vals.map((each) => [each.id, exportVal(each)])),
    versions: new Map(vals.flatMap((val) => val.versions.map((each) => [`${val.id}:${each.version}`, each]))),
    runs: new Map(runs.map((each) => [each.id, each])),
    likes: new Map(likes.map((each) => [`${each.val}:${each.user}`, each])),
    comments: new Map(comments.map((each) => [each.id, each])),
    blobs: new Map(blobs.map((each) => [`${each.user}:${each.key}`, each])),
    sqlite: new Map(databases.map((each) => [each.user, each])),
  });
  const old: Readonly<Record<string, ReadonlyMap<string, unknown>>> = all(before);
  const changes = Object.entries<ReadonlyMap<string, unknown>>(all(after)).map(([collection, now]) => {
    const then = old[collection] ?? new Map();
    const added = [...now.keys()].filter((key) => !then.has(key)).length;
    const changed = [...now.keys()].filter(
      (key) => then.has(key) && JSON.stringify(then.get(key)) !== JSON.stringify(now.get(key)),
    ).length;
    const removed = [...then.keys()].filter((key) => !now.has(key)).length;
    return [collection, { added, changed, removed }] as const;
  });
  const touched = changes.filter(([, { added, changed, removed }]) => added + changed + removed > 0);
  const total = touched.reduce((sum, [, { added, changed, removed }]) => sum + added + changed + removed, 0);
  return { id, request, user, time, total, counts: Object.fromEntries(touched) };
}
