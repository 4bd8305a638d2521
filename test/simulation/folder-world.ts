import type { Disk, DiskFile } from '#engine/persistence/disk.js';
import type { Emulator } from '../../src/index.js';
import { untilHealthy } from '../cluster/client.js';
import type { Random } from '../cluster/draw.js';
import { NOW } from '../cluster/model.js';
import { assertSame, exportNode } from '../cluster/verdicts.js';
import { MemoryDisk } from '../engine/persistence/memory-disk.js';
import { Registers } from './registers.js';
import type { Process } from './scheduler.js';
import { BALANCER, FIXTURES, OTHER, type Plan, World } from './world.js';

const DATA = '/data';
/** Bytes after which the log is compacted: few, so that it happens in short worlds. */
const GROWTH = 8_000;
/** Milliseconds that an operation of the disk takes at most. */
const LATENCY = 5;
/** Milliseconds after which nothing waits to be written. A control request that waits for the disk would stop the time of the world. */
const QUIET = 1_000;

/** The disk of a machine as one process has it: its operations take time, and may fail. */
class Drive {
  #disk = new MemoryDisk(new Map(), 0);
  /** The operation that fails: with EIO a sync, with ENOSPC a write. */
  failure = '';
  /** The number of the container in which processes start. */
  container = 0;
  readonly #world: World;
  #boots = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Loses power: what was not synced may be lost. */
  cutPower(): void {
    const trees = this.#disk.afterPowerCut();
    const tree = trees[this.#world.below(trees.length)];
    if (!tree) return;
    const before = this.#disk;
    this.#disk = new MemoryDisk(tree, 0);
    // The times of files are kept.
    for (const path of tree.keys()) {
      const time = new Date(before.statSync(path)?.mtimeMs ?? 0);
      this.#disk.utimesSync(path, time, time);
    }
  }

  /** Returns the disk for a process, as a container of its own has it. */
  open(process: Process): Disk {
    const disk = this.#disk;
    const { container } = this;
    const boot = `1 (node) S${' 0'.repeat(18)} ${++this.#boots}`;
    const { scheduler } = this.#world;
    const wait = (what: string) =>
      new Promise<void>((resolve) => {
        scheduler.after(LATENCY * scheduler.random(), what, resolve, process);
      });
    const failIf = (code: string) => {
      if (this.failure === code) throw Object.assign(new Error(`${code}: the disk fails`), { code });
    };
    const wrap = ({ fd, write, sync, close }: DiskFile): DiskFile => {
      const syncNow = async () => {
        await wait('syncs');
        failIf('EIO');
        disk.turn = () => wait('has synced');
        await sync();
      };
      const writeNow = async (bytes: Uint8Array) => {
        await wait('writes');
        failIf('ENOSPC');
        // A part of it, as a disk may.
        const end = scheduler.random() < 0.1 ? Math.ceil(bytes.length / 2) : bytes.length;
        disk.now = process.timers.now;
        return write(bytes.subarray(0, end));
      };
      return { fd, write: writeNow, sync: syncNow, datasync: syncNow, close };
    };
    const own: Partial<Disk> = {
      promises: { open: async (path, flags) => wait('opens').then(() => disk.promises.open(path, flags).then(wrap)) },
      readFileSync: (path) => (path.startsWith('/proc/') ? boot : disk.readFileSync(path)),
      readlinkSync: () => `container ${container}`,
    };
    return new Proxy<Disk>(disk, {
      get: (target, key) => {
        const member: unknown = Reflect.get(own, key) ?? Reflect.get(target, key, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }
}

/** A data folder, and the processes that use it: one at a time. */
export function makeFolder(draw: Random, isTraced: boolean, plan: Plan) {
  const isLazy = draw() < 0.3;
  const kept = { keepJournal: draw() < 0.5, dataSync: isLazy ? 'lazy' : 'full' } as const;
  const time = draw() < 0.5 ? { now: NOW } : {};
  const options = { fixtures: FIXTURES, ...time, data: DATA, dataGrowth: GROWTH, ...kept };
  const open = (emulator: Emulator) => emulator.sandbox(OTHER, { keep: true });
  const world: World = new World(draw, isTraced, (process) => ({ ...options, dataDisk: drive.open(process) }), open);
  const drive = new Drive(world);
  const registers = new Registers(world);
  return { world, counts: registers.counts, live: () => live(world, drive, registers, plan, isLazy) };
}

async function live(world: World, drive: Drive, registers: Registers, plan: Plan, isLazy: boolean): Promise<void> {
  const cutPower = () => {
    drive.cutPower();
    if (isLazy) registers.lose();
  };
  /** One process starts after another. */
  let starting: Promise<unknown> = Promise.resolve();
  const start = (prepare: () => void, add = (): Promise<unknown> => world.add()) => {
    starting = starting.then(() => {
      prepare();
      return add();
    });
    starting.catch(() => {});
    return starting;
  };
  const isDone = start(() => {}).then(() => registers.run(plan));
  isDone.catch(() => {});
  /** Ends all processes, and starts another one. */
  const restart = (between = () => {}) =>
    start(() => {
      for (const node of [...world.nodes]) world.kill(node);
      between();
    });
  /** Starts a process, unless another one has the folder: the disk may have failed while that was stopped. */
  const addIfFree = () =>
    world.add().catch((error: Error) => {
      if (!error.message.includes(' is in use by ')) throw error;
    });
  const failing = async (code: string, pause: number) => {
    await world.set(drive, 'failure', code, '', pause);
    await restart();
  };
  await world.disturb(plan.faults, {
    kills: () => restart(),
    powerCuts: () => restart(cutPower),
    syncFailures: (pause) => failing('EIO', pause),
    fullDisks: (pause) => failing('ENOSPC', pause),
    // Another container takes the folder meanwhile.
    takeovers: async () => {
      let end = 0;
      await start(() => {
        drive.container++;
        end = world.now() + 20_000;
        for (const { process } of world.nodes) process.stoppedUntil = end;
      }, addIfFree);
      // The first process continues, and must notice.
      await world.sleep(end + 1_000 - world.now());
    },
    jumps: (pause) => {
      // Never back, which a running clock follows. The clock of the next process may be behind.
      for (const { process } of world.nodes) process.skew += world.scheduler.random() * pause;
    },
    losses: (pause) => world.set(world, 'loss', 0.3, 0, pause),
  });
  registers.isQuiet = true;
  await isDone;
  const restartQuietly = async (between?: () => void) => {
    await restart(between);
    await untilHealthy(BALANCER, world);
    await world.sleep(QUIET);
  };
  await restartQuietly();
  // Otherwise, their time passes.
  for (const { emulator } of world.nodes) for (const each of [emulator, emulator?.sandbox(OTHER)]) each?.clock.freeze();
  await world.sleep(QUIET);
  const before = await exportNode(BALANCER, world);
  await restartQuietly(cutPower);
  assertSame('the folder before and after a power cut', before, await exportNode(BALANCER, world));
  await registers.check();
}
