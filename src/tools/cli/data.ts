import { findFile } from '#engine/persistence/file-names.js';
import { type CliIo, fail } from './command.js';
import { ask, quoteName } from './io.js';

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
