import { chanceFor } from './ids.js';
import type { State } from './state.js';
import type { User } from './users.js';

/** What happens to a request that a fault strikes. */
export interface Effect {
  /** HTTP status to answer instead of what would be; undefined lets the request through. */
  readonly status?: number | undefined;
  /** Headers to add. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Body to answer with; by default the API's own error body. */
  readonly body?: unknown;
  /** Milliseconds to hold the answer back. */
  readonly delay?: number | readonly [number, number] | undefined;
  /** Break the connection off without an answer. */
  readonly reset?: boolean | undefined;
  /** Break the connection off after this many bytes of the body. */
  readonly truncate?: number | undefined;
}

/** A failure armed on purpose: which requests it strikes, how, and how often it has. */
export interface Fault extends Effect {
  readonly id: string;
  /** `POST /v1/vals`; undefined for any. */
  readonly route?: string | undefined;
  readonly method?: string | undefined;
  /** Id of the caller. */
  readonly userId?: string | undefined;
  /** Matching requests to let through first. */
  readonly after: number;
  /** How many requests to strike; undefined for all. */
  readonly times?: number | undefined;
  /** Share of the matching requests to strike, 0 to 1. */
  readonly rate: number;
  /** Decides together with the number of the call whether `rate` strikes: the same calls on every run. */
  readonly seed: string;
  /** Matching requests so far. */
  readonly seen: number;
  /** Requests struck so far. */
  readonly hits: number;
}

/** A fault that struck, its delay drawn. */
export interface Strike extends Effect {
  readonly faultId: string;
  readonly delay: number;
}

/** What a request is, as far as faults look. */
export interface Target {
  /** Undefined for a route that does not exist. */
  readonly route: string | undefined;
  readonly method: string;
  readonly caller: User | undefined;
}

/** How many more requests the fault can strike; null for any number. */
export const remainingOf = ({ times, hits }: Fault): number | null => (times === undefined ? null : times - hits);

/**
 * The first armed fault that strikes this request, if one does. It counts the request, and so did each fault before it
 * that matched and let it through; to those after it the request never comes.
 */
export function strike(state: State, target: Target): Strike | undefined {
  for (const fault of state.faults) {
    if (!matches(fault, target) || remainingOf(fault) === 0) continue;
    const call = fault.seen;
    const strikes = call >= fault.after && (fault.rate >= 1 || chanceFor(`${fault.seed}:${call}`) < fault.rate);
    const counted = { ...fault, seen: call + 1, hits: fault.hits + (strikes ? 1 : 0) };
    state.faults = state.faults.map((other) => (other === fault ? counted : other));
    if (strikes) return { ...fault, faultId: fault.id, delay: drawDelay(state, fault) };
  }
  return undefined;
}

const matches = (fault: Fault, { route, method, caller }: Target): boolean =>
  (fault.route === undefined || fault.route === route) &&
  (fault.method === undefined || fault.method === method) &&
  (fault.userId === undefined || fault.userId === caller?.id);

/** Of its own chance, so that arming a fault does not change the ids that are given out. */
function drawDelay(state: State, { id, delay = 0, seen }: Fault): number {
  if (typeof delay === 'number') return delay;
  const [least, most] = delay;
  return least + (most - least) * chanceFor(`${state.settings.idSeed}:${id}:${seen}`);
}
