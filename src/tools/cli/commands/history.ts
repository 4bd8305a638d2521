import type { ControlOutput } from '../../client/control-client.js';
import { fail, flag } from '../command.js';
import { parseInteger, toRequestId } from '../criteria.js';
import { formatDifferences, formatSides } from '../format-change.js';
import { formatNames, formatReplacement } from '../format-replacement.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote.js';

type Entry = ControlOutput<'listHistory'>[number];

export const history = remoteCommand({
  args: {
    id: {
      type: 'string',
      describe: 'Print what this commit changed, as a diff: r17, last (default: list all)',
      coerce: toRequestId,
    },
  },
  flags: {
    record: {
      ...flag('Only commits of this record, as diffs: ada/hello, vals/<id>, or sqlite/ada'),
      conflicts: 'id',
    },
    limit: {
      ...flag('Show the last N of 2,000 commits (default: 100)'),
      coerce: parseInteger('limit', 'a number of commits, at least 1', 1),
      conflicts: 'id',
    },
  },
  examples: {
    $0: 'the last 100, newest last',
    '$0 --json': 'with the ids and numbers of changed records',
    '$0 r17': 'the fields that commit r17 changed',
    '$0 --record ada/hello': 'who changed the val, when, and what',
  },
  async run({ id: given, record: named, limit }, { control, io }) {
    // A record is named in the place of an id, too.
    const record = named ?? (given?.includes('/') ? given : undefined);
    const only = record === undefined ? given : undefined;
    if (only !== undefined) {
      const value = await control.getCommit({ id: only });
      const { id, request, time } = value;
      return { value, text: [`${id} ${request} ${time}`, ...formatDifferences(value)].join('\n') };
    }
    const value = await control.listHistory({ record, limit });
    if (record !== undefined) return { value, text: formatRecordHistory(record, value) };
    const rows = value.map(({ id, time, request, user, changes }) => ({
      ...{ id, time, request, user: user ?? '-' },
      changes: formatNames(changes),
    }));
    return { value, text: formatTable(io, rows, 'No commits.', 'changes') };
  },
});

export const rewind = remoteCommand({
  args: {
    to: { type: 'string', demandOption: true, describe: 'Number of commits, or id of the first commit to take back' },
  },
  examples: { '$0 1': 'take back the last commit', '$0 r17': 'take back commit r17 and all later ones' },
  async run({ to }, { control, url }) {
    const isCount = /^\d+$/.test(to);
    if (isCount && Number(to) === 0)
      fail('<to>: found "0"; expected a number of commits from 1, or an id such as r17.');
    const replaced = await control.rewind(isCount ? { steps: Number(to) } : { before: to });
    const taken = !isCount ? `${to} and all later commits` : Number(to) === 1 ? 'the last commit' : `${to} commits`;
    const text = `Took back ${taken} at ${url}.\n${formatReplacement(replaced)}`;
    return { value: { ok: true, ...replaced }, text };
  },
});

/** Formats the commits that touched a record, each with its difference. */
function formatRecordHistory(record: string, entries: readonly Entry[]): string {
  const [oldest] = entries;
  if (!oldest) return `No commit of the history changed ${record}.`;
  const older = oldest.changes[0]?.type === 'added' ? [] : [`older: before ${oldest.id}`];
  const texts = entries
    .toReversed()
    .flatMap(({ id, request, time, user, changes }) => [
      `${id} ${request} ${time}${user ? ` by ${user}` : ''}: ${formatNames(changes)}`,
      ...changes.flatMap(formatSides),
    ]);
  return [...texts, ...older].join('\n');
}
