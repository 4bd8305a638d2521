import { sendControl } from '#engine/control/send.js';
import { formatValue } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { parseServiceUrl } from '../conformance/remote-service.js';
import { formatReportLines, REPORT_FORMATS, type Report } from '../conformance/report.js';
import { type CliIo, type Flags, fail, failValue, flag, type Input, InterruptedError, jsonFlag } from './command.js';
import { colorsFor, onSignals } from './io.js';
import { assertWritable, type FileKind, forceFlag, writeFiles } from './output.js';
import { createProgress } from './progress.js';
import { completeUrl, parseTimeout } from './remote.js';

/** The flags of a command that reads a running service and reports on it, each with an environment variable. */
export const serviceVariables = {
  token: flag('Token of the account on that service'),
  timeout: { ...flag('Time limit of each request: 500ms, 10s, 5m'), default: '30s', coerce: parseTimeout },
  json: jsonFlag('the report'),
} as const satisfies Flags;

/** The other flags of such a command. */
export const serviceFlags = {
  url: {
    ...flag('URL of the service, or of an emulator'),
    demandOption: true,
    coerce: (text: string) =>
      parseServiceUrl(completeUrl(text)) ?? failValue('url', text, 'a URL such as "https://api.example.com"'),
  },
  ...forceFlag,
} as const satisfies Flags;

export const reportFlag = {
  report: {
    ...flag('Write the report to this file: .json or .xml (JUnit) (repeatable)'),
    array: true,
    default: [],
    coerce: (paths: string[]) => paths.map(parseReportPath),
  },
} as const satisfies Flags;

type ServiceInput = Input<typeof serviceVariables> & Input<typeof serviceFlags> & Partial<Input<typeof reportFlag>>;

function parseReportPath(path: string): string {
  if (Object.hasOwn(REPORT_FORMATS, endingOf(path))) return path;
  return failValue('report', path, 'a file that ends in .json or .xml');
}

const endingOf = (path: string): string => path.replace(/^.*\./s, '').toLowerCase();

/** Writes a report to all files that were asked for, after {@link runOnService}. */
export async function writeReports(io: CliIo, report: Report, paths: readonly string[]): Promise<void> {
  const files = toFiles(paths).map((file) => ({
    ...file,
    chunks: [REPORT_FORMATS[endingOf(file.path)]?.(report) ?? ''],
  }));
  if (files.length > 0) await writeFiles(io, files, { label: '--report', force: true });
}

const REPORT: FileKind = { title: 'reports', matches: (start) => /^\s*(?:\{\s*"title"|<\?xml)/.test(start) };
const toFiles = (paths: readonly string[]) => paths.map((path) => ({ path, kind: REPORT }));

export const formatReport = (io: CliIo, report: Report, known?: ReadonlySet<string>): string =>
  [...formatReportLines(report, colorsFor(io), known)].join('\n');

/** What a run against a service gets. */
interface ServiceRun {
  readonly url: string;
  readonly token: string;
  readonly timeout: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  readonly warn: (text: string) => void;
}

/** @throws CliError for an emulator of another service, which has none of the routes that a run needs */
async function assertVals(url: string): Promise<void> {
  const found: unknown = await sendControl(url, 'GET', '/', {}).catch(() => undefined);
  if (!isObject(found) || found.name !== 'val-emulator' || found.service === undefined || found.service === 'vals')
    return;
  fail(`--url: ${url} has the service ${formatValue(found.service)}; expected the vals service.`);
}

/**
 * Runs what asks a service for long, and says how far it is, until it ends or Ctrl-C.
 * @param unit what it counts
 * @throws CliError without a token, and for a report that could not be written at the end
 */
export async function runOnService<T>(
  io: CliIo,
  { url, token, timeout, json, report = [], force }: ServiceInput,
  { label, unit }: { readonly label: string; readonly unit: string },
  run: (given: ServiceRun) => Promise<T>,
): Promise<T> {
  if (token === undefined) fail('--token: missing. Give the token of the account, or set VAL_EMULATOR_TOKEN.');
  await assertWritable(io, toFiles(report), { label: '--report', force });
  const progress = json ? undefined : createProgress(io);
  const interruption = new AbortController();
  const off = onSignals(io, ['SIGINT', 'SIGTERM'], (name) => interruption.abort(new InterruptedError(name)));
  const warn = (text: string): void => {
    progress?.stop();
    io.stderr.write(`val-emulator: ${text}\n`);
  };
  try {
    return await run({
      ...{ url, token, timeout },
      signal: interruption.signal,
      onProgress: (done, total) => progress?.show(label, done, total, unit),
      warn,
    });
  } catch (error) {
    await assertVals(url);
    throw error;
  } finally {
    progress?.stop();
    off();
  }
}
