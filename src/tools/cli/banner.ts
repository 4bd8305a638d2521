import { findExamplePath } from '#engine/api/router.js';
import { countRecords, describeCounts } from '#engine/fixtures/export.js';
import type { FolderSummary } from '#engine/fixtures/folder.js';
import { formatCurl } from '#engine/lib/messages.js';
import { formatCount } from '#engine/lib/text.js';
import type { Service } from '#engine/service.js';
import type { CliIo } from './command.js';
import { colorsFor, quoteName } from './io.js';
import type { AnyEmulator } from './start-service.js';

const MAX_LISTED_USERS = 20;
const MAX_LISTED_NAMES = 5;

interface BannerTexts {
  readonly service: Pick<Service, 'routes'>;
  /** Address of the dashboard, if there is one. */
  readonly dashboard: string | undefined;
  /** Path of the config file in use. */
  readonly config: string | undefined;
  /** Path of the session that was opened. */
  readonly session: string | undefined;
  /** The intercepted hosts. */
  readonly hosts: string | undefined;
  /** How the emulator ends. */
  readonly stop: string;
}

/** Formats what `start` prints on a terminal when it is ready. */
export function formatBanner(
  io: CliIo,
  emulator: AnyEmulator,
  { service, session, dashboard, config, hosts, stop }: BannerTexts,
) {
  const { bold, cyan } = colorsFor(io);
  const { url, users } = emulator;
  const path = findExamplePath(service.routes);
  const listed = users.slice(0, MAX_LISTED_USERS).map(({ username, id, token }) => [username ?? id, token] as const);
  const width = Math.max(...listed.map(([name]) => name.length));
  return [
    ...describeData(emulator, session),
    ...emulator.meta.seed.folders.flatMap(describeSkipped),
    `val-emulator listens on ${bold(url)}`,
    ...(dashboard ? [`Dashboard: ${cyan(dashboard)}`] : []),
    ...(config ? [`Options from ${config}`] : []),
    ...(hosts ? [`Programs reach it as ${hosts} after: eval "$(val-emulator env --intercept --url ${url})"`] : []),
    '',
    users.length > 0 ? 'Users and their tokens:' : 'These fixtures have no users.',
    ...listed.map(([name, token]) => `  ${name.padEnd(width)}  ${cyan(token)}`),
    ...(users.length > listed.length ? [`  and ${users.length - listed.length} more`] : []),
    '',
    ...(users[0] && path ? ['Try it:', `  ${formatCurl(url + path, users[0].token)}`, ''] : []),
    stop,
    '',
  ].join('\n');
}

/** Describes what was skipped of a folder, in one line. None if it was read whole. */
function describeSkipped({ path, count, skipped }: FolderSummary): string[] {
  if (skipped.length === 0) return [];
  const rest = skipped.length - MAX_LISTED_NAMES;
  const names = [...skipped.slice(0, MAX_LISTED_NAMES).map(quoteName), ...(rest > 0 ? [`${rest} more`] : [])];
  return [`Folder ${quoteName(path)}: ${formatCount(count, 'file')}, ${skipped.length} skipped (${names.join(', ')})`];
}

/**
 * Describes the data and where they are: one line, or more if something needs attention.
 * @param session path of the session that was opened
 */
function describeData(emulator: AnyEmulator, session?: string): string[] {
  const { data } = emulator;
  if (!data && session !== undefined) {
    const { journal, store } = emulator;
    const counts = [formatCount(journal.length, 'request'), formatCount(store.history.length, 'commit')];
    return [`Data: in memory (session ${quoteName(session)}, ${counts.join(', ')})`];
  }
  if (!data) return ['Data: in memory'];
  const { path, isOpened, seed, hasOtherSeed, torn } = data;
  const counts = describeCounts(countRecords(emulator.store.state), emulator.store.state.definitions);
  const date = new Date(seed.loadedAt).toISOString().slice(0, 10);
  const origin = `seed ${JSON.stringify(seed.name)} of ${date}`;
  const lines = [`Data: ${quoteName(path)} (${isOpened ? 'opened' : 'new'}, ${counts}; ${origin})`];
  if (hasOtherSeed) {
    lines.push(`Ignoring the fixtures: ${quoteName(path)} already contains data. Use --reseed to replace it.`);
  }
  if (torn > 0) lines.push(`Dropped the incomplete last write (${torn} bytes): its requests had no response.`);
  return lines;
}
