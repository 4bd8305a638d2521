import {
  BLOB,
  blobModel,
  databaseModel,
  fixturesOf,
  type Json,
  type Mine,
  pick,
  RULER,
  SQL,
  type StateModel,
  seedState,
  type ValModel,
  type WorldModel,
  without,
} from './model.js';
import { drawProjectWrite } from './projects.js';

export interface Send {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Username. */
  readonly as?: string;
}

/** A request, and what it does to a model. Without a response, the model lacks what the emulator invents. */
export interface Step<M> {
  readonly send: Send;
  readonly apply: (model: M, response: Json) => M;
  /** Name of the val that a request of the API creates. */
  readonly creates?: string;
}

/** Rows in the table of a database. */
const MOST_ROWS = 20;

/** The share of writes that go to projects. */
const PROJECT_SHARE = 0.3;

export type Random = () => number;

const newVal = (id: string | undefined, code: string, settings: Partial<ValModel> = {}): ValModel => ({
  ...{ id, privacy: 'private', readme: null, nextVersion: 1, versions: { 0: code } },
  ...{ comments: [], runs: [], isLiked: false },
  ...settings,
});

const change = (mine: Mine, name: string, changes: Partial<ValModel>): Mine => {
  const val = mine[name];
  if (!val) throw new Error(`there is no ${name}`);
  return { ...mine, [name]: { ...val, ...changes } };
};

/** Creates a val. @param prefix of the path, for a sandbox */
export function createVal(user: string, name: string, code: string, prefix = ''): Step<Mine> {
  const settings = { privacy: 'public', readme: `Read ${name}` };
  return {
    creates: name,
    send: { method: 'POST', path: `${prefix}/v1/vals`, as: user, body: { name, code, ...settings } },
    apply: (mine, response) => ({ ...mine, [name]: newVal(response?.id, code, settings) }),
  };
}

/** Draws the next write of a user. @param marker unique */
export function drawWrite(user: string, mine: Mine, marker: string, random: Random): Step<Mine> {
  const names = Object.keys(mine).filter((each) => !each.includes(':'));
  const name = pick(random, names);
  const val = name === undefined ? undefined : mine[name];
  const filler = 'x'.repeat(random() < 0.05 ? 50_000 : random() * 300);
  const code = `// ${marker} ${filler}`;
  if (random() < PROJECT_SHARE) return drawProjectWrite(user, mine, marker, code, random);
  if (name === undefined || !val) return createVal(user, `v${marker}`, code);
  const path = `/v1/vals/${val.id}`;
  const reference = `${user}/${name}`;
  const kind = names.length > 10 ? 0 : random();
  if (kind < 0.12) {
    return { send: { method: 'DELETE', path, as: user }, apply: (model) => without(model, name) };
  }
  if (kind < 0.3) {
    const { nextVersion, versions } = val;
    const changes = { nextVersion: nextVersion + 1, versions: { ...versions, [nextVersion]: code } };
    return {
      send: { method: 'POST', path: `${path}/versions`, as: user, body: { code } },
      apply: (model) => change(model, name, changes),
    };
  }
  if (kind < 0.4 && Object.keys(val.versions).length > 1) {
    const gone = pick(random, Object.keys(val.versions)) ?? '0';
    return {
      send: { method: 'DELETE', path: `${path}/versions/${gone}`, as: user },
      apply: (model) => change(model, name, { versions: without(val.versions, gone) }),
    };
  }
  if (kind < 0.5) {
    const changes = { privacy: pick(random, ['public', 'private', 'unlisted']) ?? '', readme: `Read ${marker}` };
    return {
      send: { method: 'PUT', path, as: user, body: changes },
      apply: (model) => change(model, name, changes),
    };
  }
  if (kind < 0.55) {
    const to = `w${marker}`;
    return {
      send: { method: 'PUT', path, as: user, body: { name: to } },
      apply: (model) => ({ ...without(model, name), [to]: model[name] ?? val }),
    };
  }
  if (kind < 0.6 && !val.isLiked) {
    return {
      send: { method: 'POST', path: '/_emulator/records/likes', body: { user, val: reference } },
      apply: (model) => change(model, name, { isLiked: true }),
    };
  }
  if (kind < 0.68) {
    return {
      send: {
        method: 'POST',
        path: '/_emulator/records/comments',
        body: { author: user, val: reference, comment: marker },
      },
      apply: (model) => change(model, name, { comments: [...val.comments, marker] }),
    };
  }
  if (kind < 0.74) {
    const body = { val: reference, returnValue: marker };
    return {
      send: { method: 'POST', path: '/_emulator/records/runs', body },
      apply: (model) => change(model, name, { runs: [...val.runs, marker] }),
    };
  }
  if (kind < 0.82) {
    const list = ['a', 'b', 'c'].map((each) => `l${marker}${each}`);
    return {
      send: {
        method: 'POST',
        path: '/_emulator/records/vals',
        body: list.map((each) => ({ author: user, name: each, code, privacy: 'private' })),
      },
      apply: (model, response) => ({
        ...model,
        ...Object.fromEntries(list.map((each, i) => [each, newVal(response?.[i]?.id, code)])),
      }),
    };
  }
  if (kind < 0.87) {
    const key = pick(random, ['a/b', 'ä']) ?? '';
    return {
      send: { method: 'POST', path: `/v1/blob/${encodeURIComponent(key)}`, as: user, body: marker },
      apply: (model) => ({ ...model, [BLOB + key]: blobModel(JSON.stringify(marker)) }),
    };
  }
  if (kind < 0.93) {
    const insert = 'INSERT INTO log (marker, filler) VALUES (?, ?), (?, ?)';
    const statements = [
      'CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, marker, filler)',
      { sql: insert, args: [marker, filler, marker, ''] },
      `DELETE FROM log WHERE id <= (SELECT max(id) - ${MOST_ROWS} FROM log)`,
    ];
    const before = mine[SQL]?.versions[0]?.split(', ') ?? [];
    const rows = [...before, `${marker} ${filler.length}`, `${marker} 0`].slice(-MOST_ROWS);
    return {
      send: { method: 'POST', path: '/v1/sqlite/batch', as: user, body: { statements } },
      apply: (model) => ({ ...model, [SQL]: databaseModel(rows) }),
    };
  }
  return createVal(user, `v${marker}`, code);
}

