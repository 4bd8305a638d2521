import { isTooLong } from '../lib/time.js';

// What a schema does not say of a fault. The dashboard imports it, to check what is typed.

/** Milliseconds. */
export const MAX_DELAY_MS = 600_000;

/** Whether a fault can have a delay between two, in milliseconds. */
export const isDelay = (minimum: number, maximum = minimum): boolean => minimum <= maximum && maximum <= MAX_DELAY_MS;

/** Whether a fault can last for a time, in milliseconds. */
export const isLasting = (time: number): boolean => time > 0 && !isTooLong(time);

/** Whether a fault can have an HTTP status. 205 allows no response body. */
export const isSendable = (status: number): boolean => status !== 205;
