import { readdir, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { InferredOptionTypes, Options } from 'yargs';
import { sizeOf, type WorldSize } from '../fixtures/generate-options.js';
import { COLLECTION_NAMES } from '../fixtures/schema.js';
import type { Command } from './command.js';
import { readNumber } from './flags.js';
import { replaceFile, replaceInFolder } from './output.js';
import { nameOf, printLine } from './print.js';
import { ProgressBar } from './progress.js';

const size = { type: 'string', requiresArg: true, coerce: readNumber } as const;

const flags = {
  users: { ...size, describe: 'Number of users (default: one for ten vals, else 20)' },
  vals: { ...size, describe: 'Number of vals (default: ten for each user)' },
  runs: { ...size, describe: 'Number of runs (default: twenty for each val)' },
  days: { ...size, describe: 'Over how many days before now the runs are spread (default: 30)' },
  seed: { ...size, describe: 'Another seed gives another world of the same size (default: 1)' },
  out: {
    alias: 'o',
    type: 'string',
    requiresArg: true,
    describe: 'Write to this file, if its name ends in .json, or to this folder; else to stdout',
  },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'Print nothing but the fixture' },
} as const satisfies Record<string, Options>;

type Flags = InferredOptionTypes<typeof flags>;

export const command: Command<Flags> = {
  builder: (parser) =>
    parser
      .options(flags)
      .example('$0 generate --users 50 --seed 42 --out demo.json', 'val-emulator start --fixtures demo.json loads it')
      .example('$0 generate --vals 10000 --runs 1000000 --out big', 'a folder, with a file for each collection')
      .example('$0 generate | jq .users', 'to stdout')
      .epilogue(
        'The same sizes and seed give the same bytes, on any machine and any day. All times count back from the load.',
      ),
  handler: writeWorld,
};

async function writeWorld({ out = '-', quiet, ...sizes }: Flags): Promise<void> {
  const { users, vals, runs, days, seed } = sizes;
  const size = sizeOf({ users, vals, runs, days, seed });
  const target = await targetOf(out);
  const { countRuns, generate, writeFixture, writeFixtureFolder } = await import('../fixtures/generate/index.js');
  // On a terminal the fixture itself tells how far it is.
  const isSeen = target === 'stdout' && process.stdout.isTTY;
  const bar = quiet || isSeen ? undefined : await ProgressBar.open('runs');
  const world = countRuns(generate(size), (made) => bar?.show('generating', made, size.runs));
  try {
    if (target === 'stdout') return await print(writeFixture(world));
    if (target === 'file') await replaceFile(out, writeFixture(world));
    else await replaceInFolder(out, writeFixtureFolder(world));
  } finally {
    bar?.stop();
  }
  if (!quiet) printLine(`Wrote ${countOf(size)} to ${nameOf(out)}.`);
}

/** The files of a fixture folder. */
const FILES = COLLECTION_NAMES.map((name) => `${name}.json`);

type Target = 'stdout' | 'file' | 'folder';

/**
 * Whether the fixture becomes a file or a folder.
 * @throws Error for a name that could be either, and for a folder that it would be lost in
 */
async function targetOf(out: string): Promise<Target> {
  if (out === '-') return 'stdout';
  const found = await stat(out).catch(() => undefined);
  if (found?.isDirectory()) {
    const others = (await readdir(out)).filter((file) => /^[^.].*\.json$/i.test(file) && !FILES.includes(file));
    if (others.length === 0) return 'folder';
    const list = others.slice(0, 3).join(', ');
    throw new Error(
      `--out: the folder ${nameOf(out)} has ${list} in it, which would not load as part of a fixture; expected a folder without other JSON files.`,
    );
  }
  if (/\.json$/i.test(out) || (found && !found.isFile())) return 'file';
  if (!found) return 'folder';
  throw new Error(`--out: ${nameOf(out)} is a file; expected a name that ends in .json, or a folder.`);
}

/** Nobody need read to the end: `| head` does not. */
async function print(chunks: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

const countOf = ({ users, vals, runs }: WorldSize): string => {
  const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${number === 1 ? noun : `${noun}s`}`;
  return `${count(users, 'user')}, ${count(vals, 'val')} and ${count(runs, 'run')}`;
};
