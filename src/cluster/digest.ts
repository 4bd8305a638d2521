import { createHash } from 'node:crypto';
import { diffState } from '#engine/persistence/changes.js';
import type { State } from '#engine/state/state.js';

/** Bytes of a digest. */
const SIZE = 16;

/**
 * The digest of the records of one sandbox. It joins the digests of the records, so it costs in proportion to those that
 * changed since it was last computed. It does not depend on when that was.
 */
export class StateDigest {
  #sum: Buffer;
  #state: State;

  /** @param seed the state whose digest is 0 */
  constructor(seed: State) {
    this.#sum = Buffer.alloc(SIZE);
    this.#state = seed;
  }

  of(state: State): string {
    const sum = Buffer.from(this.#sum);
    for (const record of listRecords(this.#state, state)) addTo(sum, record);
    for (const record of listRecords(state, this.#state)) addTo(sum, record);
    this.#sum = sum;
    this.#state = state;
    const all = Buffer.from(sum);
    const { settings, clock, faults, faultCount, randomSequence, nextSerial } = state;
    addTo(all, JSON.stringify({ settings, clock, faults, faultCount, randomSequence, nextSerial }));
    return all.toString('hex');
  }
}

/** Returns the records of a state that another one lacks. */
function* listRecords(before: State, after: State): Generator<string> {
  for (const [name, changes] of Object.entries(diffState(before, after))) {
    if (changes && 'put' in changes) for (const record of changes.put ?? []) yield `${name} ${JSON.stringify(record)}`;
  }
}

/** Adds by exclusive or: what is added twice is gone. */
function addTo(sum: Buffer, text: string): void {
  const digest = createHash('md5').update(text).digest();
  for (let i = 0; i < SIZE; i++) sum[i] = (sum[i] ?? 0) ^ (digest[i] ?? 0);
}
