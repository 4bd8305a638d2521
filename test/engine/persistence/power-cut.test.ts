import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { DataFolder } from '#engine/persistence/data-folder.js';
import { compactFolder } from '#engine/persistence/folder-log.js';
import type { SeedData, StoredSandbox } from '#engine/persistence/storage.js';
import { findNumbers } from '#engine/store/store.js';
import { definitions } from '#vals/service/service.collection.js';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { PATIENCE } from '../../support/patience.js';
import { sized } from '../../support/soak.js';
import { FIXTURES, openData, send as sendAs, showBriefly } from './folder.js';
import { MemoryDisk, type Tree } from './memory-disk.js';

const explored = sized(test.skip, test);

// Runs processes on a disk in memory, and opens all states in which a power cut or a kill may leave it.

const DATA = '/new/parents/data';

/** Returns whether what is acknowledged so far is durable, although the mode is `lazy`. */
type Step = (emulator: Emulator, disk: MemoryDisk) => Promise<unknown>;

interface Shown extends Pick<StoredSandbox, 'name' | 'contents'> {
  readonly seed: Pick<SeedData, 'info'>;
}

const show = (sandboxes: readonly Shown[]): string =>
  sandboxes
    .map(({ name, seed, contents }) => `${name} ${seed.info.fingerprint} ${showBriefly(contents)}`)
    .sort()
    .join('\n');

/** Shows the sandboxes of the folder after each commit of a step, as if its other commits had not been made. */
function* showCommits(emulator: Emulator, known: readonly string[]): Generator<string> {
  const kept = emulator.sandboxes().flatMap(({ name, kept }) => (kept ? [emulator.sandbox(name)] : []));
  const others = kept.map(({ name, meta, store }) => ({ name, ...meta, contents: store.contents }));
  const { meta, store } = emulator;
  const { history, commits } = store.contents;
  const added = history.list().filter(({ id }) => !known.includes(id)).length;
  for (let i = history.length - added; i < history.length; i++) {
    const state = history.at(i)?.after ?? expect.fail();
    const past = {
      state,
      history: history.dropNewest(history.length - i - 1),
      commits: commits - history.length + i + 1,
    };
    const numbers = findNumbers(past.history);
    yield show([{ name: '', ...meta, contents: { ...store.contents, ...past, numbers } }, ...others]);
  }
  yield show([{ name: '', ...meta, contents: store.contents }, ...others]);
}

const listCommits = (emulator: Emulator) => emulator.history().map(({ id }) => id);

/** The id of a lock is random, and its content of no consequence but for its length. */
function hash(tree: Tree): string {
  const made = createHash('sha1');
  for (const [path, bytes] of [...tree].sort()) {
    made.update(path.replace(/[0-9a-f-]{36}/, ''));
    made.update(path.includes('/lock') ? String(bytes?.length) : (bytes ?? ''));
  }
  return made.digest('base64');
}

/** When a state of the disk may be found: from which step to which, with at least so many requests in the journal. */
type Found = readonly [from: number, to: number, requests: number];

class PowerCuts {
  readonly states = new Map<string, { readonly tree: Tree; readonly found: Map<string, Found> }>();
  /** What the folder has within each step, and after it. */
  readonly #views: string[][] = [['']];
  /** The numbers of the requests of the journal. */
  #requests: readonly number[] = [];
  /** The last step, and the requests, that a power cut cannot take back. */
  #durable = { step: 0, requests: 0 };
  readonly #reads = new Map<string, ReturnType<typeof readFolder>>();
  #tree: Tree = new Map();
  #boots = 0;

  /** Starts an emulator, takes steps, and kills it. */
  async run(options: EmulatorOptions, ...steps: readonly Step[]): Promise<void> {
    const disk = this.#boot();
    const emulator = await openData(DATA, { dataDisk: disk, ...options });
    let known = listCommits(emulator);
    for (const step of [async () => true, ...steps]) {
      const last = this.#views.length;
      const isDurable = (await step(emulator, disk)) === true;
      this.#views.push([...showCommits(emulator, known)]);
      known = listCommits(emulator);
      if (options.keepJournal) this.#requests = emulator.journal.exchanges.map(({ number }) => number);
      if (isDurable) this.#durable = { step: last, requests: this.#requests.length };
      else if (options.dataSync !== 'lazy') this.#durable = { ...this.#durable, step: last };
      disk.onChange();
    }
    disk.onChange = () => {};
    this.#tree = disk.tree;
  }

  /** Starts an emulator on a disk that cannot be read. */
  async runUnreadable(): Promise<void> {
    const disk = this.#boot();
    vi.spyOn(disk, 'readSync').mockImplementation(() => expect.fail('EIO'));
    await expect(openData(DATA, { dataDisk: disk })).rejects.toThrow('EIO');
    this.#tree = disk.tree;
  }

  #boot(): MemoryDisk {
    const disk = new MemoryDisk(this.#tree, ++this.#boots);
    // Longer than a response takes, so that one that does not wait for it is noticed.
    disk.syncTurns = 100;
    disk.onChange = () => {
      for (const tree of disk.afterPowerCut()) this.#add(tree, this.#durable.step);
      // What a kill leaves: more than a power cut does, in the mode `lazy`.
      this.#add(disk.tree, this.#views.length - 1);
    };
    return disk;
  }

  #add(tree: Tree, from: number): void {
    const key = hash(tree);
    const state = this.states.get(key) ?? { tree, found: new Map<string, Found>() };
    // The step after the last acknowledged one may be there, as a whole.
    const found = [from, this.#views.length, this.#durable.requests] as const;
    this.states.set(key, { ...state, found: state.found.set(found.join(), found) });
  }

