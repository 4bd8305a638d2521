import { readFileSync } from 'node:fs';
import type { TSchema, TSchemaOptions } from 'typebox';
import type { Options as Flag } from 'yargs';
import { variableFor } from '../../src/cli/command.js';
import { startFlags } from '../../src/cli/commands/start.js';
import { OptionsSchema } from '../../src/options.js';
import { orderedRoutes } from './operations.js';

/** Formats a Markdown table. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n').replaceAll('|  |', '| |');
}

/** Creates the table of the routes of the /v1 API. */
export const routesTable = (): string =>
  formatTable(
    ['route', 'what it does', 'token', 'unofficial'],
    orderedRoutes.map(({ name, summary, auth, unofficial }) => [
      `\`${name}\``,
      summary,
      auth === 'required' ? 'needed' : 'optional',
      unofficial ? 'yes' : '',
    ]),
  );

/** Creates the table of the options of `createEmulator`. */
export function optionsTable(): string {
  const source = readFileSync(new URL('../../src/options.ts', import.meta.url), 'utf8');
  return formatTable(
    ['option', 'what it does', 'default'],
    Object.entries<TSchema>(OptionsSchema.properties).map(([name, schema]) => {
      const { default: value }: TSchemaOptions = { ...schema };
      const literal = value === undefined ? '' : `\`${formatLiteral(value)}\``;
      return [`\`${name}\``, findDocumentation(source, name), literal];
    }),
  );
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
