/** Parts of the content of a request. An absent part matches any. */
export interface ContentCriteria {
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}
