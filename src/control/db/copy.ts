import type { State } from '../../domain/state.js';
import type { Sandbox } from '../sandbox.js';
import { type Collections, collectionsOf, hasSameRecords } from './collections.js';
import { JsonServer } from './server.js';

/** A sandbox's records as json-server takes them. Not to be written to. */
interface Copy {
  /** Of which it is a copy. */
  readonly state: State;
  readonly collections: Collections;
  /** Made when it is first asked for. */
  reader: JsonServer | undefined;
}

/** The last copy of each sandbox that was browsed. It saves time and makes no other difference. */
const copies = new WeakMap<Sandbox, Copy>();

/** The records that a sandbox has now. O(n), O(1) if no record was written since the last call. */
export function copyOf(sandbox: Sandbox): Copy {
  const { state } = sandbox.world;
  const known = copies.get(sandbox);
  if (known && hasSameRecords(known.state, state)) return known;
  const copy = { state, collections: collectionsOf(state), reader: undefined };
  copies.set(sandbox, copy);
  return copy;
}

/** json-server over the copy, for reading. */
export function readerOf(copy: Copy): JsonServer {
  copy.reader ??= new JsonServer(copy.collections, true);
  return copy.reader;
}
