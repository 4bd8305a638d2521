// Decides whether a history of concurrent operations is linearizable: whether each operation can be given one moment between
// its call and its return, so that a sequential model explains all outputs. The algorithm is by Wing and Gong (1993)
// with the memoisation of Lowe (2017): a set of operations that led to a state before is not tried again. Unknown outcomes are
// tried last, so those that never happened cost little.

export interface Operation<I, O> {
  /** Times on one clock, such as `performance.now()`. */
  readonly call: number;
  /** Infinity for an unknown outcome: the operation happens at any time after its call, or never. */
  readonly return: number;
  readonly input: I;
  /** Undefined for an unknown outcome. */
  readonly output: O | undefined;
}

/** A sequential and deterministic model of one object. */
export interface SequentialModel<S, I, O> {
  readonly initial: S;
  /** Returns the next state. Undefined if the operation has no such output in this state. Any output fits an unknown one. */
  step(state: S, input: I, output: O | undefined): S | undefined;
  /** Returns the same text for equal states only. */
  key(state: S): string;
  /** Whether an operation with an unknown outcome can be the next. If not, the search is shorter. @param others under way */
  mayHappen?(state: S, input: I, others: readonly I[]): boolean;
  /** Whether an operation with an output cannot follow any more. If so, the search is shorter. @param others may come first */
  isLate?(state: S, input: I, others: () => readonly I[]): boolean;
}

export interface Verdict<S, I, O> {
  readonly isLinearizable: boolean;
  /** The longest order of operations that the model explains. */
  readonly order: readonly Operation<I, O>[];
  /** The state after them. */
  readonly state: S;
  /** The operations that could not come next: those under way at the first return that has no explanation. */
  readonly stuck: readonly Operation<I, O>[];
  /** Operations that were tried. */
  readonly steps: number;
  /** Whether it gave up. */
  readonly isUndecided: boolean;
}

/** A call or a return, in a list in the order of time. */
interface Event<I, O> {
  readonly operation: Operation<I, O>;
  readonly number: number;
  readonly isCall: boolean;
  readonly time: number;
  previous: Event<I, O> | undefined;
  next: Event<I, O> | undefined;
}

/** An operation that is next in the order, or may be. */
interface Candidate<I, O> {
  readonly operation: Operation<I, O>;
  readonly number: number;
  /** Undefined for an unknown outcome, which is in no list. */
  readonly call: Event<I, O> | undefined;
}

const MAX_STEPS = 10_000_000;
const MAX_NEEDED = 2;
const isUnknown = ({ return: end }: { readonly return: number }) => end === Number.POSITIVE_INFINITY;

/** Checks a history. With too many steps, it is undecided and not linearizable. */
export function checkLinearizability<S, I, O>(
  model: SequentialModel<S, I, O>,
  history: readonly Operation<I, O>[],
  maxSteps = MAX_STEPS,
): Verdict<S, I, O> {
  // Most histories have an order of this kind, which is found in fewer steps.
  const quick = search(model, history, maxSteps / 4, true);
  return quick.isLinearizable ? quick : search(model, history, maxSteps, false);
}

