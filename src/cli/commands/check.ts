import { createEmulator } from '../../emulator.js';
import { countRecords, describeCounts } from '../../fixtures/export.js';
import { builtInFixtures } from '../../fixtures/read.js';
import { FixtureError, MissingFixturesError, type Problem } from '../../lib/errors.js';
import { formatCount } from '../../lib/text.js';
import { defineCommand, jsonFlag } from '../command.js';
import { CliError } from '../errors.js';
import { quoteName } from '../io.js';

const FIXTURES = `Folders, files or datasets: ${builtInFixtures().join(', ')}`;

interface Report {
  readonly fixtures: string;
  readonly problems: readonly Problem[];
  /** Null if there are problems. */
  readonly counts: ReturnType<typeof countRecords> | null;
}

export const check = defineCommand({
  args: { fixture: { type: 'string', array: true, demandOption: true, describe: FIXTURES } },
  variables: { json: jsonFlag('the results') },
  examples: {
    '$0 ./demo.json': 'list all problems, or count the records',
    '$0 fixtures/*': 'check each file and folder',
  },
  epilogue: 'Exit code: 0 if all fixtures load, 1 if one has problems, 2 if one is missing.',
  async run({ fixture }) {
    const reports: Report[] = [];
    const missing: Problem[] = [];
    for (const fixtures of fixture) {
      try {
        const emulator = await createEmulator({ fixtures, listen: false });
        reports.push({ fixtures, problems: [], counts: countRecords(emulator.store.state) });
      } catch (error) {
        if (!(error instanceof FixtureError)) throw error;
        if (error instanceof MissingFixturesError) missing.push(...error.problems);
        else reports.push({ fixtures, problems: error.problems, counts: null });
      }
    }
    const error =
      missing.length === 0 ? undefined : new CliError('fixtures', missing.map(formatProblem).join('\n'), missing);
    const code = reports.some(({ counts }) => counts === null) ? 1 : 0;
    return { value: reports, text: reports.flatMap(formatReport).join('\n'), code, error };
  },
});

function formatReport({ fixtures, problems, counts }: Report): string[] {
  const sum = counts ? describeCounts(counts) : formatCount(problems.length, 'problem');
  return [...problems.map(formatProblem), `${quoteName(fixtures)}: ${sum}.`];
}

const formatProblem = ({ path, message }: Problem) => `${path}: ${message}`;
