import { fail, flagOf } from './command.js';
import { findChanged } from './emulator-flags.js';
import { checkServer, connect, parseUrl } from './remote.js';

/** Options of a new emulator that say something of a running one, too: which folders are projects. */
const NEUTRAL = ['projects', 'port'];

/**
 * Finds a running emulator, or a sandbox of it, for a program.
 * @param url of it
 * @param options of a new emulator, which must have their defaults
 * @throws CliError for a wrong URL, for another option, and if no emulator responds
 */
export async function attach(
  url: string,
  options: Readonly<Record<string, unknown>>,
): Promise<{ readonly url: string; readonly token: string }> {
  const { base, sandbox } = parseUrl(url);
  const changed = findChanged(options, NEUTRAL);
  if (changed)
    fail(`--url: cannot be used with --${flagOf(changed)}: the emulator at ${base} has its options already.`);
  const control = connect(base, { token: undefined, timeout: 10_000, sandbox });
  await checkServer(control, base);
  const [user] = await control.listUsers();
  return { url: base + (sandbox === undefined ? '' : `/_sandbox/${sandbox}`), token: user?.token ?? '' };
}
