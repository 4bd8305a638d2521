import { getRecords } from '../definition/definitions.js';
import { ApiError } from '../lib/errors.js';
import { diffSets } from '../state/diff.js';
import type { State } from '../state/state.js';
import type { Contents } from '../store/store.js';

/** Bytes of records of all sandboxes of an emulator, such as files. They are in memory, whatever keeps the records. */
const MAX_STORED_BYTES = 256 * 1_048_576;

/** A part of the bound that is free after commits were dropped, so that not each write drops some. */
const SPARE = 1 / 16;

/** The bytes that a sandbox has in its current state and in snapshots: those that no commit holds alone. */
type Usage = { readonly name: string } & Readonly<Record<'current' | 'snapshots', number>>;
interface Owner {
  readonly name: string;
  readonly store: { readonly contents: Contents<State>; forget(commits: number): void };
}

/**
 * Bounds the bytes that the states of all sandboxes have, each body counted once. To make room, the oldest commits of the
 * histories go.
 */
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

  /**
   * Makes room for what a change adds. Costs in proportion to the change, as long as there is room.
   * @throws ApiError 507 if there is no room without any commit; no commit is dropped then
   */
  assertRoom(before: State, after: State): void {
    const known = new Set<Uint8Array>();
    const added = sum(listAdded(before, after, known));
    if (added === 0) return;
    this.#estimate += added;
    if (this.#estimate <= this.#limit) return;
    const owners = [...this.#listOwners()];
    const bodies = new Set<Uint8Array>();
    const usages = owners.map((owner) => countUsage(owner, bodies));
    const needed = usages.reduce((bytes, { current, snapshots }) => bytes + current + snapshots, added);
    if (needed > this.#limit) {
      this.#estimate -= added;
      throw new ApiError(507, describe(usages, added, this.#limit));
    }
    this.#estimate = needed + forgetOldest(owners, bodies, this.#limit - needed, this.#limit * SPARE);
  }
}

function countUsage({ name, store }: Owner, known: Set<Uint8Array>): Usage {
  const { state, snapshots } = store.contents;
  const current = sum(listAll(state, known));
  return {
    name,
    current,
    snapshots: snapshots.reduce((bytes, each) => bytes + sum(listAdded(state, each.state, known)), 0),
  };
}

/** A commit whose states have bodies that the states after it lack. */
interface Holder {
  readonly store: Owner['store'];
  /** Number of commits up to this one, which are dropped with it. */
  readonly commits: number;
  readonly bodies: readonly Uint8Array[];
}

/**
 * Drops the oldest commits whose bodies have no room. Of each sandbox, as many of the last commits stay.
 * @param known bodies that do not count
 * @param spare bytes of the room that are free after commits were dropped
 * @returns the bytes that the histories have then
 */
function forgetOldest(owners: readonly Owner[], known: ReadonlySet<Uint8Array>, room: number, spare: number): number {
  const holders = listHolders(owners);
  const all = countFitting(holders, known, room);
  if (all.count === holders.length) return all.bytes;
  const { bytes, count, bodies: kept } = countFitting(holders, known, room - spare);
  const dropped = new Map<Owner['store'], number>();
  for (const { store, commits, bodies } of holders.slice(count)) {
    const isDropped = bodies.some((body) => !kept.has(body));
    if (isDropped) dropped.set(store, Math.max(commits, dropped.get(store) ?? 0));
  }
  for (const [store, commits] of dropped) store.forget(commits);
  return bytes;
}

/** Lists commits that have bodies: the last one of each sandbox, then the one before it, and so on. */
function listHolders(owners: readonly Owner[]): Holder[] {
  const ranked = owners.flatMap(({ store }) => {
    const { history, state } = store.contents;
    let later = state;
    return history
      .list()
      .reverse()
      .map(({ before, after }, rank) => {
        const bodies = [...listAdded(later, after, new Set()), ...listAdded(after, before, new Set())];
        later = before;
        return { store, commits: history.length - rank, bodies, rank };
      });
  });
  return ranked.filter(({ bodies }) => bodies.length > 0).sort((a, b) => a.rank - b.rank);
}

/** Counts the first holders whose bodies fit, and the bytes of these. */
function countFitting(holders: readonly Holder[], known: ReadonlySet<Uint8Array>, room: number) {
  const bodies = new Set(known);
  let [bytes, count] = [0, 0];
  for (const holder of holders) {
    const own = new Set(holder.bodies.filter((body) => !bodies.has(body)));
    const size = sum(own);
    if (bytes + size > room) break;
    bytes += size;
    count++;
    for (const body of own) bodies.add(body);
  }
  return { bytes, count, bodies };
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
  const [largest] = usages.toSorted((a, b) => b.current + b.snapshots - a.current - a.snapshots);
  const room = `The bytes of all records have at most ${inMb(limit)} in memory, and ${inMb(added)} more have no room.`;
  if (!largest) return room;
  const { name, current, snapshots } = largest;
  const held = `The sandbox ${JSON.stringify(name)} has ${inMb(current + snapshots)}, of which ${inMb(snapshots)} are in its snapshots only.`;
  return `${room} ${held} Delete records with bytes, drop snapshots, or reset or close sandboxes.`;
}
