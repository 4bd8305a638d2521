/** The port of `start`, which takes the next free one up to {@link LAST_PORT} if none is given. */
export const DEFAULT_PORT = 4010;
/** The last port that it tries. */
export const LAST_PORT = 4019;
