import type { Problem } from '../../../src/lib/errors.js';

const PAGES = '/_emulator/ui/';

/** Base URL of the sandbox of this page, as its address says. */
export const base =
  window.location.origin + window.location.pathname.slice(0, window.location.pathname.lastIndexOf(PAGES));
/** Base URL of the emulator, without a sandbox. */
export const root = base.replace(/\/_sandbox\/[^/]*$/, '');
/** Name of the sandbox; empty for the default one. */
export const sandboxName = decodeURIComponent(base.slice(root.length).replace(/^\/_sandbox\//, ''));

/** Address of the dashboard of a sandbox. */
export const dashboardUrl = (sandbox: string): string =>
  `${root}${sandbox === '' ? '' : `/_sandbox/${encodeURIComponent(sandbox)}`}${PAGES}`;

/** The control API refused a request, or no emulator responded (status 0). */
export class ControlError extends Error {
  override name = 'ControlError';
  readonly status: number;
  readonly problems: readonly Problem[];

  constructor(status: number, message: string, problems: readonly Problem[] = []) {
    super(message);
    this.status = status;
    this.problems = problems;
  }
}

interface ErrorBody {
  readonly message: string;
  readonly problems?: readonly Problem[];
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Sends a request to the control API. The shape of a response with success is that of the API's document.
 * @param path below `/_emulator`
 * @throws ControlError
 */
export async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: HeadersInit = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null };
  const response = await fetch(`${base}/_emulator${path}`, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ControlError(0, `No emulator responds at ${base}.`);
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text === '' ? 'null' : text);
  const value = parse(text);
  throw isErrorBody(value)
    ? new ControlError(response.status, value.message, value.problems)
    : new ControlError(response.status, `${method} /_emulator${path} responded ${response.status}.`);
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
}

export interface ApiRequest {
  readonly method: string;
  /** Path and query: `/v1/me`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Sends a request to the emulated API. @param target base URL of the sandbox. Default: that of this page */
export async function sendToApi({ method, path, headers = {}, body }: ApiRequest, target = base): Promise<ApiResponse> {
  const start = performance.now();
  try {
    const response = await fetch(target + path, { method, headers, body: body ?? null, cache: 'no-store' });
    const text = await response.text();
    const { status, statusText } = response;
    return { status, statusText, headers: [...response.headers], text, duration: performance.now() - start };
  } catch {
    const duration = performance.now() - start;
    return { status: 0, statusText: 'Connection closed', headers: [], text: '', duration };
  }
}
