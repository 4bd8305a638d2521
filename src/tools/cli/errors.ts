import { ControlError, NoEmulatorError } from '#engine/control/send.js';
import type { Problem } from '#engine/lib/errors.js';
import { FixtureError, ValidationError } from '#engine/lib/errors.js';

const EXIT_CODES = {
  /** What was checked does not hold. */
  assertion: 1,
  /** A flag, an argument, a variable or a key of the config file is wrong. */
  usage: 2,
  /** The fixtures have errors, or are missing. */
  fixtures: 2,
  /** Anything else on this machine: a busy port, a file that cannot be written. */
  failed: 2,
  /** No emulator responds. */
  unreachable: 3,
  /** The emulator responds with an error. */
  refused: 4,
  /** As shells do for a program that cannot be executed, or does not exist. */
  'not-executable': 126,
  'not-found': 127,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;

/** An error of a command, with its kind. */
export class CliError extends Error {
  readonly code: ErrorCode;
  readonly problems: readonly Problem[] | undefined;

  constructor(code: ErrorCode, message: string, problems?: readonly Problem[]) {
    super(message);
    this.code = code;
    this.problems = problems;
  }
}

/** A command that a signal ended early. */
export class InterruptedError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Interrupted by ${signal}.`);
    this.signal = signal;
  }
}

/** @throws CliError of the kind, by default a wrong use */
export function fail(message: string, code: ErrorCode = 'usage', problems?: readonly Problem[]): never {
  throw new CliError(code, message, problems);
}

/** Returns the kind of an error, its exit code and its problems. */
export function classifyError(error: unknown) {
  const code = findCode(error);
  const isListed = error instanceof CliError || error instanceof ValidationError || error instanceof ControlError;
  const problems = isListed && error.problems?.length !== 0 ? error.problems : undefined;
  return { code, exitCode: EXIT_CODES[code], problems };
}

function findCode(error: unknown): ErrorCode {
  if (error instanceof CliError) return error.code;
  if (error instanceof ControlError) return 'refused';
  if (error instanceof NoEmulatorError) return 'unreachable';
  if (error instanceof FixtureError) return 'fixtures';
  return error instanceof ValidationError ? 'usage' : 'failed';
}
