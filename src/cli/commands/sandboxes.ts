import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { SandboxRecord } from '../../sandbox/sandbox-record.js';
import { fail, failValue, flag } from '../command.js';
import { formatTable } from '../io.js';
import { encodePathSegment, isEmpty, remoteCommand } from '../remote-command.js';

// Other versions may add properties to a response.
const isSandboxes = compile('cli sandbox uses', Type.Array(Type.Object(SandboxRecord.properties)), 'response');
const isOpened = compile('cli sandbox', Type.Object({ name: Type.String(), url: Type.String() }), 'response');
const isClosed = compile('cli closed', Type.Object({ closed: Type.Integer() }), 'response');

/** An empty prefix, which may come from a variable without a value, would be that of all sandboxes. */
const parsePrefix = (text: string): string => text || failValue('prefix', text, 'the start of a name such as job7-');

export const sandboxes = remoteCommand('sandboxes', 'List, open or close the sandboxes of a running emulator', {
  actsOnAll: true,
  flags: {
    open: { type: 'string', describe: 'Open the sandbox of this name (default: a new name)' },
    title: flag('Open a sandbox with a new name, made from this title of a test'),
    keep: { type: 'boolean', default: false, describe: 'With --open: keep it in the data folder' },
    owner: flag('With --open: who a new sandbox is for, such as a CI job (default: none)'),
    close: flag('Close the sandbox of this name with all its data'),
    clear: { type: 'boolean', default: false, describe: 'Close all sandboxes, or those of --prefix' },
    prefix: { ...flag('Only sandboxes whose name begins with this'), coerce: parsePrefix },
  },
  examples: {
    $0: 'list the sandboxes with their last use',
    '$0 --open checkout': 'open one, also if it was closed',
    '$0 --open demo --keep': 'open one that the data folder of the emulator keeps',
    '$0 --open checkout --owner job-17': 'open one, and say who it is for',
    '$0 --clear --prefix job7-': 'close those of one job',
  },
  async run({ open, title, keep, owner, close, clear, prefix }, client, io) {
    const changes = { open, title, close, clear: clear || undefined };
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (given.length > 1) fail('Use only one of --open, --title, --close and --clear.');
    if (prefix !== undefined && given.length > 0 && !clear)
      fail(`Use either --prefix or --${given[0]?.[0]}, not both.`);
    const isOpening = open !== undefined || title !== undefined;
    if (keep && !isOpening) fail('--keep: use it with --open or --title.');
    if (owner !== undefined && !isOpening) fail('--owner: use it with --open or --title.');
    if (isOpening) {
      const value = await client.request('POST', '/sandboxes', isOpened, {
        name: open || undefined,
        title,
        keep: keep || undefined,
        owner,
      });
      return { value, words: `Opened sandbox ${value.name}: ${value.url}` };
    }
    if (close !== undefined) {
      await client.request('DELETE', `/sandboxes/${encodePathSegment(close)}`, isEmpty);
      return { words: `Closed sandbox ${close} of ${client.url}.` };
    }
    if (clear) {
      const query = prefix === undefined ? '' : `?${new URLSearchParams({ prefix })}`;
      const value = await client.request('DELETE', `/sandboxes${query}`, isClosed);
      return { value, words: `Closed ${value.closed} sandbox${value.closed === 1 ? '' : 'es'} of ${client.url}.` };
    }
    const value = (await client.request('GET', '/sandboxes', isSandboxes)).filter(({ name }) =>
      name.startsWith(prefix ?? ''),
    );
    const rows = value.map(({ name, owner, createdAt, lastUse, expiresAt, requests, journalSize, kept, url }) => ({
      ...{ name, owner: owner ?? '-', created: createdAt, 'last use': lastUse, expires: expiresAt ?? 'never' },
      ...{ requests: String(requests), journal: String(journalSize), kept: kept ? 'yes' : 'no', url },
    }));
    return { value, words: formatTable(io, rows, 'No sandboxes.') };
  },
});

export const fork = remoteCommand('fork [name]', 'Create a sandbox with the state of another one', {
  args: { name: { type: 'string', describe: 'Name of the new sandbox (default: a new name)' } },
  flags: {
    at: flag('With the state after this commit, or `start` (default: the current state)'),
    owner: flag('Who the new sandbox is for, such as a CI job (default: none)'),
  },
  examples: {
    '$0 copy': 'with the records, ids, clock, faults and rate limits of the default sandbox',
    '$0 before-the-bug --at r17': 'as they were after commit r17 of the history',
  },
  async run({ name, at, owner }, client) {
    const value = await client.request('POST', '/fork', isOpened, { name, at, owner });
    return { value, words: `Forked sandbox ${value.name}: ${value.url}` };
  },
});
