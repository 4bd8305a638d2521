import { UUID_PATTERN } from '../../lib/ids.js';
import { isObject } from '../../lib/objects.js';

/** Ids in a text, in lower case. */
export const listIds = (text: string): string[] => [...text.matchAll(UUID_PATTERN)].map(([id]) => id.toLowerCase());

/** Pairs the ids of records that a client creates: the upstream and the emulator each choose their own. */
export class IdPairs {
  readonly #ours = new Map<string, string>();
  readonly #theirs = new Map<string, string>();

  /** Whether the record of an id of the upstream was created through the proxy. */
  has(id: string): boolean {
    return this.#ours.has(id);
  }

  /** Learns the id of a record from two responses that have created it. */
  learn(theirs: unknown, ours: unknown): void {
    if (!isObject(theirs) || !isObject(ours) || typeof theirs.id !== 'string' || typeof ours.id !== 'string') return;
    if (theirs.id === ours.id) return;
    this.#ours.set(theirs.id.toLowerCase(), ours.id);
    this.#theirs.set(ours.id.toLowerCase(), theirs.id);
  }

  toOurs(text: string): string {
    return replaceIds(text, this.#ours);
  }

  toTheirs(text: string): string {
    return replaceIds(text, this.#theirs);
  }
}

const replaceIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  ids.size === 0 ? text : text.replace(UUID_PATTERN, (id) => ids.get(id.toLowerCase()) ?? id);
