/** An error of the login, by the names of RFC 6749. Its sentences are oidc-provider's, which the service seems to run. */
export class LoginError extends Error {
  override name = 'LoginError';
  readonly error: string;
  /** What the journal says in addition. */
  readonly reason: string | undefined;
  readonly status: number;

  constructor(error: string, description: string, reason?: string, status = 400) {
    super(description);
    this.error = error;
    this.reason = reason;
    this.status = status;
  }
}

export const invalidRequest = (description: string, reason?: string): LoginError =>
  new LoginError('invalid_request', description, reason);

/** A code or a token that is refused. The response does not say why. */
export const invalidGrant = (reason: string): LoginError =>
  new LoginError('invalid_grant', 'grant request is invalid', reason);

/** A client that is unknown, or does not prove who it is. */
export const invalidClient = (reason: string): LoginError =>
  new LoginError('invalid_client', 'client authentication failed', reason, 401);

const quoted = new Intl.ListFormat('en');

/** Names parameters: `'code' and 'redirect_uri'`. */
export const listNames = (names: readonly string[]): string => quoted.format(names.map((name) => `'${name}'`));
