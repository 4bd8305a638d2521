import { ControlError } from '#engine/control/send.js';
import { OptionsError, type Problem } from '#engine/lib/errors.js';
import { fail } from './errors.js';

/** Throws a failed assertion as such. Other responses with the same status list the wrong values. */
export function rethrowAsAssertion(error: unknown): never {
  const isUnmet = error instanceof ControlError && error.status === 422 && error.problems.length === 0;
  if (isUnmet) fail(error.message, 'assertion');
  throw error;
}

/**
 * Throws an invalid body as an error of the flags that it was made of.
 * @param checked keys whose values the emulator checks after the body, but not by its records
 */
export function rethrowAsOptions(error: unknown, checked: readonly string[] = []): never {
  if (!(error instanceof ControlError) || error.problems.length === 0) throw error;
  const isChecked = ({ path }: Problem) => checked.includes(path.replace(/[.[].*$/s, ''));
  const isInvalid = error.status === 400 || error.problems.every(isChecked);
  if (!isInvalid) throw error;
  throw new OptionsError(error.problems.map(({ path, message }) => ({ path: path.replace(/^body\./, ''), message })));
}
