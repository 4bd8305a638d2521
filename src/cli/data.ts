import type { Emulator } from '../emulator.js';
import { countRecords, describeCounts } from '../fixtures/export.js';
import { formatCount } from '../lib/text.js';
import { findFile } from '../storage/file-names.js';
import { READS } from '../storage/read-modes.js';
import { SYNC_MODES } from '../storage/sync-modes.js';
import { ADVANCED, type CliIo, type Flags, fail, flag } from './command.js';
import { ask, quoteName } from './io.js';

/** The flags of a data folder and of a session. Only `start` has them: tests keep nothing. */
export const dataFlags = {
  data: flag('Folder that keeps the data when the emulator ends (default: none)'),
  'data-sync': {
    ...ADVANCED,
    ...flag('Write to disk before the response (full) or within 100 ms after it (lazy)'),
    choices: SYNC_MODES,
    default: 'full',
  },
  'keep-journal': { ...ADVANCED, type: 'boolean', default: false, describe: 'Keep the journal of requests, too' },
  reseed: { type: 'boolean', default: false, describe: 'Replace what the data folder has by the seed data' },
  yes: { alias: 'y', type: 'boolean', default: false, describe: 'Do not ask before --reseed' },
  store: { ...ADVANCED, ...flag('Store to share with other emulators: redis://host:6379/0 (default: none)') },
  'store-prefix': { ...ADVANCED, ...flag('Name of a group of emulators that share data'), default: 'val-emulator' },
  reads: {
    ...ADVANCED,
    ...flag('Reads of a shared store show all commits (linearizable) or those seen (local)'),
    choices: READS,
    default: 'linearizable',
  },
  session: flag('Open a session file in memory (val-emulator record writes one)'),
  at: flag('Open the session as it was after this commit: r17, start (default: its end)'),
} as const satisfies Flags;

interface DataInput {
  readonly data: string | undefined;
  readonly reseed: boolean;
  readonly yes: boolean;
}

/**
 * Asks before the data of a folder are replaced.
 * @throws CliError without a confirmation, or without a folder
 */
export async function confirmReseed(io: CliIo, { data, reseed, yes }: DataInput): Promise<void> {
  if (!reseed) return;
  if (data === undefined) fail('--reseed: no data to replace. Use it with --data.');
  if (yes || !findFile(data, 'log')) return;
  const loss = `replaces all data in ${quoteName(data)} by the seed data, snapshots and other sandboxes included`;
  if (!io.isInteractive) fail(`--reseed ${loss}. Add --yes to confirm.`);
  if (!(await ask(io, `--reseed ${loss}.`))) fail('--reseed: Cancelled. Nothing changed.');
}

/**
 * Says where the data are, and what there is: one line, or more if something needs attention.
 * @param session path of the session that was opened
 */
export function describeData(emulator: Emulator, session?: string): string[] {
  const { data } = emulator;
  if (!data && session !== undefined) {
    const { journal, store } = emulator;
    const counts = [formatCount(journal.length, 'request'), formatCount(store.history.length, 'commit')];
    return [`Data: in memory (session ${quoteName(session)}, ${counts.join(', ')})`];
  }
  if (!data) return ['Data: in memory'];
  const { path, isOpened, seed, hasOtherSeed, torn } = data;
  const counts = describeCounts(countRecords(emulator.store.state));
  const date = new Date(seed.loadedAt).toISOString().slice(0, 10);
  const origin = `seed ${JSON.stringify(seed.name)} of ${date}`;
  const lines = [`Data: ${quoteName(path)} (${isOpened ? 'opened' : 'new'}, ${counts}; ${origin})`];
  if (hasOtherSeed) {
    lines.push(`Ignoring the fixtures: ${quoteName(path)} already contains data. Use --reseed to replace it.`);
  }
  if (torn > 0) lines.push(`Dropped the incomplete last write (${torn} bytes): its requests had no response.`);
  return lines;
}
