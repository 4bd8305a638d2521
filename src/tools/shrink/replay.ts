import type { Exchange } from '#engine/journal/exchange.js';
import { findHeader } from '#engine/journal/request-content.js';
import type { StoredSandbox } from '#engine/persistence/storage.js';
import type { SandboxTypes } from '#engine/sandbox/types.js';
import type { Service } from '#engine/service.js';
import type { State } from '#engine/state/state.js';
import { initialContents } from '#engine/store/store.js';
import { createEngine, type EngineOf } from '../../create-engine.js';
import { type ChangeStep, isRequest, type RequestStep, type Step } from './recording.js';

/** An emulator of any service. */
export type AnyEmulator = EngineOf<SandboxTypes>;

export const startAt = (service: Service, { info }: StoredSandbox['seed'], state: State): Promise<AnyEmulator> =>
  createEngine(service, {
    stored: { name: '', seed: { info, state }, contents: initialContents(state), exchanges: [] },
    // A request may be refused when earlier ones are missing, and that is expected.
    ...{ onError: () => {}, onWarning: () => {} },
  });

/** How far the ids were drawn before each step, by its id, once all steps have run. */
export type Sequences = Map<string, number>;

/** A request that got another response than the recorded one. */
export interface Deviation {
  readonly step: RequestStep;
  readonly status: number;
}

/**
 * Runs steps on an emulator, at their recorded times. New records get the ids that were recorded, or that they get when all steps
 * run, so that later requests find them.
 * @param sequences of all steps; it is filled where it has none
 */
export async function replaySteps(
  emulator: AnyEmulator,
  steps: readonly Step[],
  sequences: Sequences,
): Promise<readonly Deviation[]> {
  const { store } = emulator;
  const deviations: Deviation[] = [];
  for (const step of steps) {
    const sequence = sequences.get(step.id) ?? step.sequence ?? store.state.randomSequence;
    sequences.set(step.id, sequence);
    store.update((draft) => {
      draft.clock = { frozenAt: step.at };
      draft.randomSequence = sequence;
    });
    if (isRequest(step) && step.isFixed) {
      const { exchange } = step;
      emulator.journal.record({ ...exchange, commit: exchange.commit && store.lastCommitId });
    } else if (isRequest(step)) {
      const status = await send(emulator, step.exchange);
      if (status !== step.exchange.status) deviations.push({ step, status });
    } else {
      applyStep(emulator, step);
    }
  }
  return deviations;
}

/** Sends a recorded request without a connection, and without the delay of a fault. Returns the status of its response */
async function send(emulator: AnyEmulator, exchange: Exchange): Promise<number> {
  const { pipeline, url } = emulator;
  const { method, target, headers, requestBody: body } = exchange;
  const { host } = new URL(url);
  const header = (name: string) => findHeader(headers, name) ?? (name === 'host' ? host : undefined);
  const connection = { scheme: 'http', host, ownHost: () => host, mount: '' } as const;
  const arrived = { start: performance.now(), remoteAddress: undefined, refusal: undefined };
  const accepted = pipeline.accept({ ...connection, ...arrived, method, url: target, header, headers });
  const { status, ended } = await pipeline.serve({ ...accepted, body }, emulator);
  ended?.('sent');
  return status;
}

/** Applies a change. One that needs records which are not there changes nothing, as a request that is refused. */
function applyStep(emulator: AnyEmulator, { change, operation }: ChangeStep): void {
  try {
    if (operation === undefined) emulator.store.update(change);
    else emulator.update(operation, change);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}
