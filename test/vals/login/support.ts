import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createEmulator, type EmulatorOptions } from '../../../src/index.js';

export const CALLBACK = 'http://127.0.0.1:5899/callback';
/** The example of RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export async function start(options: EmulatorOptions = {}) {
  const emulator = await createEmulator({ listen: false, now: '2026-01-01T00:00:00Z', ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

export type Fetch = Awaited<ReturnType<typeof start>>['fetch'];

/** Sends a form, and returns the status with the JSON of the response. */
export async function post(fetch: Fetch, path: string, form: Readonly<Record<string, string>>, headers = {}) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Registers a public client of this machine, and returns its id. */
export async function register(fetch: Fetch, metadata: object = {}): Promise<string> {
  const response = await fetch('/oauth/reg', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ client_name: 'Probe', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], application_type: 'native', ...metadata },
    }),
  });
  const { client_id: id } = Object(await response.json());
  return id;
}

/** Returns the address of a login. */
export const toAddress = (clientId: string, parameters: Readonly<Record<string, string>> = {}): string =>
  `/oauth/auth?${new URLSearchParams({
    ...{ client_id: clientId, response_type: 'code', redirect_uri: CALLBACK, state: 's1' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', ...parameters },
  })}`;

/** Returns where a login leads. */
export async function lead(fetch: Fetch, address: string): Promise<URL> {
  const response = await fetch(address, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? `missing:${response.status}`);
}

/** Exchanges a code. */
export const exchange = (fetch: Fetch, clientId: string, code: string, parameters = {}) =>
  post(fetch, '/oauth/token', {
    ...{ grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: CALLBACK },
    ...{ code_verifier: VERIFIER, ...parameters },
  });

export const refresh = (fetch: Fetch, clientId: string, token: string, parameters = {}) =>
  post(fetch, '/oauth/token', {
    ...{ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...parameters },
  });
