import { readFileSync } from 'node:fs';
import { LEVELS } from '../../conformance/case.js';
import { parseJson } from '../../fixtures/parse-json.js';
import { reasonFor } from '../../lib/errors.js';
import { isObject } from '../../lib/objects.js';
import { OUTCOMES, type Report, type ReportEntry } from '../../remote/report.js';
import { type CliIo, defineCommand, fail, failValue, flag, InterruptedError } from '../command.js';
import { colorsFor, onSignals, openProgressBar, printLine } from '../io.js';
import { assertWritable } from '../output.js';
import { announcePauses, parseService, reportFlag, serviceFlags, writeReports } from '../service-command.js';

export const conformance = defineCommand(
  'conformance <service>',
  'Check whether a service does what this emulator does',
  {
    args: {
      service: {
        type: 'string',
        demandOption: true,
        describe: 'URL of a service or an emulator',
        coerce: (text: string) => parseService(text),
      },
    },
    variables: {
      ...serviceFlags,
      'second-token': flag('Token of another account, for the rules on what users see of each other'),
    },
    flags: {
      level: {
        ...flag('Read only (read), create and delete vals (write), or send bodies at the limits too (limits)'),
        choices: LEVELS,
        default: LEVELS[0],
      },
      report: reportFlag,
      baseline: {
        ...flag('Earlier report (.json): what failed in it does not count'),
        coerce: (path: string) => readBaseline(path),
      },
    },
    examples: {
      '$0 https://api.example.com --token SECRET': 'by GET alone',
      '$0 http://127.0.0.1:4010 --token ada-token --second-token grace-token --level limits':
        'all cases, on an emulator',
      '$0 https://api.example.com --report today.json --baseline yesterday.json': 'only what is new fails',
    },
    epilogue:
      'It sends requests to this one URL. Exit code: 0 if no rule of the specification or the public record fails, 1 if one does, 2 if the service cannot be checked. A rule that this project chose is reported as "different", and leaves the exit code 0: no source says what is right.',
    async run({ service, token, secondToken, level, timeout, report: paths, baseline, json }, io) {
      if (token === undefined) fail('--token: missing. The account is found by GET /v1/me.');
      await assertWritable(paths, '--report');
      const { checkConformance } = await import('../../conformance/index.js');
      const bar = json ? undefined : await openProgressBar(io, 'cases');
      const interruption = new AbortController();
      const { signal } = interruption;
      const off = onSignals(io, ['SIGINT', 'SIGTERM'], (name) => interruption.abort(new InterruptedError(name)));
      try {
        const onProgress = (done: number, total: number) => bar?.show('checking', done, total);
        const report = await checkConformance({
          ...{ url: service, token, secondToken, level, timeout, signal, onProgress },
          onPause: announcePauses(io, bar),
          onRemark(remark) {
            bar?.stop();
            io.stderr.write(`val-emulator: ${remark}\n`);
          },
        });
        bar?.stop();
        const news = report.entries.filter(({ id, outcome }) => outcome === 'failed' && !baseline?.has(id));
        if (json) printLine(io, JSON.stringify(report));
        else printReport(io, report, new Set(news));
        await writeReports(io, report, paths);
        return news.length > 0 ? 1 : 0;
      } finally {
        bar?.stop();
        off();
      }
    },
  },
);

/** Reads the ids of what failed in an earlier report. */
function readBaseline(path: string): ReadonlySet<string> {
  try {
    const report = parseJson(readFileSync(path, 'utf8'));
    if (!isObject(report) || !Array.isArray(report.entries)) throw new Error('it is no report');
    const failed = report.entries.filter(isObject).filter(({ outcome }) => outcome === 'failed');
    return new Set(failed.map(({ id }) => String(id)));
  } catch (error) {
    return failValue('baseline', path, `a report that --report has written as .json (${reasonFor(error)})`);
  }
}

function printReport(io: CliIo, { entries, totals, service, seconds }: Report, news: ReadonlySet<ReportEntry>) {
  const { red, yellow, dim, bold } = colorsFor(io);
  const isKnown = (entry: ReportEntry) => entry.outcome === 'failed' && !news.has(entry);
  for (const { rule, id } of entries.filter(isKnown)) printLine(io, dim(`failed as before ${rule} ${id}`));
  for (const [entry, ...others] of groupByCause(entries.filter((each) => !isKnown(each)))) {
    const { id, rule, basis, group, outcome, reason = '', exchanges = [] } = entry;
    const last = exchanges.at(-1);
    printLine(io, `${outcome === 'failed' ? red('failed') : yellow('different')} ${bold(rule)} ${dim(id)}`);
    printLine(io, `  ${reason}`);
    if (last) printLine(io, dim(`  ${firstLine(last.request)} -> ${firstLine(last.response)}`));
    if (basis !== undefined) printLine(io, dim(`  ${group}: ${basis}`));
    if (others.length > 0) printLine(io, `  the same in ${others.map((other) => other.id).join(', ')}`);
  }
  const skipped = new Map<string, number>();
  for (const { outcome, reason = '' } of entries) {
    if (outcome === 'skipped') skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of skipped) printLine(io, dim(`skipped ${count}: ${reason}`));
  const counts = OUTCOMES.filter((outcome) => totals[outcome] > 0).map((outcome) => `${totals[outcome]} ${outcome}`);
  printLine(io, `${service}: ${counts.join(', ')} (${entries.length} cases, ${seconds} s)`);
  if (news.size < totals.failed) printLine(io, dim(`${news.size} of the failures are new.`));
  if (totals.different > 0) {
    printLine(
      io,
      dim('different: no source says what is right, and the service does something else than this emulator.'),
    );
  }
}

/** Groups what failed by the rule and the reason. */
function groupByCause(entries: readonly ReportEntry[]): (readonly [ReportEntry, ...ReportEntry[]])[] {
  const groups = new Map<string, [ReportEntry, ...ReportEntry[]]>();
  for (const entry of entries) {
    const { outcome, basis, reason } = entry;
    if (outcome !== 'failed' && outcome !== 'different') continue;
    const cause = JSON.stringify([outcome, basis, reason]);
    const group = groups.get(cause);
    if (group) group.push(entry);
    else groups.set(cause, [entry]);
  }
  return [...groups.values()];
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
