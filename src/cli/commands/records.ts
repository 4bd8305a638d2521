import { Type } from 'typebox';
import { parseText, readJson } from '../../fixtures/read.js';
import { compile } from '../../lib/validator.js';
import { EmulatorUser } from '../../sandbox/users.js';
import type { CliIo } from '../command.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote-command.js';

// Other versions may add properties to a response.
const isUsers = compile('cli users', Type.Array(Type.Object(EmulatorUser.properties)), 'response');
const isAdded = compile('cli added', Type.Union([Type.Object({}), Type.Array(Type.Object({}))]), 'response');

/** The kinds of records, and the collection of each. */
const COLLECTIONS = { user: 'users', val: 'vals', run: 'runs', like: 'likes', comment: 'comments' } as const;
type Kind = keyof typeof COLLECTIONS;
const KINDS: readonly Kind[] = ['user', 'val', 'run', 'like', 'comment'];

export const users = remoteCommand('users', 'Print the users of a running emulator with their tokens', {
  examples: {
    $0: 'curl -H "Authorization: Bearer <token>" authenticates as one of them',
    '$0 --json | jq -r .[0].token': 'the token of the first user, in a script',
  },
  async run(_input, client, io) {
    const value = await client.request('GET', '/users', isUsers);
    const rows = value.map(({ username, id, token }) => ({ username: username ?? '-', id, token }));
    return { value, words: formatTable(io, rows, 'No users.') };
  },
});

export const add = remoteCommand('add <kind> <records>', 'Add records to a running emulator', {
  args: {
    kind: { type: 'string', demandOption: true, choices: KINDS, describe: 'Kind of the records' },
    records: {
      type: 'string',
      demandOption: true,
      describe: 'A record in fixture format or a list: as JSON, as a JSON file, or - for stdin',
    },
  },
  examples: {
    '$0 user \'{"username":"eve"}\'': 'prints the user with all defaults; the token is eve-token',
    '$0 run \'{"val":"ada/hello","runStartAt":"-10m","error":"boom"}\'': 'a failed run, ten minutes ago',
    '$0 val ./vals.json': 'a list of vals; an error in one adds none',
    '$0 comment - < comments.json': 'read from stdin',
  },
  async run({ kind, records }, client, io) {
    const body = await readRecords(records, io);
    const value = await client.request('POST', `/${COLLECTIONS[kind]}`, isAdded, body);
    return { value, words: JSON.stringify(value, null, 2) };
  },
});

/** @param records JSON, a file, or `-` for stdin */
async function readRecords(records: string, io: CliIo): Promise<unknown> {
  if (records === '-') return parseText(await io.readInput(), 'stdin');
  return /^\s*[[{]/.test(records) ? parseText(records, 'JSON') : readJson(records, records);
}
