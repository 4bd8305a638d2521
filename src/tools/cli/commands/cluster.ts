import { formatTable } from '../io.js';
import { remoteCommand } from '../remote.js';

export const cluster = remoteCommand({
  allSandboxes: true,
  examples: { '$0 --url http://127.0.0.1:4010': 'with the time when each was last seen, and its lag' },
  async run(_, { control, io }) {
    const value = await control.getCluster();
    const rows = value.nodes.map(({ id: node, host, pid, version, startedAt: started, lastSeen, lag }) => ({
      ...{ node, host, pid, version, started, 'last seen': lastSeen, lag },
    }));
    const entries = `${value.entries} ${value.entries === 1 ? 'entry' : 'entries'}`;
    return { value, text: `${value.store}: ${entries}\n${formatTable(io, rows, 'No nodes.')}` };
  },
});
