import { failValue, flag } from '../command.js';
import { commitFlag } from '../criteria.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote.js';

/** An empty prefix, which may come from a variable without a value, would match all sandboxes. */
const parsePrefix = (text: string): string => text || failValue('prefix', text, 'the start of a name such as job7-');

export const sandboxes = remoteCommand({
  allSandboxes: true,
  flags: {
    open: {
      type: 'string',
      describe: 'Open the sandbox of this name (default: a new name)',
      conflicts: ['close', 'clear', 'prefix'],
    },
    keep: { type: 'boolean', describe: 'Keep the opened sandbox in the data folder', implies: 'open' },
    owner: { ...flag('Owner of the opened sandbox, such as a CI job (default: none)'), implies: 'open' },
    close: { ...flag('Close the sandbox of this name with all its data'), conflicts: ['clear', 'prefix'] },
    clear: { type: 'boolean', describe: 'Close all sandboxes, or the ones with --prefix' },
    prefix: { ...flag('Only sandboxes whose name begins with this'), coerce: parsePrefix },
  },
  examples: {
    $0: 'list the sandboxes with their last use',
    '$0 --open checkout': 'open one, also if it was closed',
    '$0 --open demo --keep': 'open one that the data folder of the emulator keeps',
    '$0 --open checkout --owner job-17': 'open one for an owner',
    '$0 --clear --prefix job7-': 'close the sandboxes of one job',
  },
  async run({ open, keep, owner, close, clear, prefix = '' }, { control, url, io }) {
    if (open !== undefined) {
      const value = await control.openSandbox({ name: open || undefined, keep: keep || undefined, owner });
      return { value, text: `Opened sandbox ${value.name}: ${value.url}` };
    }
    if (close !== undefined) {
      await control.closeSandbox({ name: close });
      return { text: `Closed sandbox ${close} of ${url}.` };
    }
    if (clear) {
      const value = await control.closeSandboxes({ prefix });
      return { value, text: `Closed ${value.closed} sandbox${value.closed === 1 ? '' : 'es'} of ${url}.` };
    }
    const value = (await control.listSandboxes()).filter(({ name }) => name.startsWith(prefix));
    const rows = value.map(({ name, owner, createdAt, lastUse, expiresAt, requests, journalSize, kept, url }) => ({
      ...{ name, owner, created: createdAt, 'last use': lastUse, expires: expiresAt ?? 'never' },
      ...{ requests, journal: journalSize, kept, url },
    }));
    return { value, text: formatTable(io, rows, 'No sandboxes.') };
  },
});

export const fork = remoteCommand({
  args: { name: { type: 'string', describe: 'Name of the new sandbox (default: a new name)' } },
  flags: {
    at: commitFlag,
    owner: flag('Owner of the new sandbox, such as a CI job (default: none)'),
  },
  examples: {
    '$0 copy': 'with the records, ids, clock, faults and rate limits of the default sandbox',
    '$0 before-the-bug --at r17': 'as they were after commit r17 of the history',
  },
  async run({ name, at, owner }, { control }) {
    const value = await control.forkSandbox({ name, at, owner });
    return { value, text: `Forked sandbox ${value.name}: ${value.url}` };
  },
});
