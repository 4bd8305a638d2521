import type { Options, PositionalOptions } from 'yargs';
import type { Environment } from './flags.js';
import type { CliIo } from './io.js';

export type Flags = Readonly<Record<string, Options>>;
export type Arguments = Readonly<Record<string, Options & PositionalOptions>>;

/** What a command takes and does. */
export interface Command {
  /** Positional arguments. */
  readonly args?: Arguments | undefined;
  /** Returns the flags, with defaults from the environment where a flag has a variable. */
  flags(env: Environment): Flags;
  readonly examples: readonly (readonly [usage: string, effect: string])[];
  readonly epilogue?: string;
  /**
   * Runs the command and resolves to its exit code, by default 0.
   * @param input the arguments and flags as parsed by yargs: `InferredOptionTypes` of their definitions
   */
  run(input: object, io: CliIo): Promise<number | undefined>;
}
