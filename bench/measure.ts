/** The middle one, which a noisy machine moves least. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Milliseconds of the processor that something takes: what other programs use meanwhile does not count. */
export function processorTime(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Milliseconds that a loop must take to be timed. */
const LONG_ENOUGH = 15;

/** Microseconds of the processor for one call, from a loop long enough to time. The call is told which one it is. */
export function timeOfCall(call: (n: number) => unknown): number {
  for (let calls = 250; ; calls *= 2) {
    const took = processorTime(() => {
      for (let n = 0; n < calls; n++) call(n);
    });
    if (took >= LONG_ENOUGH) return (took * 1_000) / calls;
  }
}

/** Bytes in use once all garbage is gone. */
export function heapUsed(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
