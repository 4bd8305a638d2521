/** Milliseconds until a test that waits for something fails. No machine is so slow. */
export const PATIENCE = 600_000;
