import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { HandlerError } from '../definition/service-errors.js';
import { ApiError } from '../lib/errors.js';
import { decode, parseTarget } from '../lib/target.js';
import { record } from '../schema/schema.js';

const body = {
  message: Type.String({ description: 'A sentence for people' }),
  error: Type.String({ description: 'The reason phrase of the status' }),
  statusCode: Type.Integer(),
  code: Type.Optional(Type.String({ description: 'The code of an error of Fastify, such as FST_ERR_VALIDATION' })),
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

/** The methods of routes. Fastify's router decodes the path of no other request. */
const ROUTED = /^(?:GET|HEAD|POST|PUT|DELETE)$/;

/** Returns the error of Fastify 4 for a target without a route, or with malformed percent-encoding in its path. */
export const routeNotFound = (method: string, target: string) =>
  ROUTED.test(method) && decode(parseTarget(target).path) === undefined
    ? new ApiError(400, `'${target}' is not a valid url component`, 'FST_ERR_BAD_URL')
    : new ApiError(404, `Route ${method}:${target} not found`);

export function renderError(error: unknown): ErrorBody {
  const { status, message, code } = toApiError(error);
  const rendered = { message, error: STATUS_CODES[status] ?? 'Error', statusCode: status };
  return code === undefined ? rendered : { ...rendered, code };
}

/** Converts an error of the system, whose message has paths of the machine. Any other is a defect of the emulator. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HandlerError) return toApiError(error.cause);
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new ApiError(503, 'Too many open files. Close connections, or raise the limit.', undefined, 1);
  }
  return new ApiError(500, `Internal error: ${code ?? error}`);
}
