import { type Static, Type } from 'typebox';
import type { Metric } from '../lib/metrics.js';
import { Timestamp } from '../schema/common.js';
import { record } from '../schema/schema.js';
import { compile } from '../schema/validator.js';

/** What the other nodes of a shared store read about a node. */
const NODE = {
  id: Type.String(),
  host: Type.String({ description: 'Name of its machine' }),
  pid: Type.Integer(),
  version: Type.String({ description: 'Version of val-emulator' }),
  startedAt: Timestamp,
  lastSeen: Timestamp,
  last: Type.String({ description: 'Id of the last entry of the store that it had read when it was last seen' }),
};

export const NodeStatus = record('NodeStatus', {
  ...NODE,
  count: Type.Integer({ description: 'Entries that it had read' }),
});
export interface NodeStatus extends Static<typeof NodeStatus> {}
export const isNodeStatus = compile(NodeStatus, 'strict');

const clusterStatus = record('Cluster', {
  node: Type.String({ description: 'Id of the node that responds' }),
  store: Type.String({ description: 'Address of the store, without its password' }),
  entries: Type.Integer({ description: 'Entries since the store began' }),
  nodes: Type.Array(
    record('ClusterNode', {
      ...NODE,
      lag: Type.Integer({ description: 'Entries that it had not read when it was last seen, a second ago or less' }),
    }),
  ),
});
export interface ClusterStatus extends Static<typeof clusterStatus> {}
export const ClusterStatus = Type.Unsafe<ClusterStatus>(clusterStatus);

/** The emulators that share a storage. */
export interface Nodes {
  /** @throws ApiError 503 when the storage cannot be reached */
  list(): Promise<ClusterStatus>;
  metrics(): Iterable<Metric>;
}
