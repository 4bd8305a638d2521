import { walkChanges } from '#engine/changes/changed-record.js';
import { findRecord, getDefinition, listTargets } from '#engine/definition/definitions.js';
import { isWhole } from '#engine/journal/bodies.js';
import { type Exchange, exchangeId, namesCommit } from '#engine/journal/exchange.js';
import type { Instant } from '#engine/lib/time.js';
import { applyChanges, diffState } from '#engine/persistence/changes.js';
import type { StoredSandbox } from '#engine/persistence/storage.js';
import type { Draft, State } from '#engine/state/state.js';
import { findMoment, type History, START } from '#engine/store/history.js';

/** One thing that happened in a session. */
export type Step = RequestStep | ChangeStep;

interface StepBase {
  /** The id of its request or commit: the same step, also with another body, has the same id. */
  readonly id: string;
  /** Differs for another body. */
  readonly key: string;
  readonly at: Instant;
  /** How far the ids were drawn before it. Undefined for one that the history does not have */
  readonly sequence?: number;
}

export interface RequestStep extends StepBase {
  readonly exchange: Exchange;
  /** What it changed. Undefined for one that the history does not have */
  readonly changed?: ChangeStep;
  /** Whether the journal gets it with its recorded response: sent again, it would now get another fault, or change something. */
  readonly isFixed?: boolean;
}

/** A change that no request has made, such as one by a method of the emulator. */
export interface ChangeStep extends StepBase {
  /** Its operation in the history. Undefined for one that the history does not have, such as an armed fault */
  readonly operation: string | undefined;
  /** @throws RangeError when it needs records that are not there */
  readonly change: (draft: Draft) => void;
}

/** A session as what it begins with, and what happened then. */
export interface Recording {
  readonly start: State;
  readonly steps: readonly Step[];
  /** The state at its end, as recorded. */
  readonly end: State;
  /** Requests before the start, which the session does not have the records for. */
  readonly earlier: number;
}

export const isRequest = (step: Step): step is RequestStep => 'exchange' in step;

/** Whether a request has made a commit. */
export const isOwn = (exchange: Exchange): boolean => exchange.commit === exchangeId(exchange);

/**
 * Reads what happened in a session. It begins at the seed if the journal seems to have every commit since then, else before the
 * oldest commit of the history. Requests whose commits were taken back are skipped.
 * @returns the longest first. One that begins at the seed lacks commits if others of as many requests were taken back.
 */
export function readRecordings({ seed, contents, exchanges = [] }: StoredSandbox): readonly Recording[] {
  const { history, commits, state: end } = contents;
  const ids = new Set(history.list().map(({ id }) => id));
  const isKept = (exchange: Exchange) => !isOwn(exchange) || ids.has(exchangeId(exchange));
  const oldest = exchanges.findIndex((exchange) => ids.has(exchangeId(exchange)));
  const before = exchanges.slice(0, oldest < 0 ? exchanges.length : oldest);
  const after = exchanges.slice(before.length).filter(isKept);
  const older = commits - history.length;
  const { state: first } = findMoment(contents, START);
  const make = (start: State, requests: readonly Exchange[], earlier = 0): Recording => ({
    ...{ start, steps: listSteps(start, requests, history, end), end, earlier },
  });
  if (older === 0) {
    // What the requests before the first commit have counted is counted again.
    const { faults, faultCount, settings, rateLimits } = seed.state;
    return [make({ ...first, faults, faultCount, settings, rateLimits }, [...before.filter(isKept), ...after])];
  }
  const whole = before.filter(isOwn).length === older ? [make(seed.state, [...before, ...after])] : [];
  return [...whole, make(first, after, before.length)];
}

/** Lists requests and other changes in their order. */
function listSteps(start: State, requests: readonly Exchange[], history: History<State>, end: State): readonly Step[] {
  const steps: Step[] = [];
  const rest = [...requests];
  const take = (count: number) => steps.push(...rest.splice(0, count).map(toStep));
  const addArmed = (before: State, after: State) => {
    if (isArmedOtherwise(before, after)) steps.push(toArmed(steps, after));
  };
  let last = start;
  const later = new Set(history.list().map(({ id }) => id));
  for (const { id, operation, at, before, after } of history) {
    const own = rest.findIndex((exchange) => exchangeId(exchange) === id);
    take(own < 0 ? countEarlier(rest, at, later) : own);
    later.delete(id);
    addArmed(last, before);
    last = after;
    const changes = diffState(before, after);
    const change = (draft: Draft) => {
      const next = applyChanges(draft, changes);
      if (refersToMissing(draft, next)) throw new RangeError('it needs an earlier step');
      Object.assign(draft, next);
    };
    const { randomSequence: sequence } = before;
    const changed = { id, key: id, at, sequence, operation, change };
    const [made] = own < 0 ? [] : rest.splice(0, 1);
    // Of a body that was cut, what it changed is known, and what was sent is not.
    steps.push(made && isWhole(made.requestBody) ? { ...toStep(made), sequence, changed } : changed);
  }
  take(rest.length);
  addArmed(last, end);
  return steps;
}

/**
 * Counts the requests without commits that came before a change by a method. Reads name the last commit. Others may have had the same
 * time: those come after it.
 * @param later ids of this commit, and of all later ones
 */
function countEarlier(requests: readonly Exchange[], at: Instant, later: ReadonlySet<string>): number {
  const isLater = (exchange: Exchange) => isOwn(exchange) || (exchange.commit !== null && later.has(exchange.commit));
  const end = requests.findIndex(isLater);
  const others = requests.slice(0, end < 0 ? requests.length : end);
  return others.findLastIndex((exchange) => exchange.at < at || namesCommit(exchange)) + 1;
}

const toStep = (exchange: Exchange): RequestStep => {
  const id = exchangeId(exchange);
  return { id, key: id, at: exchange.at, exchange };
};

/** Makes the step after others that arms the faults of a state, with their counters, and sets its settings. */
export function toArmed(steps: readonly Step[], { faults, faultCount, settings }: State): ChangeStep {
  const last = steps.at(-1);
  const id = `after ${last?.id ?? 'start'}`;
  const change = (draft: Draft) => void Object.assign(draft, { faults, faultCount, settings });
  return { id, key: id, at: last?.at ?? 0, operation: undefined, change };
}

/** Whether faults or settings were changed, apart from the counters of faults. */
const isArmedOtherwise = (before: State, after: State): boolean =>
  before.settings !== after.settings || listIds(before) !== listIds(after);

const listIds = ({ faults }: State): string => faults.map(({ id }) => id).join();

/** Whether a record that a change has put refers to one that does not exist. */
function refersToMissing(before: State, after: State): boolean {
  const { definitions } = after;
  const exists = (name: string, id: string) => findRecord(after, getDefinition(definitions, name), id) !== undefined;
  for (const { definition, changes } of walkChanges(before, after)) {
    for (const reference of Object.values(definition.references)) {
      for (const { sides } of changes) {
        const [, record] = sides;
        const id = record && reference.id(record);
        if (id !== undefined && !listTargets(reference).some((name) => exists(name, id))) return true;
      }
    }
  }
  return false;
}
