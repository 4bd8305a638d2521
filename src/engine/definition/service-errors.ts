import { BodyError, type Problem, ValidationError } from '../lib/errors.js';

/** An unexpected error of a handler of another service than the built-in one: a defect of that service. */
export class HandlerError extends Error {
  override name = 'HandlerError';
  readonly handler: string;

  /** @param handler its route and service: `GET /todos of the service todo` */
  constructor(handler: string, cause: unknown) {
    super(`error in the handler of ${handler}`, { cause });
    this.handler = handler;
  }
}

/** A service whose definition is wrong. */
export class DefinitionError extends ValidationError {
  override name = 'DefinitionError';

  /** @param subject what is defined: `service todo` */
  constructor(subject: string, problems: readonly Problem[]) {
    const lines = problems.map(({ path, message }) => `${subject}: ${path}: ${message}`);
    super(problems, lines.join('\n'));
  }
}

/** Data that the service cannot have. Their file is not damaged. */
export class ForeignDataError extends RangeError {}

export class OtherServiceError extends ForeignDataError {
  constructor(found: string, expected: string) {
    super(
      `has data of the service ${JSON.stringify(found)}; this emulator has the service ${JSON.stringify(expected)}.`,
    );
  }
}

export class UnknownCollectionError extends ForeignDataError {
  constructor(collection: string) {
    const problem = `has records of the collection ${JSON.stringify(collection)}, which this emulator does not know`;
    super(`${problem}. Open it with the version of val-emulator, or the service, that wrote it.`);
  }
}

/** An error of an engine of the service, such as of SQL. */
export class EngineError extends BodyError {}
