/** Whether requests of a method change nothing. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Splits a target where Fastify 4 does. Malformed percent-encoding of the query stays unchanged. Undefined for no query. */
export function parseTarget(target: string): { path: string; query: URLSearchParams | undefined } {
  const end = target.search(/[?#;]/);
  if (end < 0) return { path: target, query: undefined };
  const query = new URLSearchParams();
  for (const pair of target.slice(end + 1).split('&')) {
    const [name = '', value = ''] = pair.replaceAll('+', ' ').split(/=(.*)/s);
    if (pair !== '') query.append(decode(name) ?? name, decode(value) ?? value);
  }
  return { path: target.slice(0, end), query };
}

/** Decodes percent-encoding. Returns undefined if it is malformed. */
export function decode(text: string): string | undefined {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return undefined;
  }
}

/** Encodes a decoded path for a URL, slashes kept. */
export const encodePath = (path: string): string => encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent);

/** Parses a query to strings, and to lists for repeated parameters. */
export function parseQuery(query: URLSearchParams | undefined): Record<string, string | string[]> {
  // No prototype, so that a parameter named `__proto__` is just a key.
  const parsed: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of query ?? []) {
    const existing = parsed[name];
    if (existing === undefined) parsed[name] = value;
    else if (Array.isArray(existing)) existing.push(value);
    else parsed[name] = [existing, value];
  }
  return parsed;
}

/** An emulator by its URL without a slash at the end, and the sandbox that a URL names. */
export interface EmulatorUrl {
  readonly base: string;
  /** Undefined for the default sandbox. */
  readonly sandbox: string | undefined;
}

/** Parses the base URL of an emulator or of a sandbox. Returns undefined for another text. */
export function parseEmulatorUrl(text: string): EmulatorUrl | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  const [, path = '', sandbox] = /^(.*?)(?:\/_sandbox\/([^/]+))?\/*$/.exec(url.pathname) ?? [];
  return { base: url.origin + path, sandbox };
}

/** Parses the base URL of an API, and returns it without a slash at the end. Undefined for another text. */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin + url.pathname.replace(/\/$/, '') : undefined;
}

/** Whether a URL would resolve a segment of its path away. */
export const isDotSegment = (segment: string): boolean => segment === '.' || segment === '..';