const withState = (world: WorldModel, changes: Partial<StateModel>): WorldModel => ({
  ...world,
  state: { ...world.state, ...changes },
});

/** Draws a change of settings or sandboxes, which others' writes do not affect. */
export function drawSetting(world: WorldModel, number: number, random: Random): Step<WorldModel> {
  const { state, kept } = world;
  const kind = random();
  if (kind < 0.3) {
    const freeze = `2030-01-01T00:00:00.${String(number % 1_000).padStart(3, '0')}Z`;
    const body =
      pick(random, [{ freeze }, { freeze: true }, { set: freeze }, { advance: '1h' }, { resume: true }]) ?? {};
    const frozen = 'freeze' in body || (state.clock.frozen && !('resume' in body));
    return {
      send: { method: 'PUT', path: '/_emulator/clock', body },
      // Without a response the time is unknown.
      apply: (model, response) => withState(model, { clock: { frozen, time: response?.now ?? '' } }),
    };
  }
  if (kind < 0.45) {
    const times = 1_000 + number;
    return {
      send: { method: 'POST', path: '/_emulator/faults', body: { route: 'GET /v1/me', status: 503, times } },
      apply: (model) => withState(model, { faults: [...model.state.faults, times] }),
    };
  }
  if (kind < 0.5) {
    return {
      send: { method: 'DELETE', path: '/_emulator/faults' },
      apply: (model) => withState(model, { faults: [] }),
    };
  }
  if (kind < 0.6) {
    const limit = random() < 0.3 ? null : 1_000_000 + number;
    return {
      send: {
        method: 'PUT',
        path: '/_emulator/rate-limit',
        body: limit === null ? { limit } : { limit, window: '1h' },
      },
      apply: (model) => withState(model, { limit }),
    };
  }
  const name = `kept-${number % 4}`;
  if (!kept[name]) {
    return {
      send: { method: 'POST', path: '/_emulator/sandboxes', body: { name, keep: true } },
      apply: (model) => ({ ...model, kept: { ...model.kept, [name]: {} } }),
    };
  }
  if (kind < 0.7) {
    return {
      send: { method: 'DELETE', path: `/_emulator/sandboxes/${name}` },
      apply: (model) => ({ ...model, kept: without(model.kept, name) }),
    };
  }
  if (kind < 0.75) {
    // One that is not kept.
    return {
      send: { method: 'POST', path: `/_sandbox/unkept-${number}/v1/vals`, as: RULER, body: { code: 'lost' } },
      apply: (model) => model,
    };
  }
  const step = createVal(RULER, `k${number}`, `kept ${number}`, `/_sandbox/${name}`);
  return {
    send: step.send,
    apply: (model, response) => ({
      ...model,
      kept: { ...model.kept, [name]: step.apply(model.kept[name] ?? {}, response) },
    }),
  };
}

/** Draws a change of the whole state, during which no other writer runs. */
export function drawUpheaval(world: WorldModel, number: number, random: Random): Step<WorldModel> {
  const name = `snapshot-${number % 3}`;
  const snapshot = world.snapshots[name];
  const kind = random();
  if (kind < 0.2) {
    return {
      send: { method: 'POST', path: '/_emulator/reset' },
      apply: (model) => ({ ...model, state: seedState(model.seed) }),
    };
  }
  if (kind < 0.3) {
    const seed = `seed ${number}`;
    return {
      send: { method: 'PUT', path: '/_emulator/seed', body: fixturesOf(seed) },
      apply: (model) => ({ ...model, seed, state: seedState(seed) }),
    };
  }
  if (kind < 0.6 || !snapshot) {
    // Never the last one again: after a kill, the order of the names shows whether it was taken.
    const isLast = name === Object.keys(world.snapshots).at(-1);
    const taken = isLast ? `snapshot-${(number + 1) % 3}` : name;
    return {
      send: { method: 'POST', path: '/_emulator/snapshots', body: { name: taken } },
      apply: (model) => ({ ...model, snapshots: { ...without(model.snapshots, taken), [taken]: model.state } }),
    };
  }
  if (kind < 0.9) {
    return {
      send: { method: 'POST', path: `/_emulator/snapshots/${name}/restore` },
      apply: (model) => ({ ...model, state: snapshot }),
    };
  }
  return {
    send: { method: 'DELETE', path: `/_emulator/snapshots/${name}` },
    apply: (model) => ({ ...model, snapshots: without(model.snapshots, name) }),
  };
}
