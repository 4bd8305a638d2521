import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { ApiError } from '../domain/errors.js';
import { named } from './components.js';

/** The one shape of every error answer. */
export const ErrorBody = named(
  'Error',
  z.strictObject({
    message: z.string().describe('A sentence for people'),
    error: z.string().describe('The reason phrase of the status'),
    statusCode: z.int(),
    code: z.string().optional().describe('FST_ERR_VALIDATION for a request that does not fit its schema'),
  }),
);
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The same, with all that is wrong in what was sent to the emulator's own API. */
export const ErrorWithProblems = named(
  'ErrorWithProblems',
  ErrorBody.extend({
    problems: z
      .array(z.strictObject({ place: z.string(), message: z.string() }))
      .optional()
      .describe('Everything that is wrong, each with its place'),
  }),
);

/** What is sent for an error; anything but an {@link ApiError} is a defect of the emulator and a 500. */
export function errorBody(error: unknown): ErrorBody {
  const { status, message, code } = error instanceof ApiError ? error : new ApiError(500, `Internal error: ${error}`);
  return {
    message,
    error: STATUS_CODES[status] ?? 'Error',
    statusCode: status,
    ...(code === undefined ? {} : { code }),
  };
}
