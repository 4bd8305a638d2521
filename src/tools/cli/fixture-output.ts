import { readdir, stat } from 'node:fs/promises';
import { isFixtureFile } from '#engine/fixtures/file-names.js';
import { writeFixture, writeFixtureFolder } from '#engine/fixtures/write.js';
import { FILES } from '#vals/lib/names.collection.js';
import { type CliIo, type Flags, fail, flag, switchFlag } from './command.js';
import { quoteName } from './io.js';
import { fixtureFile, forceFlag, jsonList, writeFiles } from './output.js';

/** Whether `--out` is a folder. @throws Error for a folder with JSON files that do not belong to a fixture */
export async function isFixtureFolder(out: string): Promise<boolean> {
  const found = await stat(out).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  const own = FILES.names.map((name) => `${name}.json`);
  const others = (await readdir(out)).filter((file) => isFixtureFile(file) && !own.includes(file));
  if (others.length === 0) return true;
  const list = others.slice(0, 3).join(', ');
  const problem = `the folder ${quoteName(out)} contains ${list}, which does not belong to a fixture`;
  return fail(`--out: ${problem}. Use a folder without other JSON files.`);
}

export const fixtureFlags = {
  out: { ...flag('Write to this file or folder (default: stdout)'), alias: 'o' },
  tokens: { type: 'boolean', default: true, describe: 'Include the tokens of the users; --no-tokens for none' },
  secrets: switchFlag('Include the values of environment variables'),
  relative: switchFlag('Write times relative to the current time: -10m'),
  brief: switchFlag('Leave out keys that equal their defaults'),
  ...forceFlag,
} as const satisfies Flags;

type Collections = Readonly<Record<string, readonly object[]>>;

const indent = (value: object): string[] => [`${JSON.stringify(value, null, 2)}\n`];

/** Formats fixtures as one file. @param brief one record per line */
export const formatFixtures = (collections: Collections, brief: boolean): string[] =>
  brief ? [...writeFixture(collections)] : indent(collections);

/** Writes fixtures to a file, or to a folder that has some or whose name ends with a slash. */
export async function saveFixtures(
  io: CliIo,
  collections: Collections,
  { out, brief, force }: { readonly out: string; readonly brief: boolean; readonly force: boolean },
): Promise<void> {
  if (!/[\\/]$/.test(out) && !(await isFixtureFolder(out))) {
    const kind = fixtureFile([...FILES.names, ...Object.keys(collections)]);
    return writeFiles(io, [{ path: out, kind, chunks: formatFixtures(collections, brief) }], { force });
  }
  const long = Object.entries(collections).map(([name, records]) => ({
    path: `${name}.json`,
    chunks: indent(records),
  }));
  const files = brief ? writeFixtureFolder(collections) : long;
  await writeFiles(
    io,
    files.map((file) => ({ ...file, kind: jsonList })),
    { folder: out, force },
  );
}
