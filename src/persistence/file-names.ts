// The files of a data folder.

/** The data. */
export const LOG_FILE = 'log.ndjson';
/** The journals of requests. */
export const JOURNAL_FILE = 'journal.ndjson';
/** The process that uses the folder. Its time is that of the last sign of life. */
export const LOCK_FILE = 'lock';

/** Returns the name under which a file is written before it replaces the old one. */
export const newName = (path: string): string => `${path}.new`;
