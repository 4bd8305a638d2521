import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { formatLine, type Line } from './lines.js';

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}

const WRITE_SIZE = 1024 * 1024;

/**
 * Writes lines at a position of a file, in pieces.
 * @param durable length of the file that was durable before
 * @returns the position after them
 */
export async function writeLines(
  file: FileHandle,
  jsons: Iterable<string>,
  start: number,
  durable: number,
): Promise<number> {
  let position = start;
  let text = '';
  const flush = async () => {
    const bytes = Buffer.from(text);
    await writeAll(file, bytes, position);
    position += bytes.length;
    text = '';
  };
  for (const json of jsons) {
    text += formatLine(json, durable);
    if (text.length >= WRITE_SIZE) await flush();
  }
  if (text !== '') await flush();
  return position;
}

function* toJson(lines: Iterable<Line>): Generator<string> {
  for (const line of lines) yield JSON.stringify(line);
}

/** Writes lines to a file, which is new or replaced, and returns its length. It is durable, its name is not yet. */
export async function writeFile(path: string, lines: Iterable<Line>): Promise<number> {
  const file = await open(path, 'w');
  try {
    const length = await writeLines(file, toJson(lines), 0, 0);
    await file.sync();
    return length;
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder, and needs no sync of it.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Removes a new file that has not replaced the old one. */
export function removeUnfinished(path: string): void {
  try {
    rmSync(`${path}.new`, { force: true });
  } catch {
    // It is only in the way of the next one, which replaces it.
  }
}
