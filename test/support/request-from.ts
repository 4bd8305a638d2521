import type { Emulator } from '../../src/index.js';
import type { HttpResponse } from '../../src/server/http.js';
import { takeSandbox } from '../../src/server/paths.js';

/** Sends a GET request to an emulator as if it came from an address. */
export const requestFrom = async (
  emulator: Emulator,
  remoteAddress: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> =>
  emulator.pipeline.respond(
    takeSandbox({
      start: 0,
      method: 'GET',
      target,
      sandbox: undefined,
      origin: emulator.url,
      base: emulator.url,
      header: (name) => headers[name],
      headers: [],
      remoteAddress,
      body: undefined,
    }),
  );
