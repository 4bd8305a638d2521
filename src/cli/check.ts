import type { InferredOptionTypes, Options } from 'yargs';
import { createEmulator } from '../emulator.js';
import { type Counts, countRecords, describeCounts } from '../fixtures/counts.js';
import { FixtureError, MissingFixturesError, type Problem } from '../fixtures/problems.js';
import { shippedFixtures } from '../fixtures/read.js';
import type { Command } from './command.js';
import { exit } from './exit.js';
import { withEnvironment } from './flags.js';
import { nameOf, printLine } from './print.js';

const flags = {
  json: { type: 'boolean', default: false, describe: 'Print one line of JSON' },
} as const satisfies Record<string, Options>;

interface Flags extends InferredOptionTypes<typeof flags> {
  readonly fixture: readonly string[];
}

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .positional('fixture', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: `Folders, JSON files, or fixtures that ship (${shippedFixtures().join(', ')})`,
      })
      .options(withEnvironment(flags))
      .example('$0 check ./demo.json', 'what is wrong with it, or what is in it')
      .example('$0 check fixtures/*', 'each file and each folder')
      .epilogue('The exit code is 0 if all of them can be loaded, 1 if not, 2 if one is not there.'),
  handler: check,
};

/** What a fixture holds, or what is wrong with it. */
interface Report {
  readonly fixtures: string;
  readonly problems: readonly Problem[];
  /** Null if there are problems. */
  readonly counts: Counts | null;
}

async function check({ fixture: sources, json }: Flags): Promise<void> {
  const reports: Report[] = [];
  const missing: MissingFixturesError[] = [];
  for (const source of sources) {
    const report = await load(source);
    if (report instanceof MissingFixturesError) missing.push(report);
    else reports.push(report);
  }
  if (json) printLine(JSON.stringify(reports));
  else for (const report of reports) print(report);
  if (missing.length > 0) exit(missing.flatMap(({ problems }) => problems.map(lineOf)).join('\n'));
  if (reports.some(({ counts }) => counts === null)) process.exitCode = 1;
}

/** Loads it as `start` does. */
async function load(fixtures: string): Promise<Report | MissingFixturesError> {
  try {
    const { world } = await createEmulator({ fixtures, listen: false });
    return { fixtures, problems: [], counts: countRecords(world.state) };
  } catch (error) {
    if (error instanceof MissingFixturesError) return error;
    if (error instanceof FixtureError) return { fixtures, problems: error.problems, counts: null };
    throw error;
  }
}

function print({ fixtures, problems, counts }: Report): void {
  for (const problem of problems) printLine(lineOf(problem));
  const sum = counts ? describeCounts(counts) : problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  printLine(`${nameOf(fixtures)}: ${sum}.`);
}

const lineOf = ({ place, message }: Problem) => `${place}: ${message}`;
