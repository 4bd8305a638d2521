import process from 'node:process';
import timers from 'node:timers';
import workerThreads from 'node:worker_threads';
import { isObject } from '#engine/lib/objects.js';
import { sleep, systemTimers } from '#engine/platform/system-timers.js';

/** Milliseconds in which what is being closed ends, on a busy machine too. */
const CLOSING_MS = 30_000;

/** A global that a package adds when it is loaded. */
const ADDED = ['sqlite3InitModule'];
/** Handles that a file may leave open, and what a reader calls them. */
const HANDLES: Readonly<Record<string, string>> = {
  TCPServerWrap: 'servers that listen',
  PipeWrap: 'pipes',
  ProcessWrap: 'processes',
  FSEventWrap: 'watched files',
  StatWatcher: 'watched files',
};

/** What the files of a worker share beside its modules. */
interface Shared {
  /** Functions of the process by their names. */
  readonly functions: ReadonlyMap<string, unknown>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Counts of open handles, listeners of signals, and emulators, by what they are. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Reads the value of a property. A global that Node loads late becomes a value when it is read. */
const readValue = ({ get, value }: PropertyDescriptor): unknown => (get ? get.call(globalThis) : value);

function* listFunctions(): Generator<[name: string, value: unknown]> {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    // Packages such as vitest and zod keep what is theirs by such a name.
    if (!name.startsWith('__') && !ADDED.includes(name)) yield [name, descriptor];
  }
  for (const [name, value] of Object.entries(timers)) yield [`node:timers ${name}`, value];
  for (const name of ['hrtime', 'nextTick'] as const) yield [`process.${name}`, process[name]];
}

/** Emulators that keep the thread of SQL, which is one for the process. */
function countEmulators(): number {
  for (const key of Object.getOwnPropertySymbols(workerThreads)) {
    const shared: unknown = Reflect.get(workerThreads, key);
    if (key.description?.startsWith('val-emulator') && isObject(shared)) return Number(shared.emulators);
  }
  return 0;
}

function countAll(): Map<string, number> {
  const counts = new Map([['emulators that are not closed', countEmulators()]]);
  const add = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const type of process.getActiveResourcesInfo()) {
    const what = HANDLES[type];
    if (what !== undefined) add(what);
  }
  for (const event of process.eventNames()) {
    counts.set(`listeners of process.on(${JSON.stringify(String(event))})`, process.listenerCount(event));
  }
  return counts;
}

export const readShared = (): Shared => ({
  functions: new Map(listFunctions()),
  environment: { ...process.env },
  folder: process.cwd(),
  counts: countAll(),
});

const isDescriptor = (value: unknown): value is PropertyDescriptor =>
  isObject(value) && 'configurable' in value && 'enumerable' in value;

/** Returns whether a global has another value. */
function isReplaced(before: unknown, after: unknown): boolean {
  if (!isDescriptor(before) || !isDescriptor(after)) return before !== after;
  if (before.get && before.get === after.get) return false;
  return !Object.is(readValue(before), readValue(after));
}

function* compare(before: Shared): Generator<string> {
  const { functions, environment, folder, counts } = readShared();
  for (const name of new Set([...before.functions.keys(), ...functions.keys()])) {
    if (isReplaced(before.functions.get(name), functions.get(name))) yield `${name} is another one`;
  }
  for (const name of new Set(Object.keys({ ...before.environment, ...environment }))) {
    if (before.environment[name] !== environment[name]) yield `the variable ${name} is ${environment[name] ?? 'gone'}`;
  }
  if (folder !== before.folder) yield `the working directory is ${folder}`;
  for (const [what, count] of counts) {
    const more = count - (before.counts.get(what) ?? 0);
    if (more > 0) yield `${what}: ${more}`;
  }
}

/** Lists what has changed in this process since `before`, once what is being closed has ended. */
export async function findLeftovers(before: Shared, patience = CLOSING_MS): Promise<string[]> {
  const end = systemTimers.uptime() + patience;
  for (;;) {
    const found = [...compare(before)];
    if (found.length === 0 || systemTimers.uptime() > end) return found;
    await sleep(systemTimers, 10);
  }
}

/** Lists the modules that the current file has replaced by `vi.mock`, which stay replaced for the next file of its worker. */
export function listMockedModules(): string[] {
  const mocker: unknown = Reflect.get(globalThis, '__vitest_mocker__');
  if (!isObject(mocker) || typeof mocker.getMockerRegistry !== 'function') return [];
  const registry: unknown = mocker.getMockerRegistry();
  if (!isObject(registry) || typeof registry.keys !== 'function') return [];
  return [...registry.keys()].map(String);
}
