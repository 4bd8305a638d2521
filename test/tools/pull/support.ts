import { onTestFinished } from 'vitest';
import { pull } from '#tools/pull/index.js';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.js';
import { PATIENCE } from '../../support/patience.js';
import { serve } from '../conformance/target.js';

/** Starts an emulator as the service. */
export const start = async (options: EmulatorOptions = {}): Promise<Emulator> => {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
};

/** Pulls the account of ada, with everything. */
export const pullFrom = (emulator: { readonly url: string }, options: Partial<Parameters<typeof pull>[0]> = {}) =>
  pull({
    ...{ url: emulator.url, token: 'ada-token', timeout: PATIENCE },
    ...{ privateVals: true, keepAddresses: true, runDetails: true, ...options },
  });

export const differencesIn = ({ drift }: Awaited<ReturnType<typeof pull>>) =>
  drift.entries.flatMap(({ id, reason, outcome }) => (outcome === 'different' ? [`${id}: ${reason}`] : []));

/** Starts a service. @param respond returns JSON, HTML as text, or undefined for a 404 */
export const serveJson = async (respond: (path: string, base: string) => unknown): Promise<string> => {
  const { url, close } = await serve(async (request, response) => {
    const body = await respond(request.url ?? '', `http://${request.headers.host}`);
    const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
  });
  onTestFinished(close);
  return url;
};
export const ME = { id: '3fa85f64-5717-4562-b3fc-2c963f66afa6', username: 'ada', bio: null, profileImageUrl: null };
