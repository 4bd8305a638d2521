import { COLLECTION_NAMES, type CollectionName } from '../fixtures/schema.js';
import type { GeneratedDataset } from './generate.js';

/** Minimum number of characters per chunk of many records. */
const CHUNK_SIZE = 64 * 1024;

type Collections = Pick<GeneratedDataset, CollectionName>;

/** Writes the dataset as one fixture file, one record per line, in chunks. */
export function* writeFixture(dataset: Collections): Generator<string> {
  for (const [index, name] of COLLECTION_NAMES.entries()) {
    yield* writeRecords(dataset[name], `${index === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `, '  ', '');
  }
  yield '\n}\n';
}

/** Writes the dataset as a fixture folder, one file per collection. */
export const writeFixtureFolder = (dataset: Collections) =>
  COLLECTION_NAMES.map((name) => ({ path: `${name}.json`, chunks: writeRecords(dataset[name], '', '', '\n') }));

function* writeRecords(records: Iterable<object>, before: string, indent: string, after: string): Generator<string> {
  let chunk = `${before}[`;
  let separator = '';
  for (const record of records) {
    chunk += `${separator}\n${indent}  ${JSON.stringify(record)}`;
    separator = ',';
    if (chunk.length < CHUNK_SIZE) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}${separator === '' ? '' : `\n${indent}`}]${after}`;
}
