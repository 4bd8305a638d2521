import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describeCounts } from '#engine/fixtures/export.js';
import { writeFixture } from '#engine/fixtures/write.js';
import { formatCount } from '#engine/lib/text.js';
import { parseDuration, parseInstant, toTimestamp } from '#engine/lib/time.js';
import { definitions } from '#vals/service/service.collection.js';
import type { PullResult } from '../../pull/index.js';
import { type CliIo, defineCommand, fail, failValue, flag, switchFlag } from '../command.js';
import { parseInteger } from '../criteria.js';
import { formatDifferences } from '../format-change.js';
import { colorsFor, quoteName } from '../io.js';
import { assertWritable, fixtureFile, writeFiles } from '../output.js';
import { runOnService, serviceFlags, serviceVariables } from '../service.js';

const FIXTURES = { path: 'fixtures.json', kind: fixtureFile(definitions.names) };
const PULLED = {
  path: 'pulled.json',
  kind: { title: 'summary of a pull', matches: (start: string) => /^\s*\{\s*"from"/.test(start) },
};
const FILES = [FIXTURES, PULLED];

/** A flag for what a pull reads unless it is switched off. */
const readFlag = <D extends string>(describe: D) => ({ type: 'boolean', default: true, describe }) as const;

export const pull = defineCommand({
  variables: serviceVariables,
  flags: {
    ...serviceFlags,
    out: { ...flag('Folder to write fixtures.json and pulled.json into'), alias: 'o' },
    compare: flag('Compare with the fixtures of an earlier pull: a folder or a file'),
    ignore: { ...flag('Do not compare paths: *.updatedAt, users.ada (repeatable)'), array: true, default: [] },
    project: {
      ...flag('Read this project of another user, too: grace/site (repeatable)'),
      array: true,
      default: [],
      coerce: (names: string[]) => names.map(parseProject),
    },
    since: {
      ...flag('Only runs and comments since a time or duration: 2024-06-11T00:00:00Z, 30d'),
      coerce: parseSince,
    },
    limit: {
      ...flag('Only the first N items of each list (default: all)'),
      coerce: parseInteger('limit', 'a number of items, at least 1', 1),
    },
    private: switchFlag('Read what is private, blobs and keys of variables too'),
    keep: switchFlag('Keep email addresses and pictures of users'),
    'run-details': readFlag('Read the logs, arguments and return value of each run: one request each'),
    history: readFlag('Read each version of a branch or a val: one request or more each'),
  },
  examples: {
    '$0 --url https://api.example.com --out mine':
      'with the token in VAL_EMULATOR_TOKEN; start --fixtures mine opens it',
    '$0 --url https://api.example.com --compare mine': 'what has changed since then',
    '$0 --url https://api.example.com --since 30d --private --out mine': 'private ones too, and only recent runs',
  },
  epilogue:
    'GET requests go to this URL only. Exit code: 0, or 1 if --compare finds a difference; 2 if the service cannot be read.',
  async run({ out, compare, ignore, project, since, limit, keep: keepAddresses, runDetails, history, ...input }, io) {
    if (out === undefined && compare === undefined)
      fail('--out: missing. Name a folder to write to, or use --compare.');
    if (out !== undefined) await checkFolder(io, out, input.force);
    const scope = { private: input.private, runDetails, history };
    const result = await runOnService(io, input, { label: 'reading', unit: 'documents' }, async (run) => {
      const engine = await import('../../pull/index.js');
      return engine.pull({ ...run, compare, ignore, projects: project, since, limit, keepAddresses, scope });
    });
    if (out !== undefined) await writeFiles(io, toFiles(out, result), { folder: out, force: true });
    const { pulled, drift } = result;
    return {
      value: { ...(out !== undefined && { out }), ...pulled, ...(drift && { drift }) },
      text: formatResult(io, { out, compare }, result),
      code: drift && drift.total > 0 ? 1 : 0,
    };
  },
});

const parseProject = (name: string): string =>
  /^[^/]+\/[^/]+$/.test(name) ? name : failValue('project', name, 'an owner and a name such as "grace/site"');

function parseSince(text: string): string {
  const duration = parseDuration(text);
  const instant = duration === undefined ? parseInstant(text) : Date.now() - duration;
  if (instant !== undefined) return toTimestamp(instant);
  return failValue('since', text, 'a time such as "2024-06-11T00:00:00Z", or a duration such as "30d"');
}

/** @throws CliError for a folder that has anything else than an earlier pull */
async function checkFolder(io: CliIo, out: string, isForced: boolean): Promise<void> {
  const found = await stat(out).catch(() => undefined);
  if (!found) return;
  if (!found.isDirectory()) fail(`--out: ${quoteName(out)} is a file. Name a folder.`);
  const others = (await readdir(out)).filter((name) => !FILES.some(({ path }) => path === name));
  if (others.length > 0)
    fail(`--out: the folder ${quoteName(out)} has ${others[0]}. Name a new folder, or one of an earlier pull.`);
  const files = FILES.map((file) => ({ ...file, path: join(out, file.path) }));
  await assertWritable(io, files, { force: isForced });
}

const SCHEMA = 'node_modules/val-emulator/schema/fixtures.schema.json';

const toFiles = (out: string, { fixtures, pulled }: PullResult) => [
  { ...FIXTURES, chunks: writeFixture(fixtures, relative(out, SCHEMA).replaceAll('\\', '/')) },
  { ...PULLED, chunks: [`${JSON.stringify(pulled, null, 2)}\n`] },
];

const formatResult = (
  io: CliIo,
  { out, compare }: { readonly out?: string | undefined; readonly compare?: string | undefined },
  { pulled, drift }: PullResult,
): string => {
  const counts = describeCounts(pulled.records, definitions);
  return [
    out === undefined ? `Read ${counts}.` : `Wrote ${counts} to ${quoteName(join(out, FIXTURES.path))}.`,
    ...pulled.unseen.map((line) => colorsFor(io).dim(`not seen: ${line}`)),
    ...(drift ? formatDifferences(drift) : []),
    ...(drift ? [`${formatCount(drift.total, 'difference')} from ${quoteName(String(compare))}.`] : []),
    ...(out === undefined ? [] : [`Start it: val-emulator start --fixtures ${quoteName(out)}`]),
  ].join('\n');
};
