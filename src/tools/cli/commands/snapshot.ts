import { commitFlag } from '../criteria.js';
import { formatReplacement } from '../format-replacement.js';
import { formatTable, quoteName } from '../io.js';
import { remoteCommand } from '../remote.js';

const nameArgument = { name: { type: 'string', demandOption: true, describe: 'Name of the snapshot' } } as const;

export const save = remoteCommand({
  args: { name: { type: 'string', describe: 'Name; replaces a snapshot of that name (default: a new name)' } },
  flags: { at: commitFlag },
  examples: {
    '$0 before-checkout': 'val-emulator snapshot restore before-checkout returns to it',
    '$0 after-signup --at r17': 'the state after commit r17',
  },
  async run({ name, at }, { control, url }) {
    const value = await control.takeSnapshot({ name, at });
    return { value, text: `Took snapshot ${quoteName(value.name)} of ${url}.` };
  },
});

export const restore = remoteCommand({
  args: nameArgument,
  examples: { '$0 before-checkout': 'return to the state of that snapshot, which is kept' },
  async run({ name }, { control, url }) {
    const replaced = await control.restoreSnapshot({ name });
    const text = `Restored snapshot ${quoteName(name)} of ${url}.\n${formatReplacement(replaced)}`;
    return { value: { ok: true, ...replaced }, text };
  },
});

export const list = remoteCommand({
  examples: { $0: 'in the order in which they were taken' },
  async run(_, { control, io }) {
    const value = await control.listSnapshots();
    const rows = value.map(({ name, time }) => ({ name: quoteName(name), time }));
    return { value, text: formatTable(io, rows, 'No snapshots.') };
  },
});

export const drop = remoteCommand({
  args: nameArgument,
  examples: { '$0 before-checkout': 'drop one' },
  async run({ name }, { control, url }) {
    await control.dropSnapshot({ name });
    return { text: `Dropped snapshot ${quoteName(name)} of ${url}.` };
  },
});
