/** A request that was refused for its token. */
export interface Refused {
  /** The base of the links in its response. */
  readonly base: string;
  readonly path: string;
  readonly status: 401 | 403;
  readonly hasToken: boolean;
  /** The names of the scopes that its token lacks, each of which is enough. */
  readonly scopes: readonly string[];
}
