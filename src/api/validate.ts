import { ValidationError } from '../lib/errors.js';
import { describeErrors } from '../lib/messages.js';
import type { SchemaError, Validator } from '../lib/validator.js';
import { badRequest } from '../model/errors.js';

/** The parts of a request before they are validated. */
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

/** Validates a request as the real service does, and coerces it in place. @throws ApiError 400 */
export function validateInput(validators: InputValidators, input: RequestInput): RequestInput {
  validateParts(validators, input, (name, errors) => badRequest(toSentences(name, errors), 'FST_ERR_VALIDATION'));
  return input;
}

/** Joins errors as Fastify does: `body/code must be string`. */
export const toSentences = (name: string, errors: readonly SchemaError[] | null = []): string =>
  (errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`).join(', ');

/** Validates a request to the control API. @throws ValidationError with all errors and their paths */
export function validateControlInput(validators: InputValidators, input: RequestInput): RequestInput {
  validateParts(validators, input, (name, errors) => {
    const problems = describeErrors(errors, name);
    return new ValidationError(problems, problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  });
  return input;
}

function validateParts(
  validators: InputValidators,
  input: RequestInput,
  makeError: (name: string, errors: readonly SchemaError[]) => Error,
): void {
  for (const [part, name] of PARTS) {
    const validate = validators[part];
    if (!validate) continue;
    if (!validate(input[part])) throw makeError(name, validate.errors ?? []);
  }
}
