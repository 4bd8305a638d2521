import { didYouMean, formatValue, joinAlternatives } from '#engine/lib/messages.js';
import { parseText, readJson } from '#engine/seed/read.js';
import { type CliIo, fail } from '../command.js';
import { remoteCommand } from '../remote.js';

/** The kinds of records, and the operation that adds each. */
const ADDERS = {
  user: 'addUser',
  val: 'addVal',
  run: 'addRun',
  like: 'addLike',
  comment: 'addComment',
  email: 'addEmail',
  blob: 'addBlob',
  sqlite: 'addSqlite',
} as const;
type Kind = keyof typeof ADDERS;
const KINDS: readonly Kind[] = ['user', 'val', 'run', 'like', 'comment', 'email', 'blob', 'sqlite'];

export const add = remoteCommand({
  args: {
    kind: {
      type: 'string',
      demandOption: true,
      coerce: parseKind,
      describe: `Kind of the records: ${KINDS.join(', ')}`,
    },
    records: {
      type: 'string',
      demandOption: true,
      describe: 'A record or a list in fixture format: JSON, a JSON file, or - for stdin',
    },
  },
  examples: {
    '$0 user \'{"username":"eve"}\'': 'prints the user with all defaults; the token is eve-token',
    '$0 run \'{"val":"ada/hello","runStartAt":"-10m","error":"boom"}\'': 'a failed run, ten minutes ago',
    '$0 val ./vals.json': 'a list of vals; an error in one adds none',
    '$0 comment - < comments.json': 'read from stdin',
  },
  async run({ kind, records }, { control, io }) {
    const value = await control[ADDERS[kind]](await readRecords(records, io));
    return { value, text: JSON.stringify(value, null, 2) };
  },
});

/** Parses a kind of records in either number: `val`, `vals`. */
function parseKind(text: string): Kind {
  const kind = text.replace(/s$/, '');
  const expected = `expected ${joinAlternatives(KINDS)}.${didYouMean(kind, KINDS)}`;
  return KINDS.find((each) => each === kind) ?? fail(`<kind>: found ${formatValue(text)}; ${expected}`);
}

/** @param records JSON, a file, or `-` for stdin */
async function readRecords(records: string, io: CliIo): Promise<object> {
  const isJson = /^\s*[[{]/.test(records);
  const value =
    records === '-'
      ? parseText(await io.readInput(), 'stdin')
      : isJson
        ? parseText(records, 'JSON')
        : readJson(records, records);
  if (typeof value === 'object' && value !== null) return value;
  return fail(`<records>: found ${formatValue(value)}; expected a record, or a list of records.`);
}
