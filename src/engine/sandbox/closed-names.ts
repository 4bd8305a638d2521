import { ApiError, NotFoundError } from '../lib/errors.js';

export const MAX_CLOSED_NAMES = 100_000;

/** The names of closed sandboxes, each with the reason. */
export class ClosedNames extends Map<string, string> {
  /** Adds a name as the newest one. Returns the oldest one if it had to go. */
  add(name: string, reason: string): string | undefined {
    this.delete(name);
    this.set(name, reason);
    const [oldest] = this.keys();
    if (this.size <= MAX_CLOSED_NAMES || oldest === undefined) return undefined;
    this.delete(oldest);
    return oldest;
  }
}

/** @param reason why it was closed; empty for a close on purpose */
export const noSandbox = (name: string, reason = '') =>
  new NotFoundError(`There is no sandbox ${JSON.stringify(name)}${reason && `: ${reason}`}.`);

/** @param reason why it was closed; empty for a close on purpose */
export function sandboxClosed(name: string, reason: string): ApiError {
  const what = `Sandbox ${JSON.stringify(name)} is closed${reason && `: ${reason}`}`;
  return new ApiError(404, `${what}. Create it again, or use another name.`);
}
