import { ApiError, DataError } from '../lib/errors.js';

/** The error of a request that was not done. */
export const unavailable = (cause: Error) =>
  new ApiError(
    503,
    cause instanceof DataError
      ? cause.message
      : `The shared store cannot be reached: ${cause.message.replace(/\.?$/, '.')}`,
  );

/** The error of a request of which this node does not know whether it was done. */
export const unknownOutcome = (cause: Error) =>
  new ApiError(503, `The connection to the shared store was lost (${cause.message}): the request may have been done.`);
