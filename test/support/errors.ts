/** Bodies of error responses, in the order of their keys. */
const body = (statusCode: number, error: string, message: unknown) => ({ message, error, statusCode });

/** A 400 for a request that does not fit the schema. */
export const invalid = (message: string) => ({ ...body(400, 'Bad Request', message), code: 'FST_ERR_VALIDATION' });
/** A 400 of the control API for a request with one problem. */
export const malformed = (path: string, message: string) => ({
  ...invalid(`${path}: ${message}`),
  problems: [{ path, message }],
});
/** Any other 400. */
export const badRequest = (message: unknown, code?: string) => ({
  ...body(400, 'Bad Request', message),
  ...(code !== undefined && { code }),
});
export const unauthorized = body(401, 'Unauthorized', 'Unauthorized');
export const notFound = (message: string) => body(404, 'Not Found', message);
export const valNotFound = notFound('The val was not found');
export const versionNotFound = notFound('Val or version not found');
export const conflict = (message: unknown) => body(409, 'Conflict', message);
