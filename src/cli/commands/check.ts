import type { InferredOptionTypes } from 'yargs';
import { createEmulator } from '../../emulator.js';
import { type Counts, countRecords, describeCounts } from '../../fixtures/counts.js';
import { builtInFixtures } from '../../fixtures/read.js';
import { FixtureError, MissingFixturesError, type Problem } from '../../lib/errors.js';
import type { Arguments, Command, Flags } from '../command.js';
import { fail } from '../errors.js';
import { withEnvironment } from '../flags.js';
import { type CliIo, printLine, quoteName } from '../io.js';

const args = {
  fixture: {
    type: 'string',
    array: true,
    demandOption: true,
    describe: `Folders, JSON files or built-ins (${builtInFixtures().join(', ')})`,
  },
} as const satisfies Arguments;
const flags = {
  json: { type: 'boolean', default: false, describe: 'Print one line of JSON' },
} as const satisfies Flags;

export const command: Command = {
  args,
  flags: (env) => withEnvironment(flags, env),
  examples: [
    ['$0 ./demo.json', 'list all problems, or count the records'],
    ['$0 fixtures/*', 'check each file and folder'],
  ],
  epilogue: 'Exit code: 0 if all fixtures load, 1 if one has problems, 2 if one is missing.',
  run: check,
};

interface Report {
  readonly fixtures: string;
  readonly problems: readonly Problem[];
  /** Null if there are problems. */
  readonly counts: Counts | null;
}

async function check({ fixture, json }: InferredOptionTypes<typeof args & typeof flags>, io: CliIo): Promise<number> {
  const reports: Report[] = [];
  const missing: string[] = [];
  for (const fixtures of fixture) {
    try {
      const { defaultSandbox } = await createEmulator({ fixtures, listen: false });
      reports.push({ fixtures, problems: [], counts: countRecords(defaultSandbox.store.state) });
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error;
      if (error instanceof MissingFixturesError) missing.push(...error.problems.map(formatProblem));
      else reports.push({ fixtures, problems: error.problems, counts: null });
    }
  }
  if (json) printLine(io, JSON.stringify(reports));
  else for (const report of reports) print(io, report);
  if (missing.length > 0) fail(missing.join('\n'));
  return reports.some(({ counts }) => counts === null) ? 1 : 0;
}

function print(io: CliIo, { fixtures, problems, counts }: Report): void {
  for (const problem of problems) printLine(io, formatProblem(problem));
  const sum = counts ? describeCounts(counts) : problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  printLine(io, `${quoteName(fixtures)}: ${sum}.`);
}

const formatProblem = ({ path, message }: Problem) => `${path}: ${message}`;
