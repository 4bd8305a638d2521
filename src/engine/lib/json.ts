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
