import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findFile } from '#engine/persistence/file-names.js';
import { random as randomOf } from '../support/random.js';
import {
  fixturesOf,
  isSame,
  type Json,
  type Mine,
  RULER,
  readState,
  SQL,
  type StateModel,
  seedWorld,
  USERS,
  type WorldModel,
} from './model.js';
import { get, Killed, request, type Served, serve } from './process.js';
import { checkFiles } from './projects.js';
import { createVal, drawSetting, drawUpheaval, drawWrite, type Step } from './writers.js';

/*
 * Sixteen connections write, and one more changes settings, sandboxes and the whole world. The process is killed at a random
 * moment and started again on the same folder, which must have every write that had a response. Of the writes that had none
 * yet, at most one on each connection, it has all or nothing. `CRASH_SEED=7` draws others.
 */

const { CRASH_ROUNDS: rounds = '300', CRASH_SEED: seed = String(Date.now() % 1e6) } = process.env;

/** Rounds on the same folder. */
const FOLDER_ROUNDS = 20;
/** So small that the file is rewritten again and again. */
const GROWTH = 100_000;

const random = randomOf(Number(seed));
const counts = { writes: 0, settings: 0, upheavals: 0, pending: 0, survived: 0, reads: 0, databases: 0, files: 0 };

/** What is known of a folder while and after an emulator writes to it. */
class Session {
  world: WorldModel;
  readonly base: string;
  /** Writes without a response so far. */
  readonly pending = new Map<string, Step<Mine>>();
  pendingWorld: Step<WorldModel> | undefined;
  /** Names of vals that a reader saw, by user. */
  readonly seen = new Map<string, Set<string>>();
  isKilled = false;
  #isPaused = false;

  constructor(base: string, world: WorldModel) {
    this.base = base;
    this.world = world;
  }

