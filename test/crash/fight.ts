import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { readFolder } from '#engine/persistence/folder-log.js';
import { toValsState } from '#vals/lib/state.collection.js';
import { definitions } from '#vals/service/service.collection.js';
import { Isolated } from './namespaces.js';

const FIGHTER = fileURLToPath(new URL('fighter.js', import.meta.url));
/** Milliseconds after which a fighter that has not done something never will. */
const PATIENCE = 60_000;
const FIXTURES = { users: [{ username: 'ada', token: 'ada-token' }] };

interface Event {
  readonly wrote?: string;
  readonly lost?: readonly number[];
  readonly health?: number;
  readonly stopped?: boolean;
  /** Why it could not open the folder. */
  readonly refused?: string;
}

export interface LockTimes {
  readonly beat: number;
  readonly stale: number;
}

/** Two processes that cannot see each other, and want the same folder. */
export class Fight {
  readonly data: string;
  readonly #fighters: Isolated<Event>[];
  readonly #start: (index: number) => Isolated<Event>;
  /** Names of the vals whose writers had a response. */
  readonly #written = new Set<string>();

  /** @param options of the emulators. Without the times of the lock, they are the real ones. */
  constructor(options: { readonly dataLock?: LockTimes; readonly dataSync: string; readonly dataGrowth?: number }) {
    const folder = mkdtempSync(join(tmpdir(), 'val-emulator-fight-'));
    this.data = join(folder, 'data');
    const all = JSON.stringify({ fixtures: FIXTURES, data: this.data, keepJournal: true, ...options });
    let starts = 0;
    this.#start = (index) => new Isolated(FIGHTER, [all, `${'ab'[index]}${starts++}x`]);
    this.#fighters = [0, 1].map(this.#start);
    onTestFinished(async () => {
      await this.end();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.#fighters.map((fighter) => fighter.kill()));
  }

  /** Finds the one that has written last. */
  async #findHolder(): Promise<number> {
    const counts = this.#fighters.map(countWrites);
    let holder = -1;
    await this.#until('somebody writes', () => {
      holder = this.#fighters.findIndex((fighter, i) => countWrites(fighter) > (counts[i] ?? 0) + 3);
      return holder >= 0;
    });
    return holder;
  }

  async #until(what: string, isTrue: () => boolean): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!isTrue()) {
      const events = this.#fighters.map((fighter) => [JSON.stringify(fighter.events.slice(-5)), fighter.errors]);
      if (performance.now() > end) throw new Error(`waited in vain until ${what}: ${events.join('\n')}`);
      await sleep(5);
    }
  }

  /**
   * Lets both write, silences the one that has the folder until the other one has it, and then compares.
   * @param silence how, and for how many milliseconds at least
   */
  async round(silence: { readonly by: 'signal' | 'block' | 'kill'; readonly time: number }): Promise<void> {
    for (const fighter of this.#fighters) fighter.send('go');
    const holder = await this.#findHolder();
    const [silent, other] = [this.#fighters[holder], this.#fighters[1 - holder]];
    if (!silent || !other) throw new Error('no writer is left');
    const [before, lost] = [countWrites(other), silent.events.filter(isLoss).length];
    const end = `${this.data}-block`;
    rmSync(end, { force: true });
    if (silence.by === 'block') silent.send(`block ${end}`);
    else silent.signal('SIGSTOP');
    const silenced = performance.now();
    await this.#until('the other one writes', () => countWrites(other) > before + 20);
    await sleep(Math.max(0, silenced + silence.time - performance.now()));
    if (silence.by === 'kill') await silent.kill();
    else {
      if (silence.by === 'signal') silent.signal('SIGCONT');
      else writeFileSync(end, '');
      await this.#until('the first one has lost', () => silent.events.filter(isLoss).length > lost);
      const between = countWrites(other);
      await this.#until('one of them writes', () => countWrites(other) + countWrites(silent) > between + 20);
    }
    const active = silence.by === 'kill' ? [other] : this.#fighters;
    for (const fighter of active) fighter.send('stop');
    await this.#until('all have stopped', () => active.every(({ events }) => events.some(({ stopped }) => stopped)));
    for (const fighter of this.#fighters) this.#collect(fighter);
    const kept = readFolder(this.data, definitions).get('');
    const names = new Set(kept && [...toValsState(kept.contents.state).vals].map(({ name }) => name));
    expect([...this.#written].filter((name) => !names.has(name))).toEqual([]);
    if (silence.by === 'kill') this.#fighters[holder] = this.#start(holder);
  }

  get writes(): number {
    return this.#written.size;
  }

  /** Empties the events of a fighter. */
  #collect({ events, errors }: Isolated<Event>): void {
    for (const { wrote, lost, health, refused } of events.splice(0)) {
      if (refused !== undefined) expect(refused).toMatch(/ is in use by process \d+/);
      if (wrote !== undefined) this.#written.add(wrote);
      if (lost) expect([lost, health]).toEqual([[503, 503, 503, 503], 503]);
    }
    expect(errors).toBe('');
  }
}

const isLoss = ({ lost }: Event): boolean => lost !== undefined;
const countWrites = ({ events }: Isolated<Event>): number => events.filter(({ wrote }) => wrote !== undefined).length;
