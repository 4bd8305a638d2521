import { extname } from 'node:path';
import { VERDICTS } from '../../proxy/difference.js';
import type { RecordingFormat, RunningProxy } from '../../proxy/index.js';
import { Service, ServiceError } from '../../remote/service.js';
import { type CliIo, defineCommand, fail, failValue, flag } from '../command.js';
import { emulatorFlags } from '../emulator-flags.js';
import { colorsFor, onSignals, printLine, quoteName } from '../io.js';
import { assertWritable, writeFiles } from '../output.js';
import { parseService, reportFlag, serviceFlags, writeReports } from '../service-command.js';

const DEFAULT_PORT = 4020;
const { timeout, json } = serviceFlags;
const FORMATS: Readonly<Record<string, RecordingFormat>> = { '.har': 'har', '.ndjson': 'session' };

export const proxy = defineCommand('proxy', 'Pass requests to a service, record them, and compare this emulator', {
  variables: { timeout, json },
  flags: {
    to: { ...flag('URL of the service'), demandOption: true, coerce: (text: string) => parseService(text, 'to') },
    port: { ...emulatorFlags.port, default: String(DEFAULT_PORT) },
    host: emulatorFlags.host,
    record: flag('Write what passes to this file without secrets: HAR 1.2 (.har), or a session (.ndjson)'),
    compare: {
      type: 'boolean',
      default: false,
      describe: 'Send each GET to this emulator too, and report differences',
    },
    fixtures: { ...flag('What was read from the service: compares values too, and begins a session'), alias: 'f' },
    writes: { type: 'boolean', default: false, describe: 'Compare requests that change something as well' },
    report: reportFlag,
    'fail-on': {
      ...flag('Differences with exit code 1: emulator,document,choice,data (repeatable)'),
      array: true,
      default: ['emulator'],
      coerce: (texts: string[]) => texts.flatMap(parseVerdicts),
    },
  },
  examples: {
    '$0 --to https://api.example.com --record traffic.har': 'record what a program does',
    '$0 --to https://api.example.com --record traffic.ndjson --fixtures ./account':
      'the same as a session, for val-emulator replay',
    '$0 --to https://api.example.com --compare --fixtures ./account': 'compare with data that pull has read',
    '$0 --to https://api.example.com --compare --report drift.html': 'compare statuses and shapes, without data',
  },
  epilogue:
    'It sends requests to this one URL: those of its clients, a GET /v1/me at the start, and with --compare or a session one per token. Ctrl-C ends it. Exit code: 0, 1 if there are differences of --fail-on, 2 if it cannot start or write.',
  async run(
    { to, port, host, timeout: limit, record, compare, fixtures, writes, report: paths, failOn, json: asJson },
    io,
  ) {
    const format = record === undefined ? undefined : FORMATS[extname(record)];
    if (record !== undefined && !format) failValue('record', record, 'a file that ends in .har or .ndjson');
    if (!compare && writes) fail('--writes: compares responses. Use it with --compare.');
    if (!compare && fixtures !== undefined && format !== 'session') {
      fail('--fixtures: the data of a comparison or a session. Use it with --compare, or with --record FILE.ndjson.');
    }
    if (typeof port !== 'number' || port > 65_535) failValue('port', String(port), 'a port from 0 to 65535');
    await assertWritable(record === undefined ? [] : [record], '--record');
    await assertWritable(paths, '--report');
    await assertApi(to, limit);
    const { startProxy } = await import('../../proxy/index.js');
    // Until the process ends: npm repeats signals, and a second one must not cut the recording or the summary.
    const stopped = new Promise<void>((resolve) => {
      onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], () => resolve());
    });
    const running = await startProxy({
      ...{ to, host, port: Number(port), timeout: limit, fixtures, record: format },
      compare: compare ? { writes } : undefined,
    });
    printLine(io, asJson ? JSON.stringify({ url: running.url, to, pid: process.pid }) : describeStart(io, running, to));
    await stopped;
    await running.close();
    const { recording } = running;
    if (record !== undefined && recording) {
      await writeFiles(io, [{ path: record, chunks: recording.format() }], {
        label: '--record',
        isInterruptible: false,
      });
    }
    const result = running.report();
    await writeReports(io, result, paths, { isInterruptible: false });
    if (asJson) printLine(io, JSON.stringify(result));
    else printSummary(io, running, { record, compare });
    return running.findings.some(({ verdict }) => failOn.includes(verdict)) ? 1 : 0;
  },
});

/** @throws CliError for a text that names no verdicts */
function parseVerdicts(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const isKnown = names.every((name) => VERDICTS.some((verdict) => verdict === name));
  return isKnown ? names : failValue('fail-on', text, `some of ${VERDICTS.join(',')}`);
}

/** Checks before the start that the service responds as a vals API. @throws ServiceError if it does not */
async function assertApi(to: string, timeoutMs: number): Promise<void> {
  const { status, json: body, headers } = await new Service(to, { timeout: timeoutMs }).send('GET', '/v1/me');
  if (body !== undefined && status !== 404) return;
  const type = headers.get('content-type') ?? 'no media type';
  throw new ServiceError(`${to} is no vals API: GET /v1/me responded ${status} with ${type}.`);
}

function describeStart(io: CliIo, { url }: RunningProxy, to: string): string {
  const { bold } = colorsFor(io);
  return [`val-emulator passes requests to ${bold(url)} on to ${bold(to)}`, 'Press Ctrl-C to stop.', ''].join('\n');
}

function printSummary(
  io: CliIo,
  { count, recording, comparison, findings }: RunningProxy,
  { record, compare }: { readonly record: string | undefined; readonly compare: boolean },
): void {
  const { red, yellow, dim, bold } = colorsFor(io);
  for (const { id, rule, basis, group, outcome, reason, count: times = 1, exchanges = [] } of findings) {
    printLine(io, `${(outcome === 'failed' ? red : yellow)(group)} ${bold(rule)} ${dim(`${id}, ${times}x`)}`);
    printLine(io, `  ${reason}`);
    printLine(io, dim(`  ${exchanges[0]?.request.split('\n', 1)[0]}`));
    if (basis !== undefined) printLine(io, dim(`  ${basis}`));
  }
  printLine(io, `${count} ${count === 1 ? 'request was' : 'requests were'} passed on.`);
  if (record !== undefined && recording) {
    const rest = recording.leftOut === 0 ? '' : `, without ${recording.leftOut} for which it has no room`;
    printLine(io, `${quoteName(record)} has ${recording.count} of them${rest}.`);
  }
  if (!compare) return;
  printLine(
    io,
    `${comparison.compared} compared, ${findings.length} ${findings.length === 1 ? 'difference' : 'differences'}.`,
  );
  for (const reason of comparison.leftOut) printLine(io, dim(reason));
}
