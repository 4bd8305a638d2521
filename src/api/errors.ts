import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { ApiError } from '../lib/errors.js';
import { record } from '../lib/schema.js';

const body = {
  message: Type.String({ description: 'A sentence for people' }),
  error: Type.String({ description: 'The reason phrase of the status' }),
  statusCode: Type.Integer(),
  code: Type.Optional(Type.String({ description: 'FST_ERR_VALIDATION for a request that does not match its schema' })),
};

export const ErrorBody = record('ApiError', body);
export type ErrorBody = Static<typeof ErrorBody>;

export const ErrorWithProblems = record('ErrorWithProblems', {
  ...body,
  problems: Type.Optional(
    Type.Array(record('Problem', { path: Type.String(), message: Type.String() }), {
      description: 'All errors, each with its path',
    }),
  ),
});

export const routeNotFound = (method: string, path: string) => new ApiError(404, `Route ${method}:${path} not found`);

/** Renders an error. */
export function renderError(error: unknown): ErrorBody {
  const { status, message, code } = toApiError(error);
  const rendered = { message, error: STATUS_CODES[status] ?? 'Error', statusCode: status };
  return code === undefined ? rendered : { ...rendered, code };
}

/** Converts an error of the system, whose message has paths of the machine. Any other is a defect of the emulator. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new ApiError(503, 'Too many open files. Close connections, or raise the limit.', undefined, 1);
  }
  return new ApiError(500, `Internal error: ${code ?? error}`);
}
