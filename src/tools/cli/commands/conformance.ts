import { readJson, readText } from '#engine/fixtures/read-json.js';
import { isObject } from '#engine/lib/objects.js';
import { LEVELS } from '../../conformance/case.js';
import { compareTools, type FoundTool, formatToolDifferences, readToolList } from '../../conformance/tools.js';
import { defineCommand, fail, failValue, flag } from '../command.js';
import { formatReport, reportFlag, runOnService, serviceFlags, serviceVariables, writeReports } from '../service.js';

export const conformance = defineCommand({
  variables: {
    ...serviceVariables,
    'second-token': flag('Token of another account, for the rules on what users see of each other'),
    'limited-token': flag('Token of the account with the scope email:read alone, for the rules on scopes'),
    'reader-token': flag('Token of the account with each scope that reads, for the rules on scopes'),
  },
  flags: {
    ...serviceFlags,
    ...reportFlag,
    url: { ...serviceFlags.url, demandOption: false },
    tools: {
      ...flag('Compare a recorded tools/list of the service instead (docs/mcp.md)'),
      coerce: readTools,
      conflicts: ['url', 'baseline'],
    },
    level: {
      ...flag('Cases to run: read only, also create vals, also test limits, also send emails'),
      choices: LEVELS,
      default: LEVELS[0],
    },
    baseline: {
      ...flag('Earlier report (.json): what failed in it does not count'),
      coerce: (path: string) => readBaseline(path),
    },
  },
  examples: {
    '$0 --url https://api.example.com': 'by GET alone, with the token in VAL_EMULATOR_TOKEN',
    '$0 --url http://127.0.0.1:4010 --token ada-token --second-token grace-token --level email':
      'all cases, on an emulator',
    '$0 --tools tools.json': 'compare the schemas of the tools for agents',
    '$0 --url https://api.example.com --report today.json --baseline yesterday.json': 'only what is new fails',
  },
  epilogue:
    'Requests go to this URL only. Exit code: 0 if no rule of the specification or the public record fails, 1 if one does, 2 if the service cannot be tested. A choice of this project that a service has made otherwise is "different", and leaves the exit code 0, unless it lets a stranger write. With --tools: 1 if a difference breaks callers.',
  async run({ url, tools, level, secondToken, limitedToken, readerToken, baseline, ...input }, io) {
    if (tools) return await compareRecorded(tools);
    if (url === undefined) fail('--url: missing. Name a service, or use --tools.');
    const report = await runOnService(
      io,
      { ...input, url },
      { label: 'checking', unit: 'cases' },
      async ({ warn, ...run }) => {
        const { checkConformance } = await import('../../conformance/index.js');
        return checkConformance({ ...run, level, secondToken, limitedToken, readerToken, onRemark: warn });
      },
    );
    await writeReports(io, report, input.report);
    const isFailed = report.entries.some(({ id, outcome }) => outcome === 'failed' && !baseline?.has(id));
    return { value: report, text: formatReport(io, report, baseline), code: isFailed ? 1 : 0 };
  },
});

/** Compares the tools of a service with the tools of the emulator. */
async function compareRecorded(found: ReadonlyMap<string, FoundTool>) {
  const { tools } = await import('#vals/service/service.tools.js');
  const value = compareTools(found, tools);
  return {
    value,
    text: formatToolDifferences(value, found.size),
    code: value.some(({ breaks, guessed }) => breaks && !guessed) ? 1 : 0,
  };
}

function readTools(path: string): ReadonlyMap<string, FoundTool> {
  const expected = 'a response to tools/list, as docs/mcp.md records it';
  return readToolList(readText(path, path)) ?? failValue('tools', path, expected);
}

/** Reads the ids of what failed in an earlier report. */
function readBaseline(path: string): ReadonlySet<string> {
  const report = readJson(path, path);
  if (!isObject(report) || !Array.isArray(report.entries)) {
    return failValue('baseline', path, 'a report that --report has written as .json');
  }
  const failed = report.entries.filter(isObject).filter(({ outcome }) => outcome === 'failed');
  return new Set(failed.map(({ id }) => String(id)));
}
