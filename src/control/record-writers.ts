import { type CollectionName, definitions } from '../collections/index.js';
import { mapCollections } from '../definition/definitions.js';
import { defineWriter, type RecordWriter } from './record-writer.js';
import { defineResource } from './resources.js';

/** How the records of each collection are written. */
export const recordWriters = mapCollections<Readonly<Record<CollectionName, RecordWriter>>>(
  definitions.all,
  (definition) => defineWriter(defineResource(definition)),
);