  /** Opens each state, and again what a power cut leaves of it then. Returns the problems. */
  async check(): Promise<string[]> {
    const problems: string[] = [];
    for (const { tree, found } of this.states.values()) {
      try {
        const { view, requests, after } = await this.#read(tree, 1_000);
        for (const [from, to, least] of found.values()) {
          const expected = [this.#views[from]?.at(-1), ...this.#views.slice(from + 1, to + 1).flat()];
          if (!expected.includes(view)) problems.push(`${this.#find(view)}; expected ${from} to ${to}`);
          const isPrefix = requests.every((number, i) => number === this.#requests[i]);
          if (!isPrefix || requests.length < least) problems.push(`requests ${requests}; expected at least ${least}`);
        }
        for (const later of after) {
          const again = await this.#read(later, 2_000);
          if (again.view !== view) problems.push(`${this.#find(view)}; ${this.#find(again.view)} after a start`);
        }
      } catch (error) {
        problems.push(String(error));
      }
    }
    return problems;
  }

  readonly #find = (view: string): string => `step ${this.#views.findIndex((views) => views.includes(view))}`;

  #read(tree: Tree, boot: number): ReturnType<typeof readFolder> {
    const key = `${boot} ${hash(tree)}`;
    const reading = this.#reads.get(key) ?? readFolder(new MemoryDisk(tree, boot));
    this.#reads.set(key, reading);
    return reading;
  }
}

async function readFolder(disk: MemoryDisk) {
  const options = { definitions, sync: 'full', settings: {}, keepJournal: true, onFailure: () => {} } as const;
  const folder = await DataFolder.open(DATA, { disk, systemTime: Date.now, ...options });
  const sandboxes = await folder.load();
  const after = disk.afterPowerCut();
  await folder.close();
  return { view: show(sandboxes), requests: sandboxes[0]?.exchanges.map(({ number }) => number) ?? [], after };
}

const send =
  (method: string, path: string, body?: unknown, sandbox = ''): Step =>
  async (emulator) => {
    const { status, text } = await sendAs(sandbox === '' ? emulator : emulator.sandbox(sandbox), method, path, body);
    expect(status, text).toBeLessThan(300);
  };
const create = (name: string, sandbox?: string) => send('POST', '/v1/vals', { name, code: '1' }, sandbox);
const snapshot = (name: string, sandbox?: string) => send('POST', '/_emulator/snapshots', { name }, sandbox);
const keep = (name: string) => send('POST', '/_emulator/sandboxes', { name, keep: true });
const close: Step = (emulator) => emulator.close();
const together =
  (...steps: readonly Step[]): Step =>
  (...parts) =>
    Promise.all(steps.map((step) => step(...parts)));

/** Waits until all that was written is durable, and the journal has each request. */
const settle: Step = async ({ journal }, disk) => {
  const isSettled = ([path, bytes]: readonly [string, Buffer | undefined]) =>
    /\/lock|\.new$/.test(path) ||
    ((!path.includes('/journal') || String(bytes).split('"type":"request"').length > journal.exchanges.length) &&
      disk.afterPowerCut().every((tree) => tree.get(path) === bytes));
  await vi.waitFor(() => expect([...disk.tree].every(isSettled)).toBe(true), { timeout: PATIENCE });
  return true;
};

test('a new folder, later starts, snapshots and kept sandboxes', async () => {
  const cuts = new PowerCuts();
  await cuts.run(
    {},
    ...[create('a'), snapshot('one'), create('b'), send('POST', '/_emulator/rewind', { steps: 1 })],
    ...[send('POST', '/v1/blob/key', { any: 'bytes' }), together(create('c'), create('d'), create('e'))],
  );
  await cuts.run({}, create('f'), close);
  await cuts.runUnreadable();
  await cuts.run(
    {},
    ...[
      keep('kept'),
      create('a', 'kept'),
      snapshot('two', 'kept'),
      send('POST', '/_emulator/reset', undefined, 'kept'),
    ],
    // Kept with the history and the snapshot that it has already.
    ...[together(create('b', 'late'), snapshot('three', 'late'), create('c', 'late')), keep('late')],
    ...[send('POST', '/_emulator/snapshots/one/restore'), send('DELETE', '/_emulator/sandboxes/kept')],
  );
  expect(await cuts.check()).toEqual([]);
  expect(cuts.states.size).toBeGreaterThan(100);
});

explored('compaction, by the emulator and by the command, and other seed data', async () => {
  const cuts = new PowerCuts();
  await cuts.run({ dataGrowth: 1 }, create('a'), create('b'), create('c'), create('d'));
  await cuts.run({}, create('e'), close, (_, disk) => compactFolder(DATA, definitions, disk));
  await cuts.run({ reseed: true, fixtures: { ...FIXTURES, vals: [] } }, create('f'));
  expect(await cuts.check()).toEqual([]);
  expect([...cuts.states.values()].some(({ tree }) => [...tree.keys()].join().includes('.new'))).toBe(true);
});

explored('the journal has what it had 100 ms before', async () => {
  const cuts = new PowerCuts();
  for (const round of [1, 2]) await cuts.run({ keepJournal: true }, create(`a${round}`), settle, create(`b${round}`));
  expect(await cuts.check()).toEqual([]);
  expect(cuts.states.size).toBeGreaterThan(50);
});

explored('in the mode lazy, a state of the history that is not older than 100 ms, or than saved()', async () => {
  const cuts = new PowerCuts();
  const saved: Step = async (emulator) => {
    await emulator.saved();
    return true;
  };
  const lazy = { dataSync: 'lazy' } as const;
  await cuts.run(lazy, create('a'), create('b'), settle, create('c'), create('d'), saved, create('e'));
  await cuts.run({ ...lazy, dataGrowth: 1 }, create('f'), create('g'), create('h'), settle);
  expect(await cuts.check()).toEqual([]);
});
