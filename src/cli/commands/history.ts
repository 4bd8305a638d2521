import { type Static, Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { HistoryEntry } from '../../sandbox/history.js';
import { fail } from '../command.js';
import { formatTable } from '../io.js';
import { encodePathSegment, isEmpty, remoteCommand } from '../remote-command.js';

// Other versions may add properties to a response.
const isHistory = compile('cli history', Type.Array(Type.Object(HistoryEntry.properties)), 'response');

const Row = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]);
const Change = Type.Object({ collection: Type.String(), id: Type.String(), before: Row, after: Row });
type Change = Static<typeof Change>;
const CommitWithChanges = Type.Object({
  id: Type.String(),
  request: Type.String(),
  time: Type.String(),
  total: Type.Integer(),
  changes: Type.Array(Change),
});
const isCommit = compile('cli commit', CommitWithChanges, 'response');

export const history = remoteCommand('history [id]', 'Print the last commits of a running emulator', {
  args: { id: { type: 'string', describe: 'Print what this commit changed, as a diff (default: list all)' } },
  examples: {
    $0: 'the last 100, newest last',
    '$0 --json': 'with the ids of all changed records',
    '$0 r17': 'the fields that commit r17 changed',
  },
  async run({ id: only }, client, io) {
    if (only !== undefined) {
      const value = await client.request('GET', `/history/${encodePathSegment(only)}`, isCommit);
      const { id, request, time, changes, total } = value;
      const more = total > changes.length ? [`and ${total - changes.length} more records`] : [];
      return { value, words: [`${id} ${request} ${time}`, ...changes.flatMap(formatChange), ...more].join('\n') };
    }
    const value = await client.request('GET', '/history', isHistory);
    const rows = value.map(({ id, time, request, changes }) => ({
      id,
      time,
      request,
      changes: formatChanges(changes),
    }));
    return { value, words: formatTable(io, rows, 'No commits.') };
  },
});

export const rewind = remoteCommand('rewind <to>', 'Take back commits of a running emulator', {
  args: {
    to: { type: 'string', demandOption: true, describe: 'Number of commits, or id of the first commit to take back' },
  },
  examples: { '$0 1': 'take back the last commit', '$0 r17': 'take back commit r17 and all later ones' },
  async run({ to }, client) {
    const isCount = /^\d+$/.test(to);
    if (isCount && Number(to) === 0)
      fail('<to>: found "0"; expected a number of commits from 1, or an id such as r17.');
    await client.request('POST', '/rewind', isEmpty, isCount ? { steps: Number(to) } : { before: to });
    const taken = !isCount ? `${to} and all later commits` : Number(to) === 1 ? 'the last commit' : `${to} commits`;
    return { words: `Took back ${taken} at ${client.url}.` };
  },
});

/** Formats a change as a diff with a line for each field. */
function formatChange({ collection, id, before, after }: Change): string[] {
  const sign = before === null ? '+' : after === null ? '-' : '~';
  const fields = Object.keys({ ...before, ...after }).filter((field) => field !== 'id');
  const lines = fields.flatMap((field) => {
    const old = formatField('-', field, before);
    const now = formatField('+', field, after);
    return old?.slice(1) === now?.slice(1) ? [] : [old, now].filter((line) => line !== undefined);
  });
  return [`${sign} ${collection} ${id}`, ...lines.map((line) => `  ${line}`)];
}

const formatField = (sign: string, field: string, row: Change['before']): string | undefined =>
  row?.[field] === undefined ? undefined : `${sign} ${field}: ${JSON.stringify(row[field])}`;

/** Formats the numbers of changed records: `vals +1, versions +1 ~2`. */
const formatChanges = (changes: HistoryEntry['changes']): string =>
  Object.entries(changes)
    .map(([collection, { added, changed, removed }]) => {
      const counts = { '+': added.length, '~': changed.length, '-': removed.length };
      const parts = Object.entries(counts).map(([sign, count]) => (count === 0 ? '' : `${sign}${count}`));
      return [collection, ...parts.filter(Boolean)].join(' ');
    })
    .join(', ');
