import type { RunningProxy } from '../../fidelity/proxy/index.js';
import { Service, ServiceError } from '../../fidelity/service.js';
import { formatCount } from '../../lib/text.js';
import { type CliIo, defineCommand, failValue, flag, parseNumber } from '../command.js';
import { emulatorFlags } from '../emulator-flags.js';
import { colorsFor, onSignals, printLine, quoteName } from '../io.js';
import { assertWritable, writeFiles } from '../output.js';
import { formatReport, reportFlag, serviceFlags, serviceUrlFlag, writeReports } from '../service.js';

const DEFAULT_PORT = 4020;
const { timeout, json } = serviceFlags;

export const proxy = defineCommand({
  variables: { timeout, json },
  flags: {
    url: serviceUrlFlag,
    port: { ...emulatorFlags.port, coerce: parseNumber, default: String(DEFAULT_PORT) },
    host: { ...emulatorFlags.host, type: 'string', default: '127.0.0.1' },
    record: flag('Write the traffic to this file without secrets: HAR 1.2 (.har)'),
    compare: { type: 'boolean', describe: 'Send each GET to this emulator too, and report differences' },
    fixtures: { ...flag('Fixtures made by pull: also compare values'), alias: 'f', implies: 'compare' },
    report: reportFlag,
  },
  examples: {
    '$0 --url https://api.example.com --record traffic.har': 'record what a program does',
    '$0 --url https://api.example.com --compare --fixtures ./account': 'compare with data that pull has read',
    '$0 --url https://api.example.com --compare --report drift.json': 'compare statuses and shapes, without data',
  },
  epilogue:
    'Requests go to this URL only: those of its clients, a GET /v1/me at the start, and with --compare one per token. Ctrl-C ends it. Exit code: 0, 1 if the emulator contradicts its own documentation, 2 if it cannot start or write.',
  async run({ url: to, port, host, timeout: limit, record, compare, fixtures, report: paths, json: asJson }, io) {
    if (record?.endsWith('.har') === false) failValue('record', record, 'a file that ends in .har');
    if (typeof port !== 'number' || port > 65_535) failValue('port', String(port), 'a port from 0 to 65535');
    await assertWritable(record === undefined ? [] : [record], '--record');
    await assertWritable(paths, '--report');
    await assertApi(to, limit);
    const { startProxy } = await import('../../fidelity/proxy/index.js');
    // Until the process ends: npm repeats signals, and a second one must not cut the recording or the summary.
    const stopped = new Promise<void>((resolve) => {
      onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], () => resolve());
    });
    const running = await startProxy({
      ...{ to, host, port: Number(port), timeout: limit, fixtures, compare },
      record: record !== undefined,
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
    const lines = [compare ? formatReport(io, result) : `Proxied ${formatCount(running.count, 'request')}.`];
    if (record !== undefined && recording) {
      const { skipped } = recording;
      const rest = skipped === 0 ? '' : ` (${skipped} skipped: 100 MB limit)`;
      lines.push(`Wrote ${formatCount(recording.count, 'request')} to ${quoteName(record)}${rest}.`);
    }
    return { value: result, text: lines.join('\n'), code: result.totals.failed > 0 ? 1 : 0 };
  },
});

/** Checks before the start that the service responds as a vals API. @throws ServiceError if it does not */
async function assertApi(to: string, timeoutMs: number): Promise<void> {
  const { status, json: body, headers } = await new Service(to, { timeout: timeoutMs }).send('GET', '/v1/me');
  if (body !== undefined && status !== 404) return;
  const type = headers.get('content-type') ?? 'no media type';
  throw new ServiceError(`${to} is not a vals API: GET /v1/me responded ${status} with ${type}.`);
}

function describeStart(io: CliIo, { url }: RunningProxy, to: string): string {
  const { bold } = colorsFor(io);
  return [`val-emulator passes requests to ${bold(url)} on to ${bold(to)}`, 'Press Ctrl-C to stop.', ''].join('\n');
}
