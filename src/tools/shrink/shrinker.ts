import { createHash } from 'node:crypto';
import type { AnyDefinition } from '#engine/definition/define.js';
import { getRecords } from '#engine/definition/definitions.js';
import { parseBody } from '#engine/journal/request-content.js';
import { formatStatus, isRefused } from '#engine/lib/reasons.js';
import { readChunks } from '#engine/lib/steps.js';
import { formatCount } from '#engine/lib/text.js';
import type { StoredSandbox } from '#engine/persistence/storage.js';
import type { Service } from '#engine/service.js';
import { formatSession, type SessionSource } from '#engine/session/session.js';
import { deleteRecord } from '#engine/state/cascades.js';
import { fork, type State } from '#engine/state/state.js';
import { describeFailure, type Failure, type Outcome } from './failure.js';
import { isRequest, type Recording, type RequestStep, type Step } from './recording.js';
import { type Rehearsal, rehearse } from './rehearsal.js';
import { type AnyEmulator, type Deviation, replaySteps, type Sequences, startAt } from './replay.js';
import { countParts, findSmallest, shrinkValue } from './smallest.js';

export interface ShrinkOptions {
  readonly service: Service;
  readonly stored: StoredSandbox;
  /** Runs the command against an emulator. */
  readonly run: (emulator: { readonly url: string; readonly token: string }) => Promise<Outcome>;
  /** A text in the output by which the failure is recognized. Default: its exit code and its error */
  readonly match?: string | undefined;
  /** Tries at the same time. Default: 1 */
  readonly jobs?: number;
  /** Called after each try. */
  readonly onTry?: () => void;
}

/** A session that cannot be made smaller. The message says why. */
export class NotShrinkableError extends Error {}

/** What is left of something. */
interface Left {
  readonly left: number;
  readonly of: number;
}

interface StartRecord {
  readonly definition: AnyDefinition;
  readonly record: object;
}

/** A session to try. */
interface Candidate {
  readonly steps: readonly Step[];
  readonly records: readonly StartRecord[];
}

/** A session that was tried. */
interface Tried extends Candidate {
  readonly failure: Failure;
  readonly deviations: readonly Deviation[];
  /** The sandbox before the command ran. */
  readonly source: SessionSource;
}

/** How often the smallest session is tried once more. */
const REPETITIONS = 2;
/** Records of a start above which all of them are kept: each try would take long to make it. */
const MAX_RECORDS = 5_000;

/** Finds the smallest session with which a command still fails as it did with the whole one. */
export class Shrinker {
  /** Runs of the command so far. */
  tries = 0;
  readonly recording: Recording;
  readonly #options: ShrinkOptions;
  readonly #records: readonly StartRecord[];
  readonly #sequences: Sequences;
  /** Whether a session fails the same, by its hash: a tried session may be large. */
  readonly #tried = new Map<string, Promise<boolean>>();
  #first: Failure | undefined;
  #best: Tried | undefined;

  private constructor(options: ShrinkOptions, { recording, sequences }: Rehearsal) {
    this.#options = options;
    this.recording = recording;
    this.#sequences = sequences;
    this.#records = listRecords(this.recording.start);
  }

  static async open(options: ShrinkOptions): Promise<Shrinker> {
    return new Shrinker(options, await rehearse(options.service, options.stored));
  }

  /** How the command fails. Undefined before the first try */
  get failure(): string | undefined {
    return this.#first?.text;
  }

  /** What happens in the best session so far. */
  get steps(): readonly { readonly id: string; readonly label: string }[] {
    return this.#steps.map((step) => ({ id: step.id, label: describeStep(step) }));
  }

