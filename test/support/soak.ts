import { PATIENCE } from './patience.js';

/** `npm test -- soak` runs all, `SOAK=250` and `npm test -- explore` a sixth. */
const SHARE = Number(process.env.SOAK ?? 1_500) / 1_500;

/** Whether a run is not shortened. */
export const isWhole = SHARE >= 1;

/** The number of repetitions for the size of this run. */
export const scaled = (full: number): number => Math.ceil(full * SHARE);

/** Chooses the size of a test that `npm test` runs as a small one, and `npm test -- explore` as a full one. */
export const sized = <T>(small: T, full: T): T => (process.env.SOAK === undefined ? small : full);

/** `SEED=7` draws other values. */
export const SEED = process.env.SEED ?? '1';

/** Rejects when something takes so long that it hangs. */
export async function watchdog<T>(label: string, promise: Promise<T>, milliseconds = PATIENCE): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs: ${label}`)), milliseconds);
  });
  return Promise.race([promise, hung]).finally(() => clearTimeout(timer));
}
