import { isDeepStrictEqual } from 'node:util';
import { walkChanges } from '#engine/changes/changed-record.js';
import type { StoredSandbox } from '#engine/persistence/storage.js';
import type { Service } from '#engine/service.js';
import { listSecretKeys } from '#engine/session/session-redactor.js';
import type { State } from '#engine/state/state.js';
import { findMoment, START } from '#engine/store/history.js';
import { isOwn, isRequest, type Recording, readRecordings, type Step, toArmed } from './recording.js';
import { type AnyEmulator, replaySteps, type Sequences, startAt } from './replay.js';

/** A session that was run once, without the command. */
export interface Rehearsal {
  readonly recording: Recording;
  readonly sequences: Sequences;
}

/**
 * Reads a session and runs it once, so that each try repeats what happened. A request that changed nothing in the session, and now
 * would, keeps its response: a fault refused it, or its records were taken back since. One that would be refused now is applied as
 * what it changed.
 */
export async function rehearse(service: Service, stored: StoredSandbox): Promise<Rehearsal> {
  const recordings = readRecordings(stored);
  for (const recording of recordings) {
    const emulator = await startAt(service, stored.seed, recording.start);
    try {
      const rehearsal = await runRecording(emulator, stored, recording, recording !== recordings.at(-1));
      if (rehearsal) return rehearsal;
    } finally {
      await emulator.close();
    }
  }
  throw new RangeError('a session without a recording');
}

/** @param isChecked whether it must lead to the records of the oldest commit; undefined is returned for one that does not */
async function runRecording(
  emulator: AnyEmulator,
  { contents }: StoredSandbox,
  recording: Recording,
  isChecked: boolean,
): Promise<Rehearsal | undefined> {
  const { store } = emulator;
  const { oldest } = contents.history;
  const { state: first } = findMoment(contents, START);
  const sequences: Sequences = new Map();
  const steps: Step[] = [];
  for (const step of recording.steps) {
    if (isChecked && step.id === oldest?.id && !isEqual(store.state, first)) return undefined;
    steps.push(await runStep(emulator, step, sequences));
  }
  if (isChecked && !oldest && !isEqual(store.state, recording.end)) return undefined;
  // Counters that were taken back with their commits.
  if (!isDeepStrictEqual(store.state.faults, recording.end.faults)) steps.push(toArmed(steps, recording.end));
  return { recording: { ...recording, steps }, sequences };
}

/** Runs a step as it was recorded. Returns the step that does so again. */
async function runStep(emulator: AnyEmulator, step: Step, sequences: Sequences): Promise<Step> {
  const { store, journal } = emulator;
  const { contents } = store;
  await replaySteps(emulator, [step], sequences);
  if (!isRequest(step)) return step;
  const { exchange, changed } = step;
  const hasChanged = store.commits > contents.commits;
  const isSame = hasChanged === isOwn(exchange) && (hasChanged || journal.exchanges.at(-1)?.fault === exchange.fault);
  const other = isOwn(exchange) ? changed : { ...step, isFixed: true };
  if (isSame || !other) return step;
  store.replace(contents);
  await replaySteps(emulator, [other], sequences);
  return other;
}

/** Whether two states have the same records, apart from the secrets that a session does not have. */
function isEqual(one: State, other: State): boolean {
  for (const { definition, changes } of walkChanges(one, other)) {
    const hidden = Object.fromEntries(listSecretKeys(definition).map((key) => [key, undefined]));
    const isKept = ({ sides: [before, after] }: (typeof changes)[number]) =>
      before && after && isDeepStrictEqual({ ...before, ...hidden }, { ...after, ...hidden });
    if (!changes.every(isKept)) return false;
  }
  return true;
}
