import { stripVTControlCharacters } from 'node:util';
import { createColors } from 'picocolors';

/** Colours for a terminal, none for anything else. */
export const colours = createColors(process.stdout.isTTY === true && !process.env.NO_COLOR);

/** How an HTTP status is shown. A 0 stands for a connection that was broken off. */
export function colourOf(status: number): (text: string) => string {
  if (status >= 500 || status === 0) return colours.red;
  return status >= 400 ? colours.yellow : colours.green;
}

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** A name as it is, or in quotes where it has more than a word. */
export const nameOf = (name: string): string => (/^[\w.:/-]+$/.test(name) ? name : JSON.stringify(name));

/** A path shorter than this would tell little, however narrow the terminal. */
const LEAST_WIDTH = 20;

/**
 * Prints rows below their headings; a column is as wide as its widest cell.
 * @param elastic the column that is cut where a terminal would break the line
 */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[], elastic = ''): void {
  const table = [headings.map((heading) => colours.dim(heading)), ...rows];
  const widths = headings.map((_, column) => Math.max(...table.map((row) => widthOf(row[column]))));
  const column = headings.indexOf(elastic);
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const excess = process.stdout.isTTY ? total - (process.stdout.columns || total) : 0;
  if (column >= 0 && excess > 0) widths[column] = Math.max(LEAST_WIDTH, (widths[column] ?? 0) - excess);
  for (const row of table) {
    const cells = row.map((cell, index) => pad(cell, widths[index] ?? 0));
    printLine(cells.join(GAP).trimEnd());
  }
}

const GAP = '  ';
const widthOf = (cell = ''): number => stripVTControlCharacters(cell).length;

function pad(cell: string, width: number): string {
  const excess = widthOf(cell) - width;
  return excess > 0 ? `${cell.slice(0, width - 1)}…` : cell + ' '.repeat(-excess);
}
