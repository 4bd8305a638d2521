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

/** Sends a request, and rejects without a response. The global `fetch` is one. */
export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;
