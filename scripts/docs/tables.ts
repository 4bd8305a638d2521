import { readFileSync } from 'node:fs';
import type { Options as Flag } from 'yargs';
import type { OptionInfo } from '#engine/options/schema.js';
import { variableFor } from '#tools/cli/command.js';
import { COMMANDS, nameOf } from '#tools/cli/commands.js';
import { startFlags } from '#tools/cli/emulator-flags.js';
import { OPTIONS } from '#vals/service/options.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { toTokenScopes } from '#vals/users/scopes.collection.js';
import { orderedRoutes } from './operations.js';

/** Formats a Markdown table. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n').replace(/\| {2}(?=\|)/g, '| ');
}

/** Creates the table of the routes of the /v1 API. */
export const routesTable = (): string =>
  formatTable(
    ['route', 'what it does', 'token', 'scope', 'unofficial'],
    orderedRoutes.map(({ name, summary, auth, scope, unofficial }) => [
      `\`${name}\``,
      summary,
      auth === 'required' ? 'needed' : 'optional',
      scope === undefined
        ? ''
        : toTokenScopes(scope)
            .map((each) => `\`${each}\``)
            .join(' or '),
      unofficial ? 'yes' : '',
    ]),
  );

/** Creates the table of the tools for agents. */
export const toolsTable = (): string =>
  formatTable(
    ['tool', 'what it does', 'effect'],
    controlRoutes.flatMap(({ tool, summary, method, hints = [] }) =>
      tool
        ? [[`\`${tool}\``, summary, method === 'GET' || hints.includes('readOnly') ? 'reads' : (hints[0] ?? 'changes')]]
        : [],
    ),
  );

/** Creates the table of the options of `createEmulator`. */
export function optionsTable(): string {
  const source = ['engine/options/schema.ts', 'vals/service/options.ts']
    .map((path) => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8'))
    .join('');
  return formatTable(
    ['option', 'what it does', 'default'],
    OPTIONS.map(([name, option]) => [
      `\`${name}\``,
      findDocumentation(source, name) + describeRelations(option),
      option.default === undefined ? '' : `\`${formatLiteral(option.default)}\``,
    ]),
  );
}

/** Describes the options that an option excludes or needs. */
function describeRelations({ conflicts = [], requires }: OptionInfo): string {
  const excluded = conflicts.map((other) => `\`${other}\``).join(', ');
  return (excluded && ` Not with ${excluded}.`) + (requires === undefined ? '' : ` Needs \`${requires}\`.`);
}

/** Returns the text of the comment on an option, without its tags. */
function findDocumentation(source: string, option: string): string {
  const [, comment = ''] = new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\s+${option}: `, 's').exec(source) ?? [];
  const text = comment
    .replaceAll(/\n\s*\*/g, '')
    .replace(/@.*/s, '')
    .trim();
  if (text === '') throw new Error(`The option ${option} has no comment.`);
  return text;
}

const formatLiteral = (value: unknown) => JSON.stringify(value).replaceAll('"', "'");

/** Creates the table of the flags of `val-emulator start`. */
export const flagsTable = (): string =>
  formatTable(
    ['flag', 'environment variable', 'what it does', 'default'],
    Object.entries<Flag>(startFlags).map(([name, flag]) => [
      [flag.default === true ? `--no-${name}` : `--${name}`, ...[flag.alias ?? []].flat().map((short) => `-${short}`)]
        .map((word) => `\`${word}\``)
        .join(', '),
      `\`${variableFor(name)}${flag.default === true ? '=off' : ''}\``,
      flag.describe ?? '',
      flag.defaultDescription ?? (typeof flag.default === 'string' ? flag.default : ''),
    ]),
  );

/** The pages and headings of commands that have other ones than `#name` of the page of commands. */
const HEADINGS: Readonly<Record<string, string>> = {
  users: '#users-add-edit-and-delete',
  add: '#users-add-edit-and-delete',
  edit: '#users-add-edit-and-delete',
  delete: '#users-add-edit-and-delete',
  history: '#history-and-rewind',
  rewind: '#history-and-rewind',
  cluster: 'cluster.md#operation',
  record: 'sessions.md#record',
  shrink: 'sessions.md#shrink',
  data: 'data.md#backups-and-other-versions',
  conformance: 'conformance.md',
  pull: 'pull.md',
};

/** Creates the table of the commands, with a link to the description of each. */
export const commandsTable = (): string =>
  formatTable(
    ['group', 'command', 'what it does'],
    COMMANDS.map((command) => {
      const name = nameOf(command);
      const [first = ''] = name.split(' ');
      const heading = HEADINGS[first] ?? `#${first === 'print' ? name.replace(' ', '-') : first}`;
      return [command.group, `[\`${command.usage}\`](${heading})`, command.describe];
    }),
  );
