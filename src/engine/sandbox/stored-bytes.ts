import { getRecords } from '../definition/definitions.js';
import { ApiError } from '../lib/errors.js';
import { diffSets } from '../state/diff.js';
import type { State } from '../state/state.js';
import type { Contents } from '../store/store.js';

/** Bytes of records of all sandboxes of an emulator, such as files. They are in memory, whatever keeps the records. */
const MAX_STORED_BYTES = 256 * 1_048_576;

/** The bytes of a sandbox in memory, and those that its current state has. */
type Usage = { readonly name: string } & Readonly<Record<'bytes' | 'current', number>>;
type Owner = { readonly name: string; readonly store: { readonly contents: Contents<State>; dropOlder(): void } };

/** Bounds the bytes that the states of all sandboxes have, each body counted once. */
export class StoredBytes {
  readonly #listOwners: () => Iterable<Owner>;
  readonly #limit: number;
  /** At least the bytes in memory: what was counted last, and what was added since. */
  #estimate = 0;

  /** @param listOwners returns all sandboxes. @param limit default: 256 MB */
  constructor(listOwners: () => Iterable<Owner>, limit = MAX_STORED_BYTES) {
    this.#listOwners = listOwners;
    this.#limit = limit;
  }

  /** Checks that there is room for what a change adds. Costs in proportion to the change. @throws ApiError 507 */
  assertRoom(before: State, after: State): void {
    const known = new Set<Uint8Array>();
    const added = sum(listAdded(before, after, known));
    if (added === 0) return;
    this.#estimate += added;
    if (this.#estimate <= this.#limit) return;
    for (const { store } of this.#listOwners()) store.dropOlder();
    const usages = this.#count();
    const total = usages.reduce((bytes, usage) => bytes + usage.bytes, 0);
    this.#estimate = total + added;
    if (this.#estimate <= this.#limit) return;
    this.#estimate = total;
    throw new ApiError(507, describe(usages, added, this.#limit));
  }

  /** Counts each body once, for the first sandbox that has it. */
  #count(): Usage[] {
    const known = new Set<Uint8Array>();
    return Array.from(this.#listOwners(), ({ name, store }) => {
      const { state, history, snapshots } = store.contents;
      const current = sum(listAll(state, known));
      const states = [
        ...history.flatMap(({ before, after }) => [after, before]).reverse(),
        ...snapshots.map((each) => each.state),
      ];
      let last = state;
      let past = 0;
      for (const each of states) {
        past += sum(listAdded(last, each, known));
        last = each;
      }
      return { name, bytes: current + past, current };
    });
  }
}

const sum = (bodies: Iterable<Uint8Array>): number => [...bodies].reduce((bytes, { length }) => bytes + length, 0);

function* unknown(bodies: Iterable<Uint8Array>, known: Set<Uint8Array>): Generator<Uint8Array> {
  for (const body of bodies) if (!known.has(body) && known.add(body)) yield body;
}

function* listAll(state: State, known: Set<Uint8Array>): Generator<Uint8Array> {
  for (const { name, bytes } of state.definitions.sets) {
    for (const record of bytes ? getRecords(state, name) : []) yield* unknown(bytes?.(record) ?? [], known);
  }
}

/** Lists the bodies that a state has, and another one lacks. */
function* listAdded(before: State, after: State, known: Set<Uint8Array>): Generator<Uint8Array> {
  const sets = after.definitions.sets.filter(({ bytes }) => bytes !== undefined);
  for (const { set, changes } of diffSets(before, after, sets)) {
    const list = (record: object | undefined) => (record && set.bytes?.(record)) ?? [];
    for (const change of changes) {
      const had = list(change.before);
      yield* unknown(
        list(change.after).filter((body) => !had.includes(body)),
        known,
      );
    }
  }
}

const inMb = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

function describe(usages: readonly Usage[], added: number, limit: number): string {
  const [largest] = usages.toSorted((a, b) => b.bytes - a.bytes);
  const room = `The bytes of all records have at most ${inMb(limit)} in memory, and ${inMb(added)} more have no room.`;
  if (!largest) return room;
  const { name, bytes, current } = largest;
  const held = `The sandbox ${JSON.stringify(name)} has ${inMb(bytes)}, of which ${inMb(bytes - current)} are in its history and snapshots only.`;
  return `${room} ${held} Delete records with bytes, drop snapshots, or reset or close sandboxes.`;
}
