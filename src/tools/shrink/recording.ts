import { findRecord, getDefinition, listTargets } from '#engine/definition/definitions.js';
import { type Exchange, exchangeId } from '#engine/journal/exchange.js';
import { MAX_BODY_LENGTH } from '#engine/journal/journal.js';
import type { Instant } from '#engine/lib/time.js';
import { applyChanges, diffState } from '#engine/persistence/changes.js';
import type { StoredSandbox } from '#engine/persistence/storage.js';
import { diffSets } from '#engine/state/diff.js';
import type { Draft, State } from '#engine/state/state.js';
import type { Commit } from '#engine/store/commit.js';

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
const isOwn = (exchange: Exchange): boolean => exchange.commit === exchangeId(exchange);

/**
 * Reads what happened in a session. It begins at the seed if the journal has every commit since then, else before the oldest
 * commit of the history. Requests whose commits were taken back are skipped.
 */
export function readRecording({ seed, contents, exchanges = [] }: StoredSandbox): Recording {
  const { history, commits, state: end } = contents;
  const ids = new Set(history.map(({ id }) => id));
  const isKept = (exchange: Exchange) => !isOwn(exchange) || ids.has(exchangeId(exchange));
  const oldest = exchanges.findIndex((exchange) => ids.has(exchangeId(exchange)));
  const before = exchanges.slice(0, oldest < 0 ? exchanges.length : oldest);
  const after = exchanges.slice(before.length).filter(isKept);
  const older = commits - history.length;
  const start = history[0]?.before ?? end;
  const make = (from: State, requests: readonly Exchange[], earlier = 0): Recording => ({
    ...{ start: from, steps: listSteps(start, requests, history, end), end, earlier },
  });
  if (older === 0) return make(start, [...before.filter(isKept), ...after]);
  return before.filter(isOwn).length === older
    ? make(seed.state, [...before, ...after])
    : make(start, after, before.length);
}

/** Lists requests and other changes in their order. */
function listSteps(
  start: State,
  requests: readonly Exchange[],
  history: readonly Commit<State>[],
  end: State,
): readonly Step[] {
  const steps: Step[] = [];
  const rest = [...requests];
  const takeWhile = (isTaken: (exchange: Exchange) => boolean) => {
    while (rest[0] && isTaken(rest[0])) steps.push(...rest.splice(0, 1).map(toStep));
  };
  const addArmed = (before: State, after: State) => {
    const id = `after ${steps.at(-1)?.id ?? 'start'}`;
    if (!isArmedOtherwise(before, after)) return;
    const { faults, faultCount, settings } = after;
    const change = (draft: Draft) => void Object.assign(draft, { faults, faultCount, settings });
    steps.push({ id, key: id, at: readAt(steps), operation: undefined, change });
  };
  let last = start;
  for (const { id, operation, at, before, after } of history) {
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
    if (rest.some((exchange) => exchangeId(exchange) === id)) {
      takeWhile((exchange) => exchangeId(exchange) !== id);
      steps.push(
        ...rest.splice(0, 1).map((exchange) => (isCut(exchange) ? changed : { ...toStep(exchange), sequence })),
      );
    } else {
      takeWhile((exchange) => !isOwn(exchange) && exchange.at <= at);
      steps.push(changed);
    }
  }
  addArmed(last, end);
  takeWhile(() => true);
  return steps;
}

const toStep = (exchange: Exchange): RequestStep => {
  const id = exchangeId(exchange);
  return { id, key: id, at: exchange.at, exchange };
};

/** Whether the journal has the beginning of its body only: what it changed is known, and what it sent is not. */
const isCut = ({ requestBody = '' }: Exchange): boolean => requestBody.length >= MAX_BODY_LENGTH;

const readAt = (steps: readonly Step[]): Instant => steps.at(-1)?.at ?? 0;

/** Whether faults or settings were changed, apart from the counters of faults. */
const isArmedOtherwise = (before: State, after: State): boolean =>
  before.settings !== after.settings || listIds(before) !== listIds(after);

const listIds = ({ faults }: State): string => faults.map(({ id }) => id).join();

/** Whether a record that a change has put refers to one that does not exist. */
function refersToMissing(before: State, after: State): boolean {
  const { definitions } = after;
  const exists = (name: string, id: string) => findRecord(after, getDefinition(definitions, name), id) !== undefined;
  for (const { set, changes } of diffSets(before, after, definitions.all)) {
    for (const reference of Object.values(set.references)) {
      for (const { after: record } of changes) {
        const id = record && reference.id(record);
        if (id !== undefined && !listTargets(reference).some((name) => exists(name, id))) return true;
      }
    }
  }
  return false;
}
