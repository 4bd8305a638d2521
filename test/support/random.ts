import { Rng } from '../../src/lib/rng.js';

/** Returns a function that gives numbers from 0 (inclusive) to 1 (exclusive): the same for the same seed. */
export function random(seed: number): () => number {
  const rng = new Rng(seed);
  return () => rng.next();
}
