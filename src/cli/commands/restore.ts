import { encodePathSegment, isEmpty } from '../control-client.js';
import { quoteName } from '../io.js';
import { remoteCommand } from '../remote-command.js';

export const command = remoteCommand({
  args: { name: { type: 'string', demandOption: true, describe: 'Snapshot name (the snapshot is kept)' } },
  examples: [['$0 before-checkout', 'return to the state of that snapshot']],
  async run({ name }, connect) {
    const path = `/snapshots/${encodePathSegment(name)}/restore`;
    const client = await connect();
    const { text } = await client.request('POST', path, isEmpty);
    return { text, words: `Restored snapshot ${quoteName(name)} of ${client.url}.` };
  },
});
