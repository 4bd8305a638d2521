import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeCounts } from '#engine/fixtures/export.js';
import { hasCode, OptionsError } from '#engine/lib/errors.js';
import { parseGenerateOptions } from '#vals/generator/options.js';
import { definitions } from '#vals/service/service.collection.js';
import { type CliIo, defineCommand, fail, flag, jsonFlag, numberFlag, switchFlag } from '../command.js';
import { parseDataset } from '../dataset.js';
import { readPeople } from '../emulator-flags.js';
import { isFixtureFolder } from '../fixture-output.js';
import { quoteName } from '../io.js';
import { fixtureFile, forceFlag, jsonList, writeFiles } from '../output.js';
import { createProgress } from '../progress.js';

export const generate = defineCommand({
  args: { settings: { type: 'string', array: true, describe: 'The options in another form: users=50 company=Acme' } },
  variables: { json: jsonFlag('the numbers of records') },
  flags: {
    users: numberFlag('Number of users (default: one for ten vals, else 20)'),
    vals: numberFlag('Number of vals (default: ten for each user)'),
    projects: numberFlag('Number of projects of /v2, with branches and commits (default: 0)'),
    runs: numberFlag('Number of runs (default: twenty for each val)'),
    days: numberFlag('Number of days before now that have runs (default: 30)'),
    seed: numberFlag('Seed of the random generator (default: 1)'),
    company: flag('Company of the users: their email addresses, some bios and readmes'),
    people: { ...flag('JSON file with the first users: ["ada", { "username": "grace" }]'), coerce: readPeople },
    out: { ...flag('Write to this .json file, or to this folder (default: stdout)'), alias: 'o' },
    ...forceFlag,
    quiet: { ...switchFlag('Print nothing but the fixture'), alias: 'q' },
  },
  examples: {
    '$0 --users 50 --seed 42 --out demo.json': 'val-emulator start --fixtures demo.json loads it',
    '$0 --vals 10000 --runs 1000000 --out big': 'a folder with one file per collection',
    '$0 --company Acme --people people.json --out acme.json': 'names of yours',
    '$0 users=50,company=Acme --out acme.json': 'as --generate has them',
    '$0 | jq .users': 'to stdout',
  },
  epilogue: 'The same sizes, seed and names give the same bytes on every machine. Times are relative to the load.',
  async run(
    { settings = [], out = '-', quiet, json, force, users, vals, projects, runs, days, seed, company, people },
    io,
  ) {
    const flags = { users, vals, projects, runs, days, seed, company, people };
    const { size, ...names } = mergeSettings(flags, parseDataset(settings, '<settings>', readPeople));
    const target = await chooseTarget(out);
    const generator = await import('#vals/generator/index.js');
    // A fixture that is printed on the terminal shows the progress itself.
    const isVisible = target === 'stdout' && io.stdout.isTTY;
    const progress = quiet || json || isVisible ? undefined : createProgress(io);
    const onRuns = (count: number) => progress?.show('generating', count, size.runs, 'runs');
    const records = generator.generate({ ...size, ...names }, { onRuns });
    try {
      if (target === 'stdout') return await print(io, generator.writeFixture(records));
      const files =
        target === 'file'
          ? [{ path: out, kind: fixtureFile(definitions.names), chunks: generator.writeFixture(records) }]
          : generator.writeFixtureFolder(records).map((file) => ({ ...file, kind: jsonList }));
      await writeFiles(io, files, { force, ...(target === 'folder' && { folder: out }) });
    } finally {
      progress?.stop();
    }
    const counts = { users: size.users, projects: size.projects, vals: size.vals, runs: size.runs };
    return quiet && !json
      ? undefined
      : {
          value: { out, ...size },
          text: `Wrote ${describeCounts(counts, definitions)} to ${quoteName(out)}.`,
        };
  },
});

/** Validates the settings of both forms. @throws CliError for one in both. @throws OptionsError for a wrong one */
function mergeSettings(flags: Readonly<Record<string, unknown>>, words: Readonly<Record<string, unknown>>) {
  const twice = Object.keys(words).find((name) => flags[name] !== undefined);
  if (twice !== undefined) fail(`--${twice}: given twice; give it once.`);
  const { size, problems, ...names } = parseGenerateOptions({ ...flags, ...words });
  if (!size) throw new OptionsError(problems);
  return { size, ...names };
}

/** @throws Error for a name that could be either, and for a folder with JSON files that do not belong to a fixture */
async function chooseTarget(out: string): Promise<'stdout' | 'file' | 'folder'> {
  if (out === '-') return 'stdout';
  if (await isFixtureFolder(out)) return 'folder';
  const found = await stat(out).catch(() => undefined);
  if (/\.json$/i.test(out) || (found && !found.isFile())) return 'file';
  if (!found) return 'folder';
  return fail(`--out: ${quoteName(out)} is a file. Use a name that ends in .json, or a folder.`);
}

/** Ends quietly when a reader such as `head` closes the pipe. */
async function print({ stdout }: CliIo, chunks: Iterable<string>): Promise<undefined> {
  try {
    await pipeline(Readable.from(chunks), stdout, { end: false });
  } catch (error) {
    if (!hasCode(error, 'EPIPE')) throw error;
  }
}
