/** What random requests are drawn by: a seeded `Rng`, or a list of numbers that fast-check shrinks. */
export interface Choices {
  /** Both ends are included. */
  int(min: number, max: number): number;
  bool(probability?: number): boolean;
  pick<T>(items: readonly T[]): T;
}
