import type { Edition } from '../domain/collection.js';
import type { State } from '../domain/state.js';

/** Something of a state that an answer can depend on: the same as long as that is as it was. */
type Dependency = (state: State) => Edition;

/** Any val by its id. */
export const eachVal: Dependency = ({ vals }) => vals.holdings;
/** Any user by its id. */
export const eachUser: Dependency = ({ users }) => users.holdings;
export const allLikes: Dependency = ({ likes }) => likes.edition;
/** Which vals import which. */
export const allImports: Dependency = ({ vals }) => vals.by.target.edition;

interface Entry<I, W> {
  /** Of what the inputs come from, when these were last looked up. */
  editions: readonly Edition[];
  readonly inputs: I;
  readonly base: string;
  readonly written: W;
}

/**
 * A writer that keeps what it wrote of each record, and gives it again while all that it was made from is the same.
 * Records never change in place, so identity tells that; and as long as nothing has changed of what `inputsOf` reads, it
 * need not be asked to know it.
 * @param from all that `inputsOf` depends on
 * @param inputsOf whatever is shown of a record beside itself
 * @param write depends on the record, on its inputs and on the base of addresses alone
 */
export function kept<R extends object, const I extends readonly unknown[], W>(
  from: readonly Dependency[],
  inputsOf: (state: State, record: R) => I,
  write: (record: R, ...rest: [...inputs: I, base: string]) => W,
): (state: State, record: R, base?: string) => W {
  const entries = new WeakMap<R, Entry<I, W>>();
  const isCurrent = ({ editions }: Entry<I, W>, state: State): boolean => {
    // A bare loop, since this is asked for each item of each page.
    let place = 0;
    for (const editionOf of from) if (editionOf(state) !== editions[place++]) return false;
    return true;
  };
  return (state, record, base = '') => {
    const found = entries.get(record);
    const entry = found?.base === base ? found : undefined;
    if (entry && isCurrent(entry, state)) return entry.written;
    const inputs = inputsOf(state, record);
    const editions = from.map((editionOf) => editionOf(state));
    if (entry && inputs.every((input, i) => input === entry.inputs[i])) {
      entry.editions = editions;
      return entry.written;
    }
    const written = write(record, ...inputs, base);
    entries.set(record, { editions, inputs, base, written });
    return written;
  };
}
