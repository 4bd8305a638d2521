import { wrapLine } from '#engine/lib/text.js';
import { packageHomepage } from '#engine/platform/package.js';
import type { CliIo, Command } from './command.js';
import { type CommandEntry, type CommandLine, nameOf } from './commands.js';
import { colorsFor, helpWidth } from './io.js';

export function formatOverview(io: CliIo, { listed, group }: Extract<CommandLine, { listed: unknown }>): string {
  const { bold } = colorsFor(io);
  const column = Math.max(...listed.map(({ usage }) => usage.length));
  const width = helpWidth(io);
  const indent = ' '.repeat(Math.min(column + 4, width / 2));
  const sections = [...new Set(listed.map((command) => command.group))].map((title) =>
    [
      bold(title),
      ...listed
        .filter((command) => command.group === title)
        .map(({ usage, describe }) => wrapLine(`  ${usage.padEnd(column)}  ${describe}`, width, indent)),
    ].join('\n'),
  );
  const program = group === undefined ? 'val-emulator' : `val-emulator ${group}`;
  const about = 'A local emulator of the vals API. Without a command, it runs start.';
  const more = [
    `Options of a command: val-emulator ${nameOf(listed[0] ?? { usage: 'start' })} --help`,
    `Docs: node_modules/val-emulator/docs, ${packageHomepage()}`,
  ];
  return [
    `${program} <command>`,
    ...(group === undefined ? [wrapLine(about, width)] : []),
    ...sections,
    more.map((line) => wrapLine(line, width, '  ')).join('\n'),
  ].join('\n\n');
}

/** Formats the end of the help of a command. Each example is a line to copy, with a comment of the shell above it. */
export function formatExamples(
  io: CliIo,
  { command, spec }: { readonly command: CommandEntry; readonly spec: Command },
): string {
  const width = helpWidth(io);
  const examples = Object.entries(spec.examples).flatMap(([line, effect]) => [
    wrapLine(`  # ${effect}`, width, '  # '),
    `  ${line.replaceAll('$0', `val-emulator ${nameOf(command)}`)}`,
  ]);
  const epilogue = spec.epilogue?.split('\n').map((line) => wrapLine(line, width)) ?? [];
  return ['', '', 'Examples:', ...examples, ...(spec.epilogue === undefined ? [] : ['', ...epilogue])].join('\n');
}
