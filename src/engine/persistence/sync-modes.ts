/** When a change is on the disk: before its response (`full`), or within 100 ms after it (`lazy`). */
export const SYNC_MODES = ['full', 'lazy'] as const;
export type SyncMode = (typeof SYNC_MODES)[number];
