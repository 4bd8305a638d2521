import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newName } from './file-names.js';
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

/** Writes lines to a new file, which is to replace another one, and returns its length. It is durable, its name is not yet. */
export async function writeNewFile(path: string, lines: Iterable<Line>): Promise<number> {
  const file = await open(newName(path), 'w');
  try {
    const length = await writeLines(file, toJson(lines), 0, 0);
    await file.sync();
    return length;
  } finally {
    await file.close();
  }
}

/** Replaces a file, if there is one, by lines, and returns its length. */
export async function replaceFile(path: string, lines: Iterable<Line>): Promise<number> {
  const length = await writeNewFile(path, lines);
  await renameNewFile(path);
  return length;
}

/** Puts the new file in place of the old one. */
export async function renameNewFile(path: string): Promise<void> {
  await rename(newName(path), path);
  syncFolder(dirname(path));
}

/** Makes the names in a folder durable. */
function syncFolder(folder: string): void {
  // Windows cannot open a folder, and needs no sync of it.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Removes a new file that has not replaced the old one. @param path of the old one */
export function removeUnfinished(path: string): void {
  try {
    rmSync(newName(path), { force: true });
  } catch {
    // It is only in the way of the next one, which replaces it.
  }
}
