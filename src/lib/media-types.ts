/** The media type of text that has one record per line. */
export const NDJSON = 'application/x-ndjson';
