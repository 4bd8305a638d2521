import { didYouMean, formatValue, joinAlternatives } from '#engine/lib/messages.js';
import { parseText, readJson } from '#engine/seed/read-json.js';
import { type CliIo, fail } from '../command.js';
import { remoteCommand } from '../remote.js';

export const add = remoteCommand({
  args: {
    kind: {
      type: 'string',
      demandOption: true,
      describe: 'Kind of the records: user, val, run, like or another one',
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
  async run({ kind, records }, { control, send, io }) {
    const input = await readRecords(records, io);
    const collection = findCollection(kind, await control.listCollections());
    const value = await send(`POST /_emulator/${collection}`, input);
    return { value, text: JSON.stringify(value, null, 2) };
  },
});

/** Finds the collection of a kind of records, in either number: `val`, `vals`. */
function findCollection(
  kind: string,
  collections: readonly { readonly name: string; readonly adder?: string | undefined }[],
): string {
  const added = collections.flatMap(({ name, adder }) => (adder === undefined ? [] : [{ name, adder }]));
  const found = added.find(({ name, adder }) => [name, adder, `${adder}s`].includes(kind));
  const kinds = added.map(({ adder }) => adder);
  const expected = `expected ${joinAlternatives(kinds)}.${didYouMean(kind, kinds)}`;
  return found?.name ?? fail(`<kind>: found ${formatValue(kind)}; ${expected}`);
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
