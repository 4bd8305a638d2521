import { Rng } from '#engine/lib/rng.js';

/** Returns a function that draws numbers from 0 (inclusive) to 1 (exclusive). One seed draws one sequence. */
export function random(seed: number): () => number {
  const rng = new Rng(seed);
  return () => rng.next();
}
