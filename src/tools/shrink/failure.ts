import { stripVTControlCharacters } from 'node:util';
import { UUID_PATTERN } from '#engine/lib/ids.js';

export interface Outcome {
  /** Its exit code; null if it did not end in time. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command has failed, or not. */
export interface Failure {
  /** The same for the same failure; undefined for none. */
  readonly key: string | undefined;
  /** For messages: `exit code 1, "AssertionError: …"`. */
  readonly text: string;
}

/** The name of an error, with its message: `AssertionError [ERR_ASSERTION]: …`. */
const NAMED = /\b\w*(?:Error|Exception|panic)\b(?: \[\w+\])?: \S/;
const LOOSE = /\b(?:error|fail(?:s|ed|ure)?|not ok|assert\w*)\b/i;
/** What npm says of any program that fails. */
const OF_NPM = /^npm /;
const MAX_LENGTH = 200;

/**
 * Describes how a command has ended. Two ends are the same failure if they have the same exit code and the same error: the first
 * line of stderr, or else of stdout, that has an error. Without one, it is the last request of the command that was refused.
 * @param refused that request: `404 GET /v1/vals/{val_id}`
 * @param match a text of its output: any exit code but 0 is the same failure with it, and another one without
 */
export function describeFailure(outcome: Outcome, refused: string | undefined, match?: string): Failure {
  const { code, stdout, stderr } = outcome;
  const end = code === null ? 'no end in time' : `exit code ${code}`;
  if (code === 0) return { key: undefined, text: end };
  if (match !== undefined) {
    const isFound = [stderr, stdout].some((text) => stripVTControlCharacters(text).includes(match));
    const text = `${end}, ${isFound ? 'with' : 'without'} ${JSON.stringify(match)}`;
    return { key: isFound ? 'match' : 'other', text };
  }
  const line = findErrorLine(stderr) ?? findErrorLine(stdout);
  const error = line === undefined ? refused && `after ${refused}` : JSON.stringify(line);
  const text = error === undefined ? end : `${end}, ${error}`;
  return { key: simplify(text), text };
}

function findErrorLine(output: string): string | undefined {
  const lines = stripVTControlCharacters(output).split('\n');
  const own = lines.map((line) => line.trim()).filter((line) => !OF_NPM.test(line));
  return (own.find((line) => NAMED.test(line)) ?? own.find((line) => LOOSE.test(line)))?.slice(0, MAX_LENGTH);
}

/** Removes what may differ between two tries with the same failure: addresses, ids and numbers. */
const simplify = (text: string): string =>
  text
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'URL')
    .replaceAll(UUID_PATTERN, 'ID')
    .replaceAll(/\d+(?:\.\d+)?/g, '0')
    // The exit code is not one of these numbers.
    .replace(/^exit code 0/, text.match(/^exit code \d+/)?.[0] ?? '');
