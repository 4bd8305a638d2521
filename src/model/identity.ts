import type { RecordChange } from '../store/collection.js';
import type { Like, Version } from './schema.js';
import type { State } from './state.js';
import type { StoredBlob } from './user-data.js';

/** The records of a collection, as far as all collections are alike. */
export interface Records<R extends object = object> extends Iterable<R> {
  get(id: string): R | undefined;
  delete(record: R): unknown;
  identify(record: R): readonly unknown[];
  diff(earlier: Records<R>): readonly RecordChange<R>[];
}

/** Returns the id of a record, as the control API shows and finds it: its identity, joined by colons. */
export const getRecordId = <R>(collection: { identify(record: R): readonly unknown[] }, record: R): string =>
  collection.identify(record).join(':');

export function findVersion(state: State, id: string): Version | undefined {
  const [valId = '', version] = id.split(':');
  return state.versions.get(valId, Number(version));
}

export function findLike(state: State, id: string): Like | undefined {
  const [valId = '', userId = ''] = id.split(':');
  return state.likes.get(valId, userId);
}

/** A key may have colons. */
export function findBlob(state: State, id: string): StoredBlob | undefined {
  const [userId = '', key = ''] = id.split(/:(.*)/s);
  return state.blobs.get(userId, key);
}
