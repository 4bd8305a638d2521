import { COLLECTION_NAMES, type CollectionName } from '../fixtures/schema.js';
import type { GeneratedDataset } from './generate.js';

/** Minimum number of characters per chunk. */
const CHUNK_SIZE = 64 * 1024;

type Collections = Pick<GeneratedDataset, CollectionName>;

/** Writes the dataset as one fixture file, one record per line, in chunks. */
export const writeFixture = (dataset: Collections): Iterable<string> => joinChunks(formatFixture(dataset));

/** A file of a fixture folder. */
export interface FixtureFile {
  readonly path: string;
  readonly chunks: Iterable<string>;
}

/** Writes the dataset as a fixture folder, one file per collection. */
export const writeFixtureFolder = (dataset: Collections): FixtureFile[] =>
  COLLECTION_NAMES.map((name) => ({
    path: `${name}.json`,
    chunks: joinChunks(formatRecords(dataset[name], '', '\n')),
  }));

function* formatFixture(dataset: Collections): Generator<string> {
  for (const [index, name] of COLLECTION_NAMES.entries()) {
    yield `${index === 0 ? '{' : ','}\n  ${JSON.stringify(name)}: `;
    yield* formatRecords(dataset[name], '  ');
  }
  yield '\n}\n';
}

function* formatRecords(records: Iterable<object>, indent: string, end = ''): Generator<string> {
  let isEmpty = true;
  for (const record of records) {
    yield `${isEmpty ? '[' : ','}\n${indent}  ${JSON.stringify(record)}`;
    isEmpty = false;
  }
  yield `${isEmpty ? '[]' : `\n${indent}]`}${end}`;
}

function* joinChunks(texts: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_SIZE) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
