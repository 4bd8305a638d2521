import type { Beginning } from './data-storage.js';
import { toExchanges } from './journal/session.js';
import type { ParsedOptions } from './options.js';
import { Seed } from './sandbox/seed.js';
import { readSession, rewindSession } from './storage/session.js';

/**
 * Reads what the default sandbox of an emulator begins with.
 * @throws DataError for a file that is no session, or is damaged
 * @throws OptionsError for an unknown commit
 */
export function openSession({ session = '', sessionAt }: Pick<ParsedOptions, 'session' | 'sessionAt'>): Beginning {
  const stored = readSession(session);
  const { seed, contents, requests } = sessionAt === undefined ? stored : rewindSession(stored, sessionAt);
  return { name: '', seed: Seed.withFixedTimes(seed), contents, exchanges: toExchanges(requests, '') };
}
