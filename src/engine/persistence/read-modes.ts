/** What a read of a shared store shows: all that was committed before, or what the node has seen. */
export const READS = ['linearizable', 'local'] as const;
