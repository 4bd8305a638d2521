// Apart from the definitions: commands that read a fixture load it without them.

/** The keys that lead to a value of a record. {@link EACH} stands for each key or index. */
export type FilePath = readonly string[];
export const EACH = '*';
