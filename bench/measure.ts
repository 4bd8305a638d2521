import { readdirSync, readFileSync } from 'node:fs';

/** The median, which noise moves least. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Measures the CPU time of a call in milliseconds. Other processes do not count. */
export function processorTime(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** As {@link processorTime}, of a call that ends later. */
export async function processorTimeLater(run: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Shortest loop to measure, in milliseconds. */
const MIN_LOOP_TIME = 15;

/** Measures the CPU time of one call in microseconds. The call receives its number in the loop. */
export function timeOfCall(call: (n: number) => unknown): number {
  for (let calls = 250; ; calls *= 2) {
    const took = processorTime(() => {
      for (let n = 0; n < calls; n++) call(n);
    });
    if (took >= MIN_LOOP_TIME) return (took * 1_000) / calls;
  }
}

/** Returns the heap in bytes after a garbage collection. */
export function heapUsed(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Microseconds of a tick of /proc. */
const TICK_US = 10_000;

/** Reads the microseconds of processor time that a process has used, with all its threads. On Linux only. */
export function readProcessorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Reads the microseconds of processor time of the threads that a process has now, finer than ticks. On Linux only. */
export function readThreadsTime(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return times.reduce((total, time) => total + time, 0) / 1_000;
}

/**
 * Returns the microseconds of processor time that a server uses for each of some requests, which several connections send at once.
 * @param send receives the number of the request
 */
export async function timeOfRequests(
  pid: number,
  { count, connections }: { readonly count: number; readonly connections: number },
  send: (n: number) => Promise<unknown>,
): Promise<number> {
  const before = readProcessorTime(pid);
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      for (let n = connection; n < count; n += connections) await send(n);
    }),
  );
  return (readProcessorTime(pid) - before) / count;
}
