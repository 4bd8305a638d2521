import { stripVTControlCharacters } from 'node:util';
import columnify from 'columnify';
import { type CliIo, colorsFor } from './io.js';

/** Minimum width of the truncated column. */
const MIN_COLUMN_WIDTH = 20;

/**
 * Lays out rows below headings.
 * @param truncatable the column to shorten when the terminal is too narrow
 */
export function formatTable(io: CliIo, rows: readonly Readonly<Record<string, string>>[], truncatable = ''): string {
  const { columns = 0, isTTY } = io.stdout;
  const layOut = (maxWidth: number) =>
    columnify([...rows], {
      columnSplitter: '  ',
      headingTransform: colorsFor(io).dim,
      truncate: true,
      config: { [truncatable]: { maxWidth } },
    }).replaceAll(/ +$/gm, '');
  const table = layOut(Number.POSITIVE_INFINITY);
  const width = Math.max(...table.split('\n').map((line) => stripVTControlCharacters(line).length));
  if (!isTTY || columns === 0 || width <= columns) return table;
  const longest = Math.max(...rows.map((row) => row[truncatable]?.length ?? 0));
  return layOut(Math.max(MIN_COLUMN_WIDTH, longest - (width - columns)));
}
