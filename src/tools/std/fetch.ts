/** Sends a request, as the service does by a proxy: here by the global `fetch` of that moment, which tests replace. */
export const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
  globalThis.fetch(input, init);
