import type { Emulator } from '../emulator.js';
import { countRecords, describeCounts } from '../fixtures/export.js';
import { formatCount } from '../lib/text.js';
import { findFile } from '../storage/file-names.js';
import { type CliIo, fail, switchFlag } from './command.js';
import { ask, quoteName } from './io.js';

/** The flag by which {@link confirmReseed} does not ask. */
export const yesFlag = { ...switchFlag('Do not ask before --reseed'), alias: 'y' } as const;

interface DataInput {
  readonly data?: string | undefined;
  readonly reseed?: boolean | undefined;
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
