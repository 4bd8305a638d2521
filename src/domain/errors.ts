/** An answer other than success, thrown where the rule is and rendered once, at the edge (contract/errors.ts). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** A machine-readable code beside the sentence, where the API sends one. */
  readonly code: string | undefined;

  /**
   * @param status HTTP status code, 400 to 599
   * @param message one sentence for the caller
   */
  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const badRequest = (message: string, code?: string) => new ApiError(400, message, code);
/** No token on a route that needs one, or a token that nobody holds, on any route. */
export const unauthorized = () => new ApiError(401, 'Unauthorized');
/** Missing, deleted, or not for this caller to see: the three are told apart by nothing, so that nothing leaks. */
export const valNotFound = () => new ApiError(404, 'The val was not found');
export const versionNotFound = () => new ApiError(404, 'Val or version not found');
export const userNotFound = () => new ApiError(404, 'The user was not found');
export const runNotFound = () => new ApiError(404, 'The run was not found');
export const nameTaken = (name: string) => new ApiError(409, `Conflict: a val named "${name}" already exists`);
export const bodyTooLarge = () => new ApiError(413, 'Request body is too large');
