import { readFileSync } from 'node:fs';
import { LEVELS } from '../../fidelity/conformance/case.js';
import { parseJson } from '../../fixtures/parse-json.js';
import { reasonFor } from '../../lib/errors.js';
import { isObject } from '../../lib/objects.js';
import { defineCommand, fail, failValue, flag } from '../command.js';
import { printLine } from '../io.js';
import { assertWritable } from '../output.js';
import { parseService, printReport, reportFlag, runLong, serviceFlags, writeReports } from '../service-command.js';

export const conformance = defineCommand('conformance <service>', 'Test a service against the rules of the vals API', {
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
    '$0 http://127.0.0.1:4010 --token ada-token --second-token grace-token --level limits': 'all cases, on an emulator',
    '$0 https://api.example.com --report today.json --baseline yesterday.json': 'only what is new fails',
  },
  epilogue:
    'It sends requests to this one URL. Exit code: 0 if no rule of the specification or the public record fails, 1 if one does, 2 if the service cannot be checked. A rule that this project chose is reported as "different", and leaves the exit code 0: no source says what is right.',
  async run({ service, token, secondToken, level, timeout, report: paths, baseline, json }, io) {
    if (token === undefined) fail('--token: missing. The account is found by GET /v1/me.');
    await assertWritable(paths, '--report');
    const { checkConformance } = await import('../../fidelity/conformance/index.js');
    const report = await runLong(io, { json, label: 'checking', unit: 'cases' }, ({ warn, ...given }) =>
      checkConformance({ ...{ url: service, token, secondToken, level, timeout }, ...given, onRemark: warn }),
    );
    if (json) printLine(io, JSON.stringify(report));
    else printReport(io, report, baseline);
    await writeReports(io, report, paths);
    return report.entries.some(({ id, outcome }) => outcome === 'failed' && !baseline?.has(id)) ? 1 : 0;
  },
});

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
