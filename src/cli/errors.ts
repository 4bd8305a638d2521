import { formatValue } from '../lib/messages.js';

/** A command that a signal ended early. */
export class InterruptedError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Interrupted by ${signal}.`);
    this.signal = signal;
  }
}

export function fail(message: string): never {
  throw new Error(message);
}

/** Rejects the value of a flag. */
export const failValue = (flag: string, found: string, expected: string): never =>
  fail(`--${flag}: found ${formatValue(found)}; expected ${expected}.`);

export const reasonFor = (error: unknown): string => (error instanceof Error ? error.message : String(error));
