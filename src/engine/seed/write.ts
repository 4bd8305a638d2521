import { readChunks, type Steps, settle, type TextSteps } from '../lib/steps.js';

/** An absent collection is not written. */
type Collections<R> = Readonly<Record<string, Iterable<R> | undefined>>;

/** Minimum number of characters per chunk of many records. */
const CHUNK_SIZE = 64 * 1024;

/**
 * Writes collections as one fixture file, one record per line, in chunks.
 * @param schema address of the schema, for editors. Default: none
 */
export const writeFixture = (collections: Collections<object>, schema?: string): Generator<string, void> =>
  readChunks(writeInSteps(collections, schema, Object.keys(collections)));

/** Writes collections as {@link writeFixture} does. Records may be steps that make them. */
export function* writeInSteps(
  collections: Collections<object | Steps<object>>,
  schema: string | undefined,
  names: readonly string[],
): TextSteps {
  const start = schema === undefined ? '{' : `{\n  "$schema": ${JSON.stringify(schema)},`;
  let before = start;
  const all = new Map(Object.entries<Iterable<object | Steps<object>> | undefined>(collections));
  for (const name of names) {
    const records = all.get(name);
    if (!records) continue;
    yield* writeRecords(records, `${before}\n  ${JSON.stringify(name)}: `, '  ', '');
    before = ',';
  }
  yield '\n}\n';
}

/** Writes collections as a fixture folder, one file per collection. */
export const writeFixtureFolder = (collections: Collections<object>) =>
  Object.entries<Iterable<object> | undefined>(collections).flatMap(([name, records]) => {
    return records ? [{ path: `${name}.json`, chunks: readChunks(writeRecords(records, '', '', '\n')) }] : [];
  });

function* writeRecords(
  records: Iterable<object | Steps<object>>,
  before: string,
  indent: string,
  after: string,
): TextSteps {
  let chunk = `${before}[`;
  let separator = '';
  for (const row of records) {
    const record = yield* settle(row);
    chunk += `${separator}\n${indent}  `;
    separator = ',';
    for (const part of writeRecord(record)) {
      chunk += part;
      if (chunk.length < CHUNK_SIZE) continue;
      yield chunk;
      chunk = '';
    }
  }
  yield `${chunk}${separator === '' ? '' : `\n${indent}`}]${after}`;
}

/** Writes a record as JSON, each line of a database separately: there may be a million. */
function* writeRecord(record: object): Generator<string, void> {
  if (!('sql' in record)) return yield JSON.stringify(record);
  let before = '{';
  for (const [key, value] of Object.entries(record)) {
    yield `${before}${JSON.stringify(key)}:`;
    if (Array.isArray(value)) yield* writeList(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield '}';
}

function* writeList(list: readonly unknown[]): Generator<string, void> {
  let before = '[';
  for (const item of list) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield list.length === 0 ? '[]' : ']';
}
