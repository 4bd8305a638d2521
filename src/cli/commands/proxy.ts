import type { RunningProxy } from '../../fidelity/proxy/index.js';
import { Service, ServiceError } from '../../fidelity/service.js';
import { formatCount } from '../../lib/text.js';
import { type CliIo, defineCommand, fail, failValue, flag } from '../command.js';
import { emulatorFlags } from '../emulator-flags.js';
import { colorsFor, onSignals, printLine, quoteName } from '../io.js';
import { assertWritable, writeFiles } from '../output.js';
import { parseService, printReport, reportFlag, serviceFlags, writeReports } from '../service-command.js';

const DEFAULT_PORT = 4020;
const { timeout, json } = serviceFlags;

export const proxy = defineCommand('proxy', 'Proxy a service; record the traffic or compare it with this emulator', {
  variables: { timeout, json },
  flags: {
    to: { ...flag('URL of the service'), demandOption: true, coerce: (text: string) => parseService(text, 'to') },
    port: { ...emulatorFlags.port, default: String(DEFAULT_PORT) },
    host: emulatorFlags.host,
    record: flag('Write what passes to this file without secrets: HAR 1.2 (.har)'),
    compare: {
      type: 'boolean',
      default: false,
      describe: 'Send each GET to this emulator too, and report differences',
    },
    fixtures: { ...flag('Fixtures made by pull: also compare values'), alias: 'f' },
    writes: { type: 'boolean', default: false, describe: 'Compare requests that change something as well' },
    report: reportFlag,
  },
  examples: {
    '$0 --to https://api.example.com --record traffic.har': 'record what a program does',
    '$0 --to https://api.example.com --compare --fixtures ./account': 'compare with data that pull has read',
    '$0 --to https://api.example.com --compare --report drift.json': 'compare statuses and shapes, without data',
  },
  epilogue:
    'It sends requests to this one URL: those of its clients, a GET /v1/me at the start, and with --compare one per token. Ctrl-C ends it. Exit code: 0, 1 if the emulator contradicts its own documentation, 2 if it cannot start or write.',
  async run({ to, port, host, timeout: limit, record, compare, fixtures, writes, report: paths, json: asJson }, io) {
    if (record?.endsWith('.har') === false) failValue('record', record, 'a file that ends in .har');
    if (!compare && writes) fail('--writes: compares responses. Use it with --compare.');
    if (!compare && fixtures !== undefined) fail('--fixtures: the data of a comparison. Use it with --compare.');
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
      ...{ to, host, port: Number(port), timeout: limit, fixtures },
      record: record !== undefined,
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
    else if (compare) printReport(io, result);
    else printLine(io, `Proxied ${formatCount(running.count, 'request')}.`);
    if (!asJson && record !== undefined && recording) {
      const { skipped } = recording;
      const rest = skipped === 0 ? '' : ` (${skipped} skipped: 100 MB limit)`;
      printLine(io, `Wrote ${formatCount(recording.count, 'request')} to ${quoteName(record)}${rest}.`);
    }
    return result.totals.failed > 0 ? 1 : 0;
  },
});

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
