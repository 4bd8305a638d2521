import { ControlError } from '../client/control-client.js';
import { fail } from './errors.js';

/** Throws a failed assertion as such. Other responses with the same status list the wrong values. */
export function rethrowAsAssertion(error: unknown): never {
  const isUnmet = error instanceof ControlError && error.status === 422 && error.problems.length === 0;
  if (isUnmet) fail(error.message, 'assertion');
  throw error;
}
