import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { fail } from '../errors.js';
import { quoteName } from '../io.js';
import { remoteCommand } from '../remote-command.js';
import { formatTable } from '../table.js';

const Snapshot = Type.Object({ name: Type.String(), time: Type.String() });
const isSnapshot = compile('cli snapshot', Snapshot, 'strict');
const isSnapshots = compile('cli snapshots', Type.Array(Snapshot), 'strict');

export const command = remoteCommand({
  args: { name: { type: 'string', describe: 'Name; replaces a snapshot of that name (default: a new name)' } },
  flags: { list: { type: 'boolean', default: false, describe: 'List the snapshots' } },
  examples: [
    ['$0 before-checkout', 'val-emulator restore before-checkout returns to it'],
    ['$0 --list', 'list the snapshots'],
  ],
  async run({ name, list }, connect, io) {
    if (list && name !== undefined) fail('Use either a name or --list, not both.');
    const client = await connect();
    if (list) {
      const { value, text } = await client.request('GET', '/snapshots', isSnapshots);
      const rows = value.map((snapshot) => ({ name: quoteName(snapshot.name), time: snapshot.time }));
      return { text, words: rows.length === 0 ? 'No snapshots.' : formatTable(io, rows) };
    }
    const { value, text } = await client.request('POST', '/snapshots', isSnapshot, { body: { name } });
    return { text, words: `Took snapshot ${quoteName(value.name)} of ${client.url}.` };
  },
});
