import { packageHomepage } from '../lib/package.js';
import type { CliIo } from './command.js';
import { type CommandLine, nameOf } from './commands.js';
import { colorsFor } from './io.js';

/** Describes the program, or a group of its commands. */
export function formatOverview(io: CliIo, { listed, group }: Extract<CommandLine, { listed: unknown }>): string {
  const { bold } = colorsFor(io);
  const width = Math.max(...listed.map(({ usage }) => usage.length));
  const sections = [...new Set(listed.map((command) => command.group))].map((title) =>
    [
      bold(title),
      ...listed
        .filter((command) => command.group === title)
        .map(({ usage, describe }) => `  ${usage.padEnd(width)}  ${describe}`),
    ].join('\n'),
  );
  const program = group === undefined ? 'val-emulator' : `val-emulator ${group}`;
  const about = 'A local emulator of the vals API. Without a command, it runs start.';
  return [
    `${program} <command>`,
    ...(group === undefined ? [about] : []),
    ...sections,
    `Options of a command: val-emulator ${nameOf(listed[0] ?? { usage: 'start' })} --help\nDocs: node_modules/val-emulator/docs, ${packageHomepage()}`,
  ].join('\n\n');
}
