import type { InferredOptionType, PositionalOptions } from 'yargs';
import type { Flags } from './flags.js';
import type { CliIo } from './io.js';

export type Arguments = Readonly<Record<string, Flags[string] & PositionalOptions>>;
export type None = Readonly<Record<never, never>>;

type CamelCase<K> = K extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : K;
/** The values of flags as yargs parses them, and the words after `--`. */
export type Input<F extends Flags> = { readonly [K in keyof F as CamelCase<K>]: InferredOptionType<F[K]> } & {
  readonly '--'?: readonly string[];
};

/** What a command takes and does. */
export interface CommandSpec<A extends Arguments = Arguments, V extends Flags = Flags, F extends Flags = Flags> {
  readonly args?: A;
  /** Flags with an environment variable each. */
  readonly variables?: V;
  /** Flags without one. */
  readonly flags?: F;
  /** Command lines with their effects. */
  readonly examples: Readonly<Record<string, string>>;
  readonly epilogue?: string;
  /** Runs the command and resolves to its exit code, by default 0. */
  run(input: Input<A> & Input<V> & Input<F>, io: CliIo): Promise<number | undefined>;
}

export interface Command extends CommandSpec {
  /** The name and the positional arguments as yargs writes them: `check <fixture..>`. */
  readonly usage: string;
  readonly describe: string;
}

/** Defines a command. The input of `run` is typed by its flags. */
export const defineCommand = <A extends Arguments = None, V extends Flags = None, F extends Flags = None>(
  usage: string,
  describe: string,
  spec: CommandSpec<A, V, F>,
): Command => ({ usage, describe, ...spec });
