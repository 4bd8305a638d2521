/** The file of a data folder that has its data. */
export const LOG_FILE = 'log.ndjson';
