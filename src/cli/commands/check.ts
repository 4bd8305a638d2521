import { createEmulator } from '../../emulator.js';
import { countRecords, describeCounts } from '../../fixtures/export.js';
import { builtInFixtures } from '../../fixtures/read.js';
import { FixtureError, MissingFixturesError, type Problem } from '../../lib/errors.js';
import { formatCount } from '../../lib/text.js';
import { defineCommand, fail, jsonFlag } from '../command.js';
import { printLine, quoteName } from '../io.js';

const FIXTURES = `Folders, JSON files or built-ins (${builtInFixtures().join(', ')})`;

export const check = defineCommand('check <fixture..>', 'Check fixtures and count their records', {
  args: { fixture: { type: 'string', array: true, demandOption: true, describe: FIXTURES } },
  variables: { json: jsonFlag('the results') },
  examples: {
    '$0 ./demo.json': 'list all problems, or count the records',
    '$0 fixtures/*': 'check each file and folder',
  },
  epilogue: 'Exit code: 0 if all fixtures load, 1 if one has problems, 2 if one is missing.',
  async run({ fixture, json }, io) {
    // Counts are null if there are problems.
    const reports: {
      fixtures: string;
      problems: readonly Problem[];
      counts: ReturnType<typeof countRecords> | null;
    }[] = [];
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
    if (json) printLine(io, JSON.stringify(reports));
    for (const { fixtures, problems, counts } of json ? [] : reports) {
      for (const problem of problems) printLine(io, formatProblem(problem));
      const sum = counts ? describeCounts(counts) : formatCount(problems.length, 'problem');
      printLine(io, `${quoteName(fixtures)}: ${sum}.`);
    }
    if (missing.length > 0) fail(missing.map(formatProblem).join('\n'), 'fixtures', missing);
    return reports.some(({ counts }) => counts === null) ? 1 : 0;
  },
});

const formatProblem = ({ path, message }: Problem) => `${path}: ${message}`;
