import type { Argv, CommandModule } from 'yargs';

/** What a command is made of beside its name. */
export interface Command<Flags extends object = object> {
  builder(parser: Argv): Argv<Flags>;
  handler(flags: Flags): Promise<void>;
}

/** A command whose module is only loaded when it runs or is asked for help. */
export interface LazyCommand {
  readonly name: string;
  /** Its name and what it takes, as yargs has them: `seed <fixtures>`. */
  readonly usage: string;
  readonly describe: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const lazy = (usage: string, describe: string, load: LazyCommand['load']): LazyCommand => ({
  name: usage.replace(/ .*/, ''),
  usage,
  describe,
  load,
});

/** @param isDefault whether it is also what runs without a command */
export const moduleOf = ({ usage, describe, load }: LazyCommand, isDefault: boolean): CommandModule => ({
  command: isDefault ? [usage, '$0'] : usage,
  describe,
  builder: async (parser) => (await load()).command.builder(parser),
  handler: async (flags) => (await load()).command.handler(flags),
});
