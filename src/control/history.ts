import { type Changes, changesBetween } from '../domain/changes.js';
import { toTimestamp } from '../domain/clock.js';
import type { Past, World } from '../domain/world.js';
import { show } from '../fixtures/problems.js';
import { UnknownNameError } from './unknown-name.js';

/** A write that can be taken back. */
export interface HistoryEntry {
  /** Of the request that wrote. */
  readonly id: string;
  /** `POST /v1/vals`. */
  readonly request: string;
  /** By the clock of the sandbox. */
  readonly time: string;
  readonly changes: Changes;
}

export const historyOf = ({ past }: World): HistoryEntry[] =>
  past.map(({ id, cause, at, before, after }) => ({
    id,
    request: cause,
    time: toTimestamp(at),
    changes: changesBetween(before, after),
  }));

/**
 * @param to how many writes ago, or the id of a write
 * @throws UnknownNameError when the history does not reach so far back
 */
export function findWrite({ past }: World, to: number | string): Past {
  const found = typeof to === 'number' ? past[past.length - to] : past.find(({ id }) => id === to);
  if (found) return found;
  const among = past.length === 0 ? 'nothing was written yet' : `the history has the last ${past.length}`;
  throw new UnknownNameError(`There is no write ${show(to)}: ${among}.`);
}
