import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseDuration, parseInstant, toTimestamp } from '#engine/lib/time.js';
import { describeCounts } from '#engine/seed/export.js';
import { writeFixture } from '#engine/seed/write.js';
import { definitions } from '#vals/collections/index.js';
import type { PullResult } from '../../pull/index.js';
import { type CliIo, defineCommand, fail, failValue, flag, switchFlag } from '../command.js';
import { colorsFor, quoteName } from '../io.js';
import { assertWritable, fixtureFile, writeFiles } from '../output.js';
import { formatReport, runOnService, serviceFlags, serviceVariables, writeReports } from '../service.js';

const FIXTURES = { path: 'fixtures.json', kind: fixtureFile(definitions.names) };
const PULLED = {
  path: 'pulled.json',
  kind: { title: 'summary of a pull', matches: (start: string) => /^\s*\{\s*"from"/.test(start) },
};
const FILES = [FIXTURES, PULLED];

export const pull = defineCommand({
  variables: serviceVariables,
  flags: {
    ...serviceFlags,
    out: { ...flag('Folder to write fixtures.json and pulled.json into'), alias: 'o', demandOption: true },
    since: {
      ...flag('Only runs and comments since a time or duration: 2024-06-11T00:00:00Z, 30d'),
      coerce: parseSince,
    },
    private: switchFlag('Read private vals and the blobs too'),
    keep: switchFlag('Keep email addresses and pictures of users'),
    'run-details': {
      type: 'boolean',
      default: true,
      describe: 'Read the logs, arguments and return value of each run: one request each',
    },
  },
  examples: {
    '$0 --url https://api.example.com --out mine':
      'with the token in VAL_EMULATOR_TOKEN; start --fixtures mine opens it',
    '$0 --url https://api.example.com --since 30d --private --out mine': 'private vals too, and only recent runs',
  },
  epilogue: 'GET requests go to this URL only.',
  async run({ out, since, private: privateVals, keep: keepAddresses, runDetails, ...input }, io) {
    await checkFolder(io, out, input.force);
    const result = await runOnService(io, input, { label: 'reading', unit: 'documents' }, async (run) => {
      const engine = await import('../../pull/index.js');
      return engine.pull({ ...run, since, privateVals, keepAddresses, runDetails });
    });
    await writeFiles(io, toFiles(out, result), { folder: out, force: true });
    await writeReports(io, result.drift, input.report);
    return { value: { out, ...result.pulled, drift: result.drift.totals }, text: formatResult(io, out, result) };
  },
});

function parseSince(text: string): string {
  const duration = parseDuration(text);
  const instant = duration === undefined ? parseInstant(text) : Date.now() - duration;
  if (instant !== undefined) return toTimestamp(instant);
  return failValue('since', text, 'a time such as "2024-06-11T00:00:00Z", or a duration such as "30d"');
}

/** @throws CliError for a folder that has anything else than an earlier pull */
async function checkFolder(io: CliIo, out: string, force: boolean): Promise<void> {
  const found = await stat(out).catch(() => undefined);
  if (!found) return;
  if (!found.isDirectory()) fail(`--out: ${quoteName(out)} is a file. Name a folder.`);
  const others = (await readdir(out)).filter((name) => !FILES.some(({ path }) => path === name));
  if (others.length > 0)
    fail(`--out: the folder ${quoteName(out)} has ${others[0]}. Name a new folder, or one of an earlier pull.`);
  const files = FILES.map((file) => ({ ...file, path: join(out, file.path) }));
  await assertWritable(io, files, { force });
}

const SCHEMA = 'node_modules/val-emulator/schema/fixtures.schema.json';

const toFiles = (out: string, { fixtures, pulled }: PullResult) => [
  { ...FIXTURES, chunks: writeFixture(fixtures, relative(out, SCHEMA).replaceAll('\\', '/')) },
  { ...PULLED, chunks: [`${JSON.stringify(pulled, null, 2)}\n`] },
];

const formatResult = (io: CliIo, out: string, { pulled, drift }: PullResult): string =>
  [
    `Wrote ${describeCounts(pulled.records, definitions)} to ${quoteName(join(out, FIXTURES.path))}.`,
    ...pulled.unseen.map((line) => colorsFor(io).dim(`not seen: ${line}`)),
    formatReport(io, drift),
    `Start it: val-emulator start --fixtures ${quoteName(out)}`,
  ].join('\n');
