import type { ControlOutput } from '../../client/control-client.js';
import { fail } from '../command.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote.js';

type Change = ControlOutput<'getCommit'>['changes'][number];
type Changes = ControlOutput<'listHistory'>[number]['changes'];

export const history = remoteCommand({
  args: { id: { type: 'string', describe: 'Print what this commit changed, as a diff (default: list all)' } },
  examples: {
    $0: 'the last 100, newest last',
    '$0 --json': 'with the ids of all changed records',
    '$0 r17': 'the fields that commit r17 changed',
  },
  async run({ id: only }, { control, io }) {
    if (only !== undefined) {
      const value = await control.getCommit({ id: only });
      const { id, request, time, changes, total } = value;
      const more = total > changes.length ? [`and ${total - changes.length} more records`] : [];
      return { value, text: [`${id} ${request} ${time}`, ...changes.flatMap(formatChange), ...more].join('\n') };
    }
    const value = await control.listHistory();
    const rows = value.map(({ id, time, request, changes }) => ({
      id,
      time,
      request,
      changes: formatChanges(changes),
    }));
    return { value, text: formatTable(io, rows, 'No commits.') };
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
    await control.rewind(isCount ? { steps: Number(to) } : { before: to });
    const taken = !isCount ? `${to} and all later commits` : Number(to) === 1 ? 'the last commit' : `${to} commits`;
    return { text: `Took back ${taken} at ${url}.` };
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

const formatField = (sign: string, field: string, row: Readonly<Record<string, unknown>> | null): string | undefined =>
  row?.[field] === undefined ? undefined : `${sign} ${field}: ${JSON.stringify(row[field])}`;

/** Formats the numbers of changed records: `vals +1, versions +1 ~2`. */
const formatChanges = (changes: Changes): string =>
  Object.entries(changes)
    .map(([collection, { added, changed, removed }]) => {
      const counts = { '+': added.length, '~': changed.length, '-': removed.length };
      const parts = Object.entries(counts).map(([sign, count]) => (count === 0 ? '' : `${sign}${count}`));
      return [collection, ...parts.filter(Boolean)].join(' ');
    })
    .join(', ');
