import { isObject } from '../lib/objects.js';
import type { Draft } from '../state/state.js';

/** A value to respond with, and what the journal records with it. */
export interface Explained<T = unknown> {
  readonly value: T;
  readonly reason?: string | undefined;
  /** The rows that it has changed, of records that are databases: the JSON of a list of `RowChanges`. */
  readonly rows?: string | undefined;
}

/** How a request is handled: it has read a value, or makes one by a change. */
export type Plan<T = unknown, D = Draft> =
  | { readonly read: Explained<T> }
  | {
      /** @throws to change nothing */
      readonly write: (draft: D) => Explained<T>;
    };

/** Checks what the handler of a route with `plans` has returned. */
export function toPlan(result: unknown): Plan {
  if (isPlan(result)) return result;
  throw new TypeError('a route with plans returns { read } or { write }');
}

const isPlan = (result: unknown): result is Plan => isObject(result) && ('read' in result || 'write' in result);
