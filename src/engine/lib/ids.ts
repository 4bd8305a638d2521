import { hash } from 'node:crypto';

/** Matches each id in a text: for `replace` and `matchAll`. */
export const UUID_PATTERN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * Derives an id from a name: the same name gives the same id on every machine. The id has the shape of a version 5 UUID
 * (RFC 9562), but hashes no namespace UUID.
 */
export function deterministicUuid(name: string): string {
  const hex = hash('sha1', `val-emulator:${name}`);
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) & 3];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** Hashes a text to a number from 0 (inclusive) to 1 (exclusive), evenly distributed. */
export const hashToUnitInterval = (text: string): number =>
  Number.parseInt(hash('sha1', text).slice(0, 12), 16) / 2 ** 48;
