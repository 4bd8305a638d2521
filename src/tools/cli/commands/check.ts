import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { countRecords, describeCounts } from '#engine/fixtures/export.js';
import { parseText } from '#engine/fixtures/read-json.js';
import { FixtureModule } from '#engine/fixtures/source.js';
import { DataError, FixtureError, MissingFixturesError, type Problem } from '#engine/lib/errors.js';
import { isSession } from '#engine/lib/json.js';
import { formatCount } from '#engine/lib/text.js';
import type { Service } from '#engine/service.js';
import { datasets } from '#vals/lib/datasets.collection.js';
import { createEngine } from '../../../create-engine.js';
import { defineCommand, jsonFlag } from '../command.js';
import { startFlags } from '../emulator-flags.js';
import { CliError } from '../errors.js';
import { quoteName } from '../io.js';
import { runService } from '../start-service.js';

const FIXTURES = `Paths, - for stdin, or ${datasets.names.join(', ')}`;

const STDIN = '-';

interface Report {
  readonly fixtures: string;
  readonly isSession: boolean;
  readonly problems: readonly Problem[];
  /** Null if there are problems. */
  readonly counts: ReturnType<typeof countRecords> | null;
}

export const check = defineCommand({
  args: { fixture: { type: 'string', array: true, demandOption: true, describe: FIXTURES } },
  variables: { json: jsonFlag('the results'), service: startFlags.service },
  examples: {
    '$0 ./demo.json': 'list all problems, or count the records',
    '$0 fixtures/*': 'check each file and folder',
    'generate-fixtures | $0 -': 'check what a program prints',
    '$0 --service todo.js ./todos.json': 'check fixtures of your own service',
  },
  epilogue: 'Exit code: 0 if all fixtures load, 1 if one has problems, 2 if one is missing.',
  async run({ fixture, service: path }, io) {
    const service = await runService(path);
    const reports: Report[] = [];
    const missing: Problem[] = [];
    for (const fixtures of fixture) {
      const ofSession = isSessionFile(fixtures);
      const add = (problems: readonly Problem[], counts: Report['counts'] = null) =>
        reports.push({ fixtures, isSession: ofSession, problems, counts });
      try {
        const input = fixtures === STDIN ? parseText(await io.readInput(), 'stdin') : undefined;
        const source = ofSession ? { session: fixtures } : { fixtures: fixtures === STDIN ? {} : fixtures };
        await using emulator = await createEngine(service, { ...source, listen: false });
        if (fixtures === STDIN) await emulator.reload(new FixtureModule('stdin', input));
        add([], countRecords(emulator.store.state));
      } catch (error) {
        if (error instanceof MissingFixturesError) missing.push(...error.problems);
        else if (error instanceof FixtureError) add(error.problems);
        else if (error instanceof DataError)
          add([{ path: fixtures, message: error.message.replace(`${fixtures} `, '') }]);
        else throw error;
      }
    }
    const error =
      missing.length === 0 ? undefined : new CliError('fixtures', missing.map(formatProblem).join('\n'), missing);
    const code = reports.some(({ counts }) => counts === null) ? 1 : 0;
    return {
      value: reports,
      text: reports.flatMap((report) => formatChecked(report, service)).join('\n'),
      code,
      error,
    };
  },
});

/** Whether a file is a session, by its first characters: the file may be large. A pipe, which can be read once, has fixtures. */
function isSessionFile(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const start = Buffer.alloc(10);
  try {
    const file = openSync(path, 'r');
    readSync(file, start);
    closeSync(file);
  } catch {
    // The loader reports it.
  }
  return isSession(start.toString('latin1'));
}

function formatChecked(
  { fixtures, isSession: ofSession, problems, counts }: Report,
  { definitions }: Service,
): string[] {
  const sum = counts ? describeCounts(counts, definitions) : formatCount(problems.length, 'problem');
  return [
    ...problems.map(formatProblem),
    `${fixtures === STDIN ? 'stdin' : quoteName(fixtures)}: ${ofSession ? 'a session, at its end with ' : ''}${sum}.`,
  ];
}

const formatProblem = ({ path, message }: Problem) => `${path}: ${message}`;
