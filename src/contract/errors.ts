import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { ApiError } from '../domain/errors.js';

/** The one shape of every error answer. */
export const ErrorBody = z.strictObject({
  message: z.string(),
  error: z.string(),
  statusCode: z.int(),
  code: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

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
