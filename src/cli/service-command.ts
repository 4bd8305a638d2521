import { DURATION_EXAMPLES, parseDuration } from '../lib/duration.js';
import { formatValue } from '../lib/messages.js';
import { REPORT_FORMATS, type Report } from '../remote/report.js';
import { parseServiceUrl } from '../remote/service.js';
import { type CliIo, type Flags, fail, failValue, flag, jsonFlag } from './command.js';
import { writeFiles } from './output.js';

/** The flags of a command that acts on a running service, each with an environment variable. */
export const serviceFlags = {
  token: flag('Token of the account on that service'),
  timeout: { ...flag('Time limit of each request: 500ms, 10s, 5m'), default: '30s', coerce: parseTimeout },
  json: jsonFlag('the report'),
} as const satisfies Flags;

export const reportFlag = {
  ...flag('Write the report to this file: .json, .xml (JUnit) or .html (repeatable)'),
  array: true,
  default: [],
  coerce: (paths: string[]) => paths.map(parseReportPath),
} as const;

/**
 * Parses the base URL of a service.
 * @param flagName undefined for an argument
 * @throws CliError for another text
 */
export function parseService(text: string, flagName?: string): string {
  const label = flagName === undefined ? 'URL of the service' : `--${flagName}`;
  const url = parseServiceUrl(text);
  return url ?? fail(`${label}: found ${formatValue(text)}; expected a URL such as "https://api.example.com".`);
}

/** @throws CliError for a text that is no duration */
export function parseTimeout(text: string): number {
  const timeout = parseDuration(text);
  // The longest delay of a timer is a 32-bit integer.
  if (timeout !== undefined && timeout > 0) return Math.min(timeout, 2 ** 31 - 1);
  return failValue('timeout', text, `a duration such as ${DURATION_EXAMPLES}`);
}

function parseReportPath(path: string): string {
  if (Object.hasOwn(REPORT_FORMATS, endingOf(path))) return path;
  return failValue('report', path, 'a file that ends in .json, .xml or .html');
}

const endingOf = (path: string): string => path.replace(/^.*\./s, '').toLowerCase();

/** Writes a report to all files that were asked for. */
export async function writeReports(
  io: CliIo,
  report: Report,
  paths: readonly string[],
  options: { readonly isInterruptible?: boolean } = {},
): Promise<void> {
  const files = paths.map((path) => ({ path, chunks: [REPORT_FORMATS[endingOf(path)]?.(report) ?? ''] }));
  if (files.length > 0) await writeFiles(io, files, { ...options, label: '--report' });
}

/** Milliseconds of a pause that a person would notice. */
const NOTICEABLE_MS = 5_000;

/** Returns what to call before a request is sent again: it prints why, once for all requests that wait together. */
export function announcePauses({ stderr }: CliIo, bar: { stop(): void } | undefined) {
  let end = 0;
  return (pause: number, reason: string): void => {
    if (pause < NOTICEABLE_MS || Date.now() < end) return;
    end = Date.now() + pause;
    bar?.stop();
    const problem = reason === '429' ? 'is busy' : 'does not respond';
    stderr.write(`val-emulator: The service ${problem} (${reason}). Next attempt in ${Math.ceil(pause / 1_000)} s.\n`);
  };
}