/** @param onlyNeeded whether unknown outcomes come only right before an operation that needs them, two at most */
function search<S, I, O>(
  model: SequentialModel<S, I, O>,
  history: readonly Operation<I, O>[],
  maxSteps: number,
  onlyNeeded: boolean,
): Verdict<S, I, O> {
  const events = new Events(history);
  const unknown = history
    .flatMap((operation, number) => (isUnknown(operation) ? [{ operation, number, call: undefined }] : []))
    .sort((a, b) => a.operation.call - b.operation.call);
  const done = new Bits(history.length);
  const seen = new Set<string>();
  /** The operations taken so far, each with the state before it and the candidates that are left to try in its place. */
  const taken: {
    readonly candidate: Candidate<I, O>;
    readonly before: S;
    readonly others: Iterator<Candidate<I, O>>;
  }[] = [];
  let state = model.initial;
  let waiting = history.length - unknown.length;
  let steps = 0;
  let best: Pick<Verdict<S, I, O>, 'order' | 'state' | 'stuck'> = { order: [], state, stuck: [] };
  let bestWaiting = waiting + 1;
  let candidates: Iterator<Candidate<I, O>> = listCandidates();
  while (waiting > 0) {
    const { value: candidate } = candidates.next();
    if (candidate) {
      if (++steps > maxSteps) return { isLinearizable: false, isUndecided: true, ...best, steps };
      const { operation, number, call } = candidate;
      const next = model.step(state, operation.input, operation.output);
      if (next === undefined || (onlyNeeded && call && isPossibleBefore(operation)) || !isNew(number, next)) continue;
      taken.push({ candidate, before: state, others: candidates });
      state = next;
      if (call) {
        events.remove(call);
        waiting--;
      }
      candidates = listCandidates();
      continue;
    }
    if (waiting < bestWaiting) {
      bestWaiting = waiting;
      const stuck = [...listCandidates()].map(({ operation }) => operation);
      best = { order: taken.map(({ candidate: { operation } }) => operation), state, stuck };
    }
    const last = taken.pop();
    if (!last) return { isLinearizable: false, isUndecided: false, ...best, steps };
    const { call, number } = last.candidate;
    if (call) {
      events.restore(call);
      waiting++;
    }
    done.delete(number);
    state = last.before;
    candidates = last.others;
  }
  const order = taken.map(({ candidate: { operation } }) => operation);
  return { isLinearizable: true, isUndecided: false, order, state, stuck: [], steps };

  /** Lists the operations that were called before the first of them returned. */
  function* listCandidates(): Generator<Candidate<I, O>> {
    const others: I[] = [];
    let event = events.head.next;
    for (let each = event; each?.isCall; each = each.next) if (isLate(each.operation)) return;
    for (; event?.isCall; event = event.next) {
      others.push(event.operation.input);
      yield { operation: event.operation, number: event.number, call: event };
    }
    if (onlyNeeded && countUnknown() === MAX_NEEDED) return;
    const end = event?.time ?? Number.POSITIVE_INFINITY;
    for (const each of unknown) {
      if (each.operation.call > end) return;
      if (done.has(each.number) || model.mayHappen?.(state, each.operation.input, others) === false) continue;
      yield each;
    }
  }

  /** Counts the unknown outcomes that were taken last. */
  function countUnknown(): number {
    return taken.length - 1 - taken.findLastIndex(({ candidate }) => candidate.call);
  }

  /** Whether an operation was possible before the unknown outcomes that were taken last. */
  function isPossibleBefore({ input, output }: Operation<I, O>): boolean {
    const first = taken[taken.length - countUnknown()];
    return first !== undefined && model.step(first.before, input, output) !== undefined;
  }

  function isLate({ input, return: end }: Operation<I, O>): boolean {
    const listOthers = () => {
      const others = unknown.filter(({ operation, number }) => operation.call < end && !done.has(number));
      const inputs = others.map(({ operation }) => operation.input);
      for (let event = events.head.next; event && event.time <= end; event = event.next)
        if (event.isCall) inputs.push(event.operation.input);
      return inputs;
    };
    return model.isLate?.(state, input, listOthers) === true;
  }

  function isNew(number: number, next: S): boolean {
    done.add(number);
    const key = `${done.key} ${model.key(next)}`;
    if (!seen.has(key)) {
      seen.add(key);
      return true;
    }
    done.delete(number);
    return false;
  }
}

/** The calls and returns of all operations with a known outcome, in the order of time. A return is behind calls of its time. */
class Events<I, O> {
  readonly head: { next: Event<I, O> | undefined };
  readonly #returns = new Map<number, Event<I, O>>();

  constructor(history: readonly Operation<I, O>[]) {
    const all: Event<I, O>[] = [];
    for (const [number, operation] of history.entries()) {
      if (isUnknown(operation)) continue;
      const links = { operation, number, previous: undefined, next: undefined };
      const end = { ...links, isCall: false, time: operation.return };
      all.push({ ...links, isCall: true, time: operation.call }, end);
      this.#returns.set(number, end);
    }
    all.sort((a, b) => a.time - b.time || Number(b.isCall) - Number(a.isCall));
    for (const [i, event] of all.entries()) {
      event.previous = all[i - 1];
      event.next = all[i + 1];
    }
    this.head = { next: all[0] };
  }

  remove(call: Event<I, O>): void {
    for (const event of [call, this.#getReturn(call)]) {
      if (event.previous) event.previous.next = event.next;
      else this.head.next = event.next;
      if (event.next) event.next.previous = event.previous;
    }
  }

  /** Puts back what was removed last. */
  restore(call: Event<I, O>): void {
    for (const event of [this.#getReturn(call), call]) {
      if (event.previous) event.previous.next = event;
      else this.head.next = event;
      if (event.next) event.next.previous = event;
    }
  }

  #getReturn({ number }: Event<I, O>): Event<I, O> {
    const end = this.#returns.get(number);
    if (!end) throw new Error(`operation ${number} does not return`);
    return end;
  }
}

/** A set of numbers with a text. */
class Bits {
  readonly #words: Uint16Array;

  constructor(size: number) {
    this.#words = new Uint16Array(Math.ceil(size / 16));
  }

  add(number: number): void {
    this.#words[number >> 4] = (this.#words[number >> 4] ?? 0) | (1 << (number & 15));
  }

  delete(number: number): void {
    this.#words[number >> 4] = (this.#words[number >> 4] ?? 0) & ~(1 << (number & 15));
  }

  has(number: number): boolean {
    return ((this.#words[number >> 4] ?? 0) & (1 << (number & 15))) !== 0;
  }

  get key(): string {
    return String.fromCharCode(...this.#words);
  }
}