  get #state(): StateModel {
    return this.world.state;
  }

  mine(user: string): Mine {
    return this.#state.users[user] ?? {};
  }

  async #write(user: string, step: Step<Mine>): Promise<void> {
    this.pending.set(user, step);
    const response = await request(this.base, step.send);
    const users = { ...this.#state.users, [user]: step.apply(this.mine(user), response) };
    this.world = { ...this.world, state: { ...this.#state, users } };
    this.pending.delete(user);
    counts.writes++;
  }

  async writeOn(user: string): Promise<void> {
    while (!this.isKilled) {
      if (this.#isPaused) await sleep(1);
      else await this.#write(user, drawWrite(user, this.mine(user), `${marker++}`, random));
    }
  }

  /** What a GET shows survives. */
  async read(): Promise<void> {
    const { users } = await get(this.base, '/_emulator/state');
    while (!this.isKilled) {
      const { id, username } = users[Math.floor(random() * USERS.length)];
      const { data } = await request(this.base, {
        method: 'GET',
        path: `/v1/users/${id}/vals?limit=100`,
        as: username,
      });
      if (this.#isPaused) continue;
      const names = this.seen.get(username) ?? new Set();
      for (const { name } of data) names.add(name);
      this.seen.set(username, names);
      counts.reads++;
    }
  }

  async #changeWorld(step: Step<WorldModel>): Promise<void> {
    this.pendingWorld = step;
    const response = await request(this.base, step.send);
    this.world = step.apply(this.world, response);
    this.pendingWorld = undefined;
  }

  async rule(): Promise<void> {
    while (!this.isKilled) {
      if (random() < 0.6) {
        await this.#changeWorld(drawSetting(this.world, marker++, random));
        counts.settings++;
        continue;
      }
      this.#isPaused = true;
      while (this.pending.size > 0) {
        if (this.isKilled) return;
        await sleep(0);
      }
      this.seen.clear();
      await (random() < 0.3 ? this.#writeAndRewind() : this.#changeWorld(drawUpheaval(this.world, marker++, random)));
      counts.upheavals++;
      this.#isPaused = false;
      await sleep(random() * 20);
    }
  }

  /** Creates some vals and takes some of these commits back. */
  async #writeAndRewind(): Promise<void> {
    const before: StateModel[] = [];
    for (let i = 0; i < 3; i++) {
      before.push(this.#state);
      await this.#write(RULER, createVal(RULER, `r${marker++}`, 'to be taken back'));
    }
    const steps = 1 + Math.floor(random() * 3);
    const state = before[before.length - steps] ?? this.#state;
    await this.#changeWorld({
      send: { method: 'POST', path: '/_emulator/rewind', body: { steps } },
      apply: (world) => ({ ...world, state }),
    });
  }
}

let marker = 1;

const show = (value: unknown) => JSON.stringify(value)?.replace(/x{9,}/g, 'x…');

/** Returns the world of the emulator, which is one that the session allows. @throws Error for another one */
async function compare(base: string, session: Session): Promise<WorldModel> {
  const { users, seedCode } = readState(await get(base, '/_emulator/state?secrets=true'));
  const clock = await get(base, '/_emulator/clock');
  const faults: number[] = (await get(base, '/_emulator/faults')).map(({ times }: Json) => times);
  const { limit } = await get(base, '/_emulator/rate-limit');
  const snapshots: string[] = (await get(base, '/_emulator/snapshots')).map(({ name }: Json) => name);
  const sandboxes: string[] = (await get(base, '/_emulator/sandboxes')).map(({ name }: Json) => name);
  const kept: Record<string, Mine> = {};
  for (const name of sandboxes) {
    kept[name] = readState(await get(base, `/_sandbox/${name}/_emulator/state?secrets=true`)).users[RULER] ?? {};
  }
  for (const user of Object.keys(users).filter((name) => users[name]?.[SQL])) {
    const send = {
      method: 'POST',
      path: '/v1/sqlite/execute',
      as: user,
      body: { statement: 'PRAGMA integrity_check' },
    };
    expect((await request(base, send)).rows, user).toEqual([['ok']]);
    counts.databases++;
  }
  for (const [user, mine] of Object.entries(users)) {
    const ask = (path: string) => request(base, { method: 'GET', path, as: user });
    counts.files += await checkFiles(mine, random, ask, (found, expected, path) => {
      expect(found, `${user} ${path}`).toEqual(expected);
    });
  }
  const { world, pending, pendingWorld } = session;
  const candidates = pendingWorld ? [world, pendingWorld.apply(world, undefined)] : [world];
  const reports: string[] = [];
  for (const [number, candidate] of candidates.entries()) {
    const problems: string[] = [];
    const check = (what: string, isRight: boolean, found: unknown, expected: unknown) => {
      if (!isRight) problems.push(`${what}: found ${show(found)}; expected ${show(expected)}`);
    };
    const same = (what: string, found: unknown, expected: unknown) =>
      check(what, JSON.stringify(found) === JSON.stringify(expected), found, expected);
    const { state } = candidate;
    same('seed', seedCode, state.seedCode);
    same('faults', faults, state.faults);
    same('limit', limit, state.limit);
    same('frozen', clock.frozen, state.clock.frozen);
    const { time } = state.clock;
    const isTime = state.clock.frozen ? time === '' || clock.now === time : clock.now >= time;
    check('time', isTime, clock.now, time);
    same('snapshots', snapshots, Object.keys(candidate.snapshots));
    same('sandboxes', sandboxes.toSorted(), Object.keys(candidate.kept).toSorted());
    for (const name of sandboxes) {
      check(name, isSame(kept[name], candidate.kept[name]), kept[name], candidate.kept[name]);
    }
    for (const user of new Set([...USERS, RULER, ...Object.keys(users)])) {
      const before = state.users[user] ?? {};
      const step = pending.get(user);
      const after = step?.apply(before, undefined);
      const mustBeThere = step?.creates !== undefined && session.seen.get(user)?.has(step.creates);
      const isRight = (!mustBeThere && isSame(users[user], before)) || (after && isSame(users[user], after));
      check(user, isRight === true, users[user], after ? { before, after, mustBeThere } : before);
    }
    if (problems.length === 0) {
      for (const user of pending.keys()) {
        counts.pending++;
        if (!isSame(users[user], state.users[user])) counts.survived++;
      }
      if (pendingWorld) counts.pending++;
      if (number === 1) counts.survived++;
      return {
        ...candidate,
        state: { ...state, users, clock: { frozen: clock.frozen, time: clock.now } },
        kept,
      };
    }
    reports.push(`as if ${number === 0 ? 'the last change was not made' : 'it was'}:\n    ${problems.join('\n    ')}`);
  }
  const last = pendingWorld
    ? `last change: ${JSON.stringify(pendingWorld.send)}`
    : 'no change of the world was under way';
  throw new Error(`another world (${last})\n  ${reports.join('\n  ')}`);
}

test(`kill -9 loses no write that has a response (${rounds} rounds, seed ${seed})`, async () => {
  let served: Served | undefined;
  let folder = '';
  let world = seedWorld('seed 0');
  onTestFinished(async () => {
    await served?.stop('SIGKILL').catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });
  const start = performance.now();
  for (let round = 0; round < Number(rounds); round++) {
    if (round % FOLDER_ROUNDS === 0) {
      if (folder !== '') rmSync(folder, { recursive: true });
      folder = mkdtempSync(join(tmpdir(), 'val-emulator-crash-'));
      writeFileSync(join(folder, 'seed.json'), JSON.stringify(fixturesOf('seed 0')));
      world = seedWorld('seed 0');
    }
    const data = join(folder, 'data');
    const dataSync = random() < 0.6 ? 'full' : 'lazy';
    const dataGrowth = random() < 0.7 ? GROWTH : undefined;
    const options = { data, fixtures: join(folder, 'seed.json'), dataSync, dataGrowth } as const;
    served = await serve(options);
    const session = new Session(served.url, world);
    const writers = [...USERS.map((user) => session.writeOn(user)), session.rule(), session.read()];
    const all = Promise.allSettled(writers);
    // After a number of writes: how long the first ones take depends on the machine.
    const wanted = random() < 0.2 ? 0 : counts.writes + random() * 250;
    const giveUp = performance.now() + 1_500;
    while (counts.writes < wanted && performance.now() < giveUp) await sleep(1);
    await sleep(random() * 20);
    await served.stop('SIGKILL');
    session.isKilled = true;
    for (const result of await all) {
      if (result.status === 'rejected' && !(result.reason instanceof Killed)) throw result.reason;
    }
    try {
      served = await serve(options);
      world = await compare(served.url, session);
      // A clean end keeps everything as well, to the byte.
      if (round % 10 === 0) {
        const before = await get(served.url, '/_emulator/state');
        await served.stop('SIGTERM');
        served = await serve(options);
        expect(JSON.stringify(await get(served.url, '/_emulator/state'))).toBe(JSON.stringify(before));
      }
      await served.stop('SIGKILL');
    } catch (error) {
      const log = join(tmpdir(), `val-emulator-crash-${process.pid}.ndjson`);
      writeFileSync(log, readFileSync(findFile(data, 'log') ?? ''));
      throw new Error(`round ${round} of CRASH_SEED=${seed} (${dataSync}, growth ${dataGrowth}; ${log}): ${error}`);
    }
    if (round % 10 === 9)
      console.info(
        `${round + 1} rounds in ${Math.round((performance.now() - start) / 1000)} s: ${JSON.stringify(counts)}`,
      );
  }
  // So that a generator that writes nothing does not pass.
  expect(counts.writes).toBeGreaterThan(Number(rounds) * 10);
  expect(counts.databases).toBeGreaterThan(Number(rounds));
  expect(counts.files).toBeGreaterThan(Number(rounds));
  expect(counts.upheavals).toBeGreaterThanOrEqual(Math.floor(Number(rounds) / 4));
});