  get requests(): Left {
    return { left: countRequests(this.#steps), of: countRequests(this.recording.steps) };
  }

  /** The keys, items and lines in the bodies of these requests. */
  get parts(): Left {
    const ids = new Set(this.#steps.map(({ id }) => id));
    const whole = this.recording.steps.filter(({ id }) => ids.has(id));
    return { left: countBodyParts(this.#steps), of: countBodyParts(whole) };
  }

  /** The records at the start of the best session so far. */
  get records(): Left {
    return { left: (this.#best?.records ?? this.#records).length, of: this.#records.length };
  }

  /** The best session so far, as a file. Undefined before the first try has failed */
  format(): Iterable<string> | undefined {
    return this.#best && readChunks(formatSession(this.#best.source, Date.now()));
  }

  get #steps(): readonly Step[] {
    return this.#best?.steps ?? this.recording.steps;
  }

  /** @throws NotShrinkableError at once for a command that passes, that fails otherwise the next time, or always */
  async shrink(): Promise<void> {
    const { jobs = 1 } = this.#options;
    await this.#begin();
    const fails = (candidate: Candidate) => this.#try(candidate);
    let best: Candidate = { steps: this.recording.steps, records: this.#records };
    const steps = await findSmallest(best.steps, (kept) => fails({ ...best, steps: kept }), jobs);
    best = { ...best, steps };
    for (const [i, step] of best.steps.entries()) {
      const body = readBody(step);
      if (!isRequest(step) || body === undefined) continue;
      const replace = (value: unknown) => ({ ...best, steps: best.steps.with(i, withBody(step, value)) });
      const smallest = await shrinkValue(body, (value) => fails(replace(value)), jobs);
      if (countParts(smallest) < countParts(body)) best = replace(smallest);
    }
    if (best.records.length <= MAX_RECORDS) {
      const records = await findSmallest(best.records, (kept) => fails({ ...best, records: kept }), jobs);
      best = { ...best, records };
    }
    // A command that fails now and then may have done so when requests that it needs were missing.
    for (let i = 0; i < REPETITIONS; i++) this.#best = await this.#repeat(best);
  }

  /** Tries the whole session twice, and one without requests. */
  async #begin(): Promise<void> {
    const whole = { steps: this.recording.steps, records: this.#records };
    const tried = await this.#run(whole);
    const { failure } = tried;
    const { match } = this.#options;
    if (failure.key === undefined) throw neverFails(tried);
    if (match !== undefined && failure.key !== 'match') throw failsOtherwise(tried);
    this.#first = failure;
    this.#best = tried;
    this.#tried.set(this.#hash(whole), Promise.resolve(true));
    await this.#repeat(whole);
    if (await this.#try({ ...whole, steps: [] })) throw alwaysFails(failure);
  }

  /** Tries a session that has failed once more. @throws NotShrinkableError if it does not fail the same */
  async #repeat(candidate: Candidate): Promise<Tried> {
    const again = await this.#run(candidate);
    if (this.#first && !this.#isFailure(again)) throw failsDifferently(this.#first, again.failure);
    return again;
  }

  #isFailure(tried: Tried): boolean {
    const isSame = tried.failure.key === this.#first?.key;
    if (isSame && this.#best && isSmaller(tried, this.#best)) this.#best = tried;
    return isSame;
  }

  /** Returns whether a session fails the same. It is tried unless it was tried before. */
  #try(candidate: Candidate): Promise<boolean> {
    const hash = this.#hash(candidate);
    const known = this.#tried.get(hash);
    if (known) return known;
    const fails = this.#run(candidate).then((tried) => this.#isFailure(tried));
    this.#tried.set(hash, fails);
    return fails;
  }

  #hash({ steps, records }: Candidate): string {
    const kept = new Set(records);
    const dropped = this.#records.flatMap((record, i) => (kept.has(record) ? [] : [i]));
    const text = JSON.stringify([dropped, steps.map((step) => step.key)]);
    return createHash('sha256').update(text).digest('base64');
  }

  async #run(candidate: Candidate): Promise<Tried> {
    const { service, stored, onTry } = this.#options;
    const state = keepRecords(this.recording.start, this.#records, candidate.records);
    const emulator = await startAt(service, stored.seed, state);
    try {
      const tried = await this.#runOn(emulator, candidate);
      this.tries++;
      onTry?.();
      return tried;
    } finally {
      await emulator.close();
    }
  }

  async #runOn(emulator: AnyEmulator, candidate: Candidate): Promise<Tried> {
    const { run, match } = this.#options;
    const { store, journal, meta, url } = emulator;
    const deviations = await replaySteps(emulator, candidate.steps, this.#sequences);
    store.update((draft) => {
      draft.clock = this.recording.end.clock;
    });
    const source = { meta, store: { contents: store.contents }, journal: { exchanges: journal.exchanges } };
    const { count } = journal;
    const outcome = await run({ url, token: emulator.users[0]?.token ?? '' });
    const refused = journal.exchanges.findLast((each) => each.number > count && isRefused(each));
    const reason = refused && `${formatStatus(refused)} ${refused.route ?? `${refused.method} ${refused.target}`}`;
    return { ...candidate, failure: describeFailure(outcome, reason, match), deviations, source };
  }
}

const describeStep = (step: Step): string =>
  isRequest(step) ? `${step.exchange.method} ${step.exchange.target}` : (step.operation ?? 'faults or settings');

const listRecords = (state: State): StartRecord[] =>
  state.definitions.all.flatMap((definition) =>
    Array.from(getRecords(state, definition.name), (record) => ({ definition, record })),
  );

/** Removes the other records of a state, with what refers to them. One that cannot be removed alone stays. */
function keepRecords(state: State, all: readonly StartRecord[], kept: readonly StartRecord[]): State {
  if (kept.length === all.length) return state;
  const keeps = new Set(kept);
  let current = state;
  for (const { definition, record } of all.filter((each) => !keeps.has(each)).reverse()) {
    const draft = fork(current);
    const records = getRecords(draft, definition.name);
    const found = records.get(...records.identify(record));
    if (found === undefined) continue;
    try {
      if (definition.remove) definition.remove(draft, found);
      else deleteRecord(draft, definition.name, found);
    } catch {
      continue;
    }
    const { isDraft: _, ...next } = draft;
    current = next;
  }
  return current;
}

/** Returns a body of JSON with parts. Undefined for any other */
function readBody(step: Step): unknown {
  if (!isRequest(step) || typeof step.exchange.requestBody !== 'string') return undefined;
  const value = parseBody(step.exchange.requestBody);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function withBody(step: RequestStep, value: unknown): RequestStep {
  const requestBody = JSON.stringify(value);
  return { ...step, key: `${step.id} ${requestBody}`, exchange: { ...step.exchange, requestBody } };
}

const countBodyParts = (steps: readonly Step[]): number =>
  steps.reduce((sum, step) => sum + countParts(readBody(step)), 0);

/** Compares by steps, then by the parts of bodies, then by records. */
function isSmaller(a: Candidate, b: Candidate): boolean {
  const parts = a.steps.length - b.steps.length || countBodyParts(a.steps) - countBodyParts(b.steps);
  return (parts || a.records.length - b.records.length) < 0;
}

function neverFails({ steps, deviations, failure }: Tried): NotShrinkableError {
  const [first] = deviations;
  const hint = first
    ? `${formatCount(deviations.length, 'request')} got another response than recorded, the first ${first.step.id} ${describeStep(first.step)}: ${first.status} in place of ${first.step.exchange.status}.`
    : 'All requests got the status that was recorded. Record the session when the command fails, or check that it uses VAL_EMULATOR_URL.';
  return new NotShrinkableError(
    `The command does not fail after the whole session (${formatCount(countRequests(steps), 'request')}): ${failure.text}. ${hint}`,
  );
}

const failsOtherwise = ({ failure }: Tried): NotShrinkableError =>
  new NotShrinkableError(`The command fails otherwise after the whole session: ${failure.text}. Check --match.`);

const failsDifferently = (first: Failure, second: Failure): NotShrinkableError =>
  new NotShrinkableError(
    `The command ends differently each time, with the same session: ${first.text}; then ${second.text}. Make it deterministic, or name what stays the same by --match TEXT.`,
  );

const alwaysFails = ({ text }: Failure): NotShrinkableError =>
  new NotShrinkableError(
    `The command fails the same without any request: ${text}. So no request is the cause: look at the data at the start, and at the command itself.`,
  );

const countRequests = (steps: readonly Step[]): number => steps.filter(isRequest).length;
