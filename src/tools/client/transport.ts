export interface TransportRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal | null;
}

export interface TransportResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The global `fetch` of load time, since tests and mocks replace it. A later one where a runtime had none. */
const found = globalThis.fetch;
export const loadedFetch: typeof fetch = (input, init) => (found ?? globalThis.fetch)(input, init);

/** Sends a request, and rejects without a response. The global `fetch` is one. */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;
