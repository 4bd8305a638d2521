/** One problem of an input. */
export interface Problem {
  /** File and path within it, or the option: `vals.json [3].privacy`. */
  readonly path: string;
  /** The problem and its fix: the found value and the expected one. */
  readonly message: string;
}

/** An HTTP error, thrown by the rule that it comes from and rendered by the pipeline. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** A machine-readable code, where the API sends one. */
  readonly code: string | undefined;
  /** Seconds after which the caller may try again: the header `Retry-After`. */
  readonly retryAfter: number | undefined;

  /** @param status 400 to 599. @param message one sentence for the caller */
  constructor(status: number, message: string, code?: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** What to send instead: by route for a program, and by tool for an agent. */
export type Suggestion = string | { readonly route: string; readonly tool: string };

/** An error whose sentence leaves out what concerns it, such as the scope that a token lacks. */
export class RefusalError extends ApiError {
  /** What the journal and the log say in addition. */
  readonly reason: string;
  /** What to send instead, where the request does not show it. */
  readonly suggestion: Suggestion | null;

  constructor(status: number, message: string, reason: string, suggestion: Suggestion | null = null) {
    super(status, message);
    this.reason = reason;
    this.suggestion = suggestion;
  }
}

/** A token without a scope. */
export class ScopeError extends RefusalError {
  /** Each of which is enough, by the names that a token has. */
  readonly scopes: readonly string[];

  constructor(message: string, reason: string, suggestion: Suggestion, scopes: readonly string[]) {
    super(403, message, reason, suggestion);
    this.scopes = scopes;
  }
}

/** A record that is missing, or that the caller may not use: the response does not say which, but the journal does. */
export class MissingError extends ApiError {
  readonly collection: string;
  /** Its id, or its name as fixtures have it. */
  readonly reference: string;

  constructor(message: string, collection: string, reference: string) {
    super(404, message);
    this.collection = collection;
    this.reference = reference;
  }
}

/** An error of a route whose body is a JSON value of another shape. Its cause is the error that the body writes, if any. */
export class BodyError extends ApiError {
  readonly body: unknown;

  /** @param message one sentence for the caller, also the body by default. @param cause what the journal explains */
  constructor(status: number, message: string, body: unknown = message, retryAfter?: number, cause?: ApiError) {
    super(status, message, undefined, retryAfter);
    this.body = body;
    this.cause = cause;
  }
}

/** Input with errors: all of them at once. Nothing was changed. */
export class ValidationError extends Error {
  override name = 'ValidationError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], message: string) {
    super(message);
    this.problems = problems;
  }
}

/** A fixture, or a single record, that cannot be loaded. */
export class FixtureError extends ValidationError {
  override name = 'FixtureError';

  /** @param subject the fixtures, or a single record */
  constructor(problems: readonly Problem[], subject = 'fixtures') {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
    super(problems, `${count} in the ${subject}:\n${lines.join('\n')}`);
  }
}

export class MissingFixturesError extends FixtureError {}

/** Unknown options, or options with a wrong value. */
export class OptionsError extends ValidationError {
  override name = 'OptionsError';

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ path, message }) => `${path ? `option ${path}` : 'options'}: ${message}`);
    super(problems, lines.join('\n'));
  }
}

/** A fault that cannot be armed. */
export class FaultError extends ValidationError {
  override name = 'FaultError';

  constructor(problems: readonly Problem[]) {
    super(problems, problems.map(({ path, message }) => `fault ${path}: ${message}`).join('\n'));
  }
}

/** A data folder or a session file that cannot be used. Nothing in it has changed. */
export class DataError extends Error {
  override name = 'DataError';
}

/** A body that did not arrive whole. */
export class UnreadBodyError extends ApiError {}

/** Another process may use the data folder: nothing is written or read any more. */
export class LockLostError extends ApiError {}

/** An invalid timestamp or duration. */
export class ClockError extends RangeError {
  override name = 'ClockError';
}

/** A name or id that does not exist. */
export class NotFoundError extends Error {
  override name = 'NotFoundError';
}

/** A journal that does not contain the expected requests. */
export class ExpectationError extends Error {
  override name = 'ExpectationError';
}

/** Returns the message of an error, or the text of any other value that was thrown. */
export const reasonFor = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether an error of the system has one of these codes: `EEXIST`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
