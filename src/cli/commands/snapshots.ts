import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { SnapshotRecord } from '../../sandbox/history.js';
import { fail, flag } from '../command.js';
import { formatTable, quoteName } from '../io.js';
import { encodePathSegment, isEmpty, remoteCommand } from '../remote-command.js';

// Other versions may add properties to a response.
const Snapshot = Type.Object(SnapshotRecord.properties);
const isSnapshot = compile('cli snapshot', Snapshot, 'response');
const isSnapshots = compile('cli snapshots', Type.Array(Snapshot), 'response');

export const snapshot = remoteCommand('snapshot [name]', 'Take a snapshot of a running emulator', {
  args: { name: { type: 'string', describe: 'Name; replaces a snapshot of that name (default: a new name)' } },
  flags: {
    list: { type: 'boolean', default: false, describe: 'List the snapshots' },
    drop: flag('Drop the snapshot of this name'),
    at: flag('Of the state after this commit, or `start` (default: the current state)'),
  },
  examples: {
    '$0 before-checkout': 'val-emulator restore before-checkout returns to it',
    '$0 after-signup --at r17': 'the state after commit r17',
    '$0 --list': 'list the snapshots',
    '$0 --drop before-checkout': 'drop one',
  },
  async run({ name, list, drop, at }, client, io) {
    const given = [name !== undefined && 'a name', list && '--list', drop !== undefined && '--drop'].filter(Boolean);
    if (given.length > 1) fail(`Use either ${given[0]} or ${given[1]}, not both.`);
    const other = list ? '--list' : '--drop';
    if (at !== undefined && (list || drop !== undefined)) fail(`Use either --at or ${other}, not both.`);
    if (drop !== undefined) {
      await client.request('DELETE', `/snapshots/${encodePathSegment(drop)}`, isEmpty);
      return { words: `Dropped snapshot ${quoteName(drop)} of ${client.url}.` };
    }
    if (list) {
      const value = await client.request('GET', '/snapshots', isSnapshots);
      const rows = value.map((taken) => ({ name: quoteName(taken.name), time: taken.time }));
      return { value, words: formatTable(io, rows, 'No snapshots.') };
    }
    const value = await client.request('POST', '/snapshots', isSnapshot, { name, at });
    return { value, words: `Took snapshot ${quoteName(value.name)} of ${client.url}.` };
  },
});

export const restore = remoteCommand('restore <name>', 'Restore a snapshot in a running emulator', {
  args: { name: { type: 'string', demandOption: true, describe: 'Snapshot name (the snapshot is kept)' } },
  examples: { '$0 before-checkout': 'return to the state of that snapshot' },
  async run({ name }, client) {
    await client.request('POST', `/snapshots/${encodePathSegment(name)}/restore`, isEmpty);
    return { words: `Restored snapshot ${quoteName(name)} of ${client.url}.` };
  },
});
