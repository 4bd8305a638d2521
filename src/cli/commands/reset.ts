import { isEmpty } from '../control-client.js';
import { remoteCommand } from '../remote-command.js';

export const command = remoteCommand({
  examples: [
    ['$0', 'restore the state after the start'],
    ['$0 --sandbox checkout', 'reset one sandbox'],
  ],
  async run(_input, connect) {
    const client = await connect();
    const { text } = await client.request('POST', '/reset', isEmpty);
    return { text, words: `Reset ${client.url} to its seed data.` };
  },
});
