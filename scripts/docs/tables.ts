import type { TSchema, TSchemaOptions } from 'typebox';
import type { Options as Flag } from 'yargs';
import { flags } from '../../src/cli/commands/start.js';
import { variableFor } from '../../src/cli/flags.js';
import { OptionsSchema } from '../../src/options.js';
import { orderedRoutes } from './operations.js';

function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
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
  const options = OptionsSchema.properties;
  return formatTable(
    ['option', 'what it does', 'default'],
    Object.entries<TSchema>(options).map(([name, schema]) => {
      const { description = '', default: value }: TSchemaOptions = { ...schema };
      return [`\`${name}\``, description, value === undefined ? '' : `\`${formatLiteral(value)}\``];
    }),
  );
}

const formatLiteral = (value: unknown) => JSON.stringify(value).replaceAll('"', "'");

/** Creates the table of the flags of `val-emulator start`. */
export const flagsTable = (): string =>
  formatTable(
    ['flag', 'environment variable', 'what it does', 'default'],
    Object.entries<Flag>(flags).map(([name, flag]) => [
      [flag.default === true ? `--no-${name}` : `--${name}`, ...[flag.alias ?? []].flat().map((short) => `-${short}`)]
        .map((word) => `\`${word}\``)
        .join(', '),
      `\`${variableFor(name)}\``,
      flag.describe ?? '',
      flag.defaultDescription ?? (typeof flag.default === 'string' ? flag.default : ''),
    ]),
  );
