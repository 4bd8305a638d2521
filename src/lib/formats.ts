import { parseDuration } from './duration.js';
import { parseTime } from './time.js';

/** The formats of fixtures, in addition to those of JSON Schema. */
export const FORMATS = {
  'fixture-time': (text: string): boolean => parseTime(text) !== undefined,
  // The format `uri` of Ajv is slow for long data URLs, and rejects letters beyond ASCII.
  'fixture-url': isUrl,
  'fixture-duration': (text: string): boolean => parseDuration(text) !== undefined,
} as const;

/** `URL.canParse` of Node 20 rejects letters beyond ASCII once it is optimized. */
function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== '';
  } catch {
    return false;
  }
}
