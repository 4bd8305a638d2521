import type { Options as Flag } from 'yargs';
import { variableFor } from '../../src/cli/flags.js';
import { flags } from '../../src/cli/start.js';
import { checkOptions, Options } from '../../src/options.js';
import { ordered } from './operations.js';

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n').replaceAll('|  |', '| |');
}

export const routesTable = (): string =>
  table(
    ['route', 'what it does', 'token', 'companion'],
    ordered.map(({ name, summary, needsToken, companion }) => [
      `\`${name}\``,
      summary,
      needsToken ? 'needed' : 'optional',
      companion ? 'yes' : '',
    ]),
  );

export function optionsTable(): string {
  const defaults = new Map<string, unknown>(Object.entries(checkOptions({})));
  return table(
    ['option', 'what it does', 'default'],
    Object.entries(Options.shape).map(([name, schema]) => {
      const value = defaults.get(name);
      return [`\`${name}\``, schema.description ?? '', value === undefined ? '' : `\`${literal(value)}\``];
    }),
  );
}

const literal = (value: unknown) => JSON.stringify(value).replaceAll('"', "'");

export const flagsTable = (): string =>
  table(
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
