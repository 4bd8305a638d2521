import { compile } from '../../lib/validator.js';
import { ClusterStatus } from '../../storage/nodes.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote-command.js';

// Other versions may add properties to a response.
const isCluster = compile('cli cluster', ClusterStatus, 'response');

export const cluster = remoteCommand('cluster', 'List the emulators that share a store', {
  actsOnAll: true,
  examples: { '$0 --url http://127.0.0.1:4010': 'with the time when each was last seen, and its lag' },
  async run(_, client, io) {
    const value = await client.request('GET', '/cluster', isCluster);
    const rows = value.nodes.map(({ id, host, pid, version, startedAt, lastSeen, lag }) => ({
      ...{ node: id, host, pid: String(pid), version },
      ...{ started: startedAt, 'last seen': lastSeen, lag: String(lag) },
    }));
    return {
      value,
      words: `${value.store}: ${value.entries} ${value.entries === 1 ? 'entry' : 'entries'}\n${formatTable(io, rows, 'No nodes.')}`,
    };
  },
});
