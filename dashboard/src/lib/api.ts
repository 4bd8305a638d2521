import { ControlError, sendControl } from '../../../src/engine/control/send.js';
import { reasonFor } from '../../../src/engine/lib/errors.js';
import { controlClient } from '../../../src/tools/client/control-client.js';
import { type Base64, toBytes } from './base64.js';

export { ControlError };

const PAGES = '/_emulator/ui/';

/** Base URL of the sandbox of this page, as its address says. */
export const base =
  window.location.origin + window.location.pathname.slice(0, window.location.pathname.lastIndexOf(PAGES));
/** Base URL of the emulator, without a sandbox. */
export const root = base.replace(/\/_sandbox\/[^/]*$/, '');
/** Name of the sandbox; empty for the default one. */
export const sandboxName = decodeURIComponent(base.slice(root.length).replace(/^\/_sandbox\//, ''));

/** Base URL of a sandbox; of the default one for an empty name. */
export const sandboxUrl = (sandbox: string): string =>
  sandbox === '' ? root : `${root}/_sandbox/${encodeURIComponent(sandbox)}`;

export const dashboardUrl = (sandbox: string): string => sandboxUrl(sandbox) + PAGES;

/** Sends a request with the header of this page, without which the emulator does not rely on the cookie of a sign-in. */
const fetchAsPage = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, headers: { ...init.headers, 'x-emulator-page': '1' } });

/** Creates a client of the control API of a sandbox. @param url its base URL */
const controlOf = (url: string) => controlClient(url, { fetch: fetchAsPage });

/** The control API of the sandbox of this page. */
export const control = controlOf(base);
/** The control API of the default sandbox. */
export const rootControl = controlOf(root);

/** Returns the error of a request as one of the control API, with status 0 if no emulator responded. */
export const toControlError = (error: unknown): ControlError =>
  error instanceof ControlError ? error : new ControlError(0, reasonFor(error));

/**
 * Sends a request to a path: of a resource, or of the data browser.
 * @param path below `/_emulator`
 */
export const send = async <T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> =>
  await sendControl(base, method, `/_emulator${path}`, { body, signal, fetch: fetchAsPage });

/** Saves a response of the control API as a file: a link cannot send the header of this page. @param path below `/_emulator` */
export async function download(path: string, file: string): Promise<void> {
  const response = await fetchAsPage(`${base}/_emulator${path}`, {});
  if (!response.ok) throw new ControlError(response.status, (await response.json()).message);
  saveBlob(await response.blob(), file);
}

export function saveBlob(blob: Blob, file: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Appends a query, also to a path that has one. Parameters that are undefined or empty are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  if (entries.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(entries)}`;
}

/** A response of the emulated API. */
export interface ApiResponse {
  /** 0 if the connection was closed without a response. */
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Trace id, by which the journal finds the request. */
  readonly trace: string;
}

export interface ApiRequest {
  readonly method: string;
  /** Path and query: `/v1/me`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Base64 | undefined;
}

/** Parses a body as JSON. Returns a body that is not JSON as it is. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends a request to the emulated API, or to the control API. @param target base URL of a sandbox. Default: the sandbox of this page */
export async function sendToApi({ method, path, headers = {}, body }: ApiRequest, target = base): Promise<ApiResponse> {
  const start = performance.now();
  // Only secure pages have crypto.randomUUID().
  const trace = crypto.getRandomValues(new BigUint64Array(2)).join('').padStart(32, '1').slice(-32);
  const init = {
    method,
    headers: { ...headers, traceparent: `00-${trace}-${trace.slice(16)}-01` },
    body: typeof body === 'object' ? toBytes(body) : (body ?? null),
  };
  try {
    const sendTo = path.startsWith('/_emulator/') ? fetchAsPage : fetch;
    const response = await sendTo(target + path, { ...init, cache: 'no-store' });
    const text = await response.text();
    const { status, statusText } = response;
    return { status, statusText, headers: [...response.headers], text, duration: performance.now() - start, trace };
  } catch {
    const duration = performance.now() - start;
    return { status: 0, statusText: 'Connection closed', headers: [], text: '', duration, trace };
  }
}

/** Finds the request of a response in the journal: others may have sent the same one. */
export const findSent = async ({ trace }: Pick<ApiResponse, 'trace'>) =>
  (await control.listRequests({ trace, limit: 1 }).catch(() => [])).at(0);
