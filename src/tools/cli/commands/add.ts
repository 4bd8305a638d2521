import { existsSync } from 'node:fs';
import { encodeName } from '#engine/control/send.js';
import { parseText, readJson } from '#engine/fixtures/read-json.js';
import { didYouMean, formatValue, joinAlternatives } from '#engine/lib/messages.js';
import { type CliIo, fail } from '../command.js';
import { quoteName } from '../io.js';
import { remoteCommand } from '../remote.js';

const kindArgument = {
  kind: { type: 'string', demandOption: true, describe: 'Kind of the records: user, val, run, like or another one' },
} as const;

const recordArguments = {
  ...kindArgument,
  id: { type: 'string', demandOption: true, describe: 'Name as fixtures have it, ada/hello, or id' },
} as const;

export const add = remoteCommand({
  args: {
    ...kindArgument,
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
    const input = await readJsonArgument('records', records, io);
    if (input === undefined) fail(`<records>: found ${formatValue(records)}; expected a record, or a list of records.`);
    const collections = await control.listCollections();
    const collection = findCollection(
      kind,
      collections.filter(({ adder }) => adder !== undefined),
    );
    const { [collection]: value } = await control.addRecords({ [collection]: input });
    return { value, text: JSON.stringify(value, null, 2) };
  },
});

export const edit = remoteCommand({
  args: {
    ...recordArguments,
    fields: {
      type: 'string',
      demandOption: true,
      describe: 'Fields that change, in fixture format: JSON, a JSON file, or - for stdin',
    },
  },
  examples: {
    '$0 val ada/hello \'{"privacy":"private"}\'': 'prints the val; rewind 1 takes it back',
    '$0 user ada ./profile.json': 'the fields of a file; an error in one changes nothing',
  },
  async run({ kind, id, fields }, { control, send, io }) {
    const input = await readJsonArgument('fields', fields, io);
    if (input === undefined || Array.isArray(input) || Object.keys(input).length === 0)
      fail(`<fields>: found ${formatValue(fields)}; expected an object with the fields that change.`);
    const collection = findCollection(kind, await control.listCollections());
    // By its own path: a field may have the name of a parameter.
    const value = await send(`PATCH /_emulator/records/${collection}/${encodeName(id)}`, input);
    return { value, text: JSON.stringify(value, null, 2) };
  },
});

const remove = remoteCommand({
  args: recordArguments,
  examples: {
    '$0 val ada/hello': 'with its versions, runs, likes and comments; rewind 1 takes it back',
    '$0 user ada': 'with all that belongs to the user',
  },
  async run({ kind, id }, { control, url }) {
    const collection = findCollection(kind, await control.listCollections());
    await control.deleteRecord({ collection, id });
    return { text: `Deleted ${kind} ${quoteName(id)} of ${url}, and what refers to it.` };
  },
});

export { remove as delete };

/** Finds the collection of a kind of records, in either number: `val`, `vals`. */
function findCollection(
  kind: string,
  collections: readonly { readonly name: string; readonly adder?: string | undefined }[],
): string {
  const named = collections.map(({ name, adder = name }) => ({ name, noun: adder }));
  const found = named.find(({ name, noun }) => [name, noun, `${noun}s`].includes(kind) || name === `${kind}s`);
  const kinds = named.map(({ noun }) => noun);
  const expected = `expected ${joinAlternatives(kinds)}.${didYouMean(kind, kinds)}`;
  return found?.name ?? fail(`<kind>: found ${formatValue(kind)}; ${expected}`);
}

/** Reads an argument: JSON, a file, or `-` for stdin. Undefined for JSON that is no object and no list. @throws CliError for other text */
async function readJsonArgument(name: string, text: string, io: CliIo): Promise<object | undefined> {
  const isJson = /^\s*[[{]/.test(text);
  if (!isJson && text !== '-' && !existsSync(text)) {
    const expected = `expected JSON such as '{"key":"value"}', a JSON file, or - for stdin`;
    fail(`<${name}>: found ${formatValue(text)}, and there is no such file; ${expected}.`);
  }
  const value =
    text === '-' ? parseText(await io.readInput(), 'stdin') : isJson ? parseText(text, 'JSON') : readJson(text, text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
