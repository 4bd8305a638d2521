import type { HttpResponse } from '#engine/control/http-response.js';
import type { Emulator } from '../../src/index.js';

/** Sends a request to an emulator as if it came from an address. */
export const requestFrom = async (
  { pipeline, url }: Emulator,
  remoteAddress: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  { method = 'GET', body }: { readonly method?: string; readonly body?: string } = {},
): Promise<HttpResponse> => {
  const { host = new URL(url).host } = headers;
  const ownHost = () => new URL(url).host;
  const connection = { scheme: 'http', host, ownHost, mount: '', refusal: undefined } as const;
  const header = (name: string) => headers[name];
  const sent = { ...connection, start: 0, method, url: target, header, headers: [], remoteAddress };
  return pipeline.respond({ ...pipeline.accept(sent), body });
};
