import type { HttpResponse } from '#engine/control/http-response.js';
import type { Emulator } from '../../src/index.js';

/** Sends a GET request to an emulator as if it came from an address. */
export const requestFrom = async (
  { pipeline, url }: Emulator,
  remoteAddress: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> => {
  const { host } = new URL(url);
  const connection = { scheme: 'http', host, ownHost: () => host, mount: '', refusal: undefined } as const;
  const header = (name: string) => headers[name];
  const sent = { ...connection, start: 0, method: 'GET', url: target, header, headers: [], remoteAddress };
  return pipeline.respond(pipeline.accept(sent));
};
