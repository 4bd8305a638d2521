import { ValidationError } from '../lib/errors.js';
import { describeErrors } from '../schema/schema-errors.js';
import type { SchemaError, Validator } from '../schema/validator.js';
import { badRequest } from '../state/errors.js';

export interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export type InputValidators = { readonly [P in keyof RequestInput]?: Validator<unknown> | undefined };

/** In the order in which Fastify validates them, with the names that its messages have. */
const PARTS = [
  ['params', 'params'],
  ['body', 'body'],
  ['query', 'querystring'],
] as const;

export type MakeInputError = (name: string, errors: readonly SchemaError[]) => Error;

/** Validates a request, and coerces it in place. @param makeError for the API, or for the control API */
export function validateInput(
  validators: InputValidators,
  input: RequestInput,
  makeError: MakeInputError,
): RequestInput {
  for (const [part, name] of PARTS) {
    const validate = validators[part];
    if (validate && !validate(input[part])) throw makeError(name, validate.errors ?? []);
  }
  return input;
}

/** Makes the error of the real service: an ApiError 400. */
export const wireError: MakeInputError = (name, errors) => badRequest(toSentences(name, errors), 'FST_ERR_VALIDATION');

/** Makes the error of the control API: a ValidationError with all errors and their paths. */
export const controlError: MakeInputError = (name, errors) => {
  const problems = describeErrors(errors, name);
  return new ValidationError(problems, problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
};

/** Joins errors as Fastify does: `body/code must be string`. */
export const toSentences = (name: string, errors: readonly SchemaError[] | null = []): string =>
  (errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`).join(', ');
