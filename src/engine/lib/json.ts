/** The media type of text that has one record per line. */
export const HTML = 'text/html; charset=utf-8';
export const NDJSON = 'application/x-ndjson';

/** Whether a text begins as a session: with the checksum of a line. */
export const isSession = (text: string): boolean => /^[\da-f]{8} \d/.test(text);

/** Parses JSON. Undefined for text that is not JSON, such as an empty one. */
export function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const COMMENTS = new RegExp(String.raw`${STRING}|//[^\r\n]*|/\*.*?\*/`, 'gs');
/** A comma after a value and before a closing bracket. */
const TRAILING_COMMAS = new RegExp(String.raw`${STRING}|,(?=\s*[\]}])(?<![[{,:]\s*,)`, 'gs');

/** Replaces comments and trailing commas by spaces, so that all else stays at its position. */
export function removeComments(text: string): string {
  const toSpaces = (found: string) => (found.startsWith('"') ? found : found.replace(/[^\r\n]/g, ' '));
  return text.replace(COMMENTS, toSpaces).replace(TRAILING_COMMAS, toSpaces);
}

/** Parses JSON whose keys cannot reach a prototype. Source: secure-json-parse, by which Fastify 4 reads bodies. */
export function parseSafely(text: string): unknown {
  const values: unknown[] = [JSON.parse(text)];
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    // The constructor is any JSON value. As in the source, a constructor of null is a TypeError.
    const isForbidden =
      Object.hasOwn(value, '__proto__') ||
      (Object.hasOwn(value, 'constructor') && Object.hasOwn(value.constructor, 'prototype'));
    if (isForbidden) throw new SyntaxError('Object contains forbidden prototype property');
    for (const child of Object.values(value)) values.push(child);
  }
  return values[0];
}
