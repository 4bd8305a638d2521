import { hash } from 'node:crypto';

/**
 * A name-based UUID (RFC 9562, version 5): the same text gives the same id on every machine, and different texts give
 * different ones.
 */
export function uuidFor(text: string): string {
  const hex = hash('sha1', `val-emulator:${text}`);
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) & 3];
  const version = `5${hex.slice(13, 16)}`;
  // Joined, not a template: that would keep all its parts until somebody looks at it, and there may be millions.
  return [hex.slice(0, 8), hex.slice(8, 12), version, variant + hex.slice(17, 20), hex.slice(20, 32)].join('-');
}

/** An even number from 0 (inclusive) to 1 (exclusive), the same for the same text. */
export const chanceFor = (text: string): number => Number.parseInt(hash('sha1', text).slice(0, 12), 16) / 2 ** 48;
