import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { ApiError } from '../lib/errors.js';
import { record, strictObject } from '../lib/schema.js';

const body = {
  message: Type.String({ description: 'A sentence for people' }),
  error: Type.String({ description: 'The reason phrase of the status' }),
  statusCode: Type.Integer(),
  code: Type.Optional(Type.String({ description: 'FST_ERR_VALIDATION for a request that does not match its schema' })),
};

export const ErrorBody = record('Error', body);
export type ErrorBody = Static<typeof ErrorBody>;

export const ErrorWithProblems = record('ErrorWithProblems', {
  ...body,
  problems: Type.Optional(
    Type.Array(strictObject({ path: Type.String(), message: Type.String() }), {
      description: 'All errors, each with its path',
    }),
  ),
});

/** Renders an error. Anything but an {@link ApiError} is a defect of the emulator and a 500. */
export function renderError(error: unknown): ErrorBody {
  const { status, message, code } = error instanceof ApiError ? error : new ApiError(500, `Internal error: ${error}`);
  const rendered = { message, error: STATUS_CODES[status] ?? 'Error', statusCode: status };
  return code === undefined ? rendered : { ...rendered, code };
}
