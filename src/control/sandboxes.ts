import { ApiError, badRequest } from '../domain/errors.js';
import type { FixtureSource } from '../fixtures/read.js';
import { Sandbox } from './sandbox.js';
import type { Surroundings } from './surroundings.js';

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** What would be taken for a step in a path. */
const DOTS = /^\.+$/;

/** The emulator's own sandbox and those that were made beside it. */
export class Sandboxes {
  /** The one that requests without a sandbox go to. */
  readonly main: Sandbox;
  readonly #others = new Map<string, Sandbox>();
  readonly #surroundings: Surroundings;
  readonly #limit: number;
  #made = 0;

  /** @param limit how many there may be beside the main one */
  constructor(main: Sandbox, surroundings: Surroundings, limit: number) {
    this.main = main;
    this.#surroundings = surroundings;
    this.#limit = limit;
  }

  get all(): readonly Sandbox[] {
    return [...this.#others.values()];
  }

  /**
   * The sandbox of this name, made on first use as a fork of the main one's seed.
   * @param name by default a new one
   * @throws ApiError 400 for a name that is not allowed, 503 when there are too many
   */
  open(name: string = this.#newName()): Sandbox {
    const known = this.#others.get(name);
    if (known) return known;
    if (!NAME.test(name) || DOTS.test(name)) {
      const expected = DOTS.test(name) ? 'more than dots' : '1 to 64 of A-Z a-z 0-9 . _ -';
      throw badRequest(`${JSON.stringify(name)} is no name for a sandbox: expected ${expected}`);
    }
    if (this.#others.size >= this.#limit) {
      throw new ApiError(
        503,
        `There are ${this.#limit} sandboxes already, which is the limit (option maxSandboxes). Close one first.`,
      );
    }
    const sandbox = new Sandbox(name, this.main.world.seed, this.#surroundings);
    this.#others.set(name, sandbox);
    return sandbox;
  }

  /**
   * Reseeds the main sandbox. Others keep what they have; where that began with the same seed, a reset leads to the new one.
   * @throws FixtureError when nothing has changed
   */
  reload(fixtures: FixtureSource): void {
    const { world } = this.main;
    const followers = this.all.filter((sandbox) => sandbox.world.seed === world.seed);
    this.main.reseed(fixtures);
    for (const follower of followers) follower.world.replant(world.seed);
  }

  /** Whether there was one of this name. */
  drop(name: string): boolean {
    return this.#others.delete(name);
  }

  /** Drops this one, and not another that has its name by now. */
  close(sandbox: Sandbox): void {
    if (this.#others.get(sandbox.name) === sandbox) this.drop(sandbox.name);
  }

  #newName(): string {
    for (;;) {
      const name = `sandbox-${++this.#made}`;
      if (!this.#others.has(name)) return name;
    }
  }
}
