import { readFileSync } from 'node:fs';
import { FixtureError } from '../lib/errors.js';
import { isSession } from '../lib/json.js';
import { JsonError } from './json-error.js';
import { parseJsonFile } from './parse-json.js';

/** @throws FixtureError when the file cannot be read or parsed */
export function readJson(file: string, path: string): unknown {
  return parseText(readText(file, path), path);
}

/** Parses the text of fixtures, or of another subject. @throws FixtureError with the line and the column */
export function parseText(text: string, path: string, subject?: string): unknown {
  try {
    // Some editors write a byte order mark at the start of a file, which JSON does not allow.
    return parseJsonFile(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (isSession(text)) {
      throw new FixtureError([{ path, message: 'a session; open it by --session (option session).' }], subject);
    }
    // Text that is nested too deep for the parser.
    if (!(error instanceof JsonError)) throw unreadable(path, error);
    const position = `${path} line ${error.line}, column ${error.column}`;
    throw new FixtureError([{ path: position, message: error.message }], subject);
  }
}

export function readText(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): FixtureError {
  // The codes of Node.js for a file that does not fit into a buffer or a string.
  const isTooLarge = /ERR_FS_FILE_TOO_LARGE|ERR_STRING_TOO_LONG/.test(String(Object(error).code));
  const message = isTooLarge
    ? 'larger than 512 MB; write each collection to a file of a folder, or load fewer records.'
    : `could not be read (${error instanceof Error ? error.message : error}).`;
  return new FixtureError([{ path, message }]);
}
