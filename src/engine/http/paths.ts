import type { Area, HttpRequest } from '../api/http-request.js';
import { LIMITS } from '../api/limits.js';
import { isRead } from '../lib/target.js';
import { escapePattern } from '../lib/text.js';

const SANDBOX_PREFIX = /^\/_sandbox\/([^/?]*)/;

/** Path of the dashboard, below the base URL of the emulator or of a sandbox. */
export const DASHBOARD = '/_emulator/ui/';

/** The page of the dashboard that shows records. */
export const DASHBOARD_DATA = `${DASHBOARD}#/data`;

/** Path of the data browser, below the base URL of the emulator or of a sandbox. */
export const BROWSER = '/_emulator/db';

/** Where a page sends the control token. */
export const SIGN_IN = '/_emulator/sign-in';

/** Where agents reach the tools, below the base URL of the emulator or of a sandbox. */
export const MCP = '/_emulator/mcp';

/** Whether a target is of the API, as most are. Targets of the emulator begin with `/_`, or have an empty path. */
export const isApiTarget = (target: string): boolean => /^\/[^_?]/.test(target);

export const isControlPath = (target: string): boolean => /^\/_emulator(?:[/?]|$)/.test(target);

const OF_PROCESS = /^\/_emulator\/(?:health|ready|metrics|cluster)\/?(?:\?|$)/;

interface Location {
  /** `/_sandbox/checkout`, or empty. */
  readonly prefix: string;
  readonly name: string | undefined;
  readonly target: string;
  readonly area: Area;
  readonly isOfProcess: boolean;
}

/**
 * Finds which sandbox and which part of the emulator a request is for: `/_sandbox/checkout/v1/me` is `/v1/me` of `checkout`.
 * @param url a request target, which may be an absolute URL
 * @param apiOnly whether every path is of the API, as on the real host
 */
export function locate(method: string, url: string, apiOnly = false): Location {
  if (isApiTarget(url)) return { prefix: '', name: undefined, target: url, area: 'api', isOfProcess: false };
  const whole = url.startsWith('/') ? url : parseRequestTarget(url);
  const [prefix = '', name] = (!apiOnly && SANDBOX_PREFIX.exec(whole)) || [];
  const target = prefix === '' ? whole : whole.slice(prefix.length) || '/';
  let area: Area = 'api';
  if (!apiOnly && !isApiTarget(target)) {
    if (isControlPath(target)) area = 'control';
    // HEAD is the same as GET without a body.
    else if (/^\/?(?:\?|$)/.test(target) && isRead(method)) area = 'root';
  }
  return { prefix, name, target, area, isOfProcess: area === 'control' && OF_PROCESS.test(target) };
}

/** Whether a request without a route is for the tools of a service. As of routes, a slash at the end is ignored. */
export const isForTools = (method: string, path: string, endpoint: string): boolean =>
  method !== 'OPTIONS' && path.replace(/\/$/, '') === endpoint;

/** Whether a browser asks for the icon that it shows in a tab. */
export const isIcon = (method: string, path: string): boolean => path === '/favicon.ico' && isRead(method);

/** Whether a request asks for the health or the readiness, which every client may read. */
export const isProbe = (target: string): boolean => /^\/_emulator\/(?:health|ready)\/?(?:\?|$)/.test(target);

/** Whether a request is for a page, which the application serves (`app.ts`). */
export const isPage = (target: string): boolean =>
  /^(?:\/_sandbox\/[^/?]*)?\/_emulator\/(?:ui|mcp)(?:[/?]|$)/.test(target);

/** Makes a test of whether a target begins as a route does, or is of the emulator, so that no added route can take it over. */
export function makeOwnTest(routes: readonly { readonly path: string }[]): (target: string) => boolean {
  const folders = routes.map(({ path }) => path.split('/')[1] ?? '');
  const parts = folders.map((folder) => (folder.startsWith('{') ? '[^/?]+' : escapePattern(folder)));
  const pattern = new RegExp(`^/(?:$|\\?|(?:${[...new Set(parts)].join('|')}|_emulator|_sandbox)(?:[/?]|$))`);
  return (target) => pattern.test(target);
}

/** Returns the maximum size in bytes of the body of a request. */
export function getBodyLimit(target: string): number {
  if (!isControlPath(target) || /^\/_emulator\/requests\//.test(target)) return LIMITS.body;
  return /^\/_emulator\/(?:seed|sandboxes)\/?(?:\?|$)/.test(target) ? LIMITS.seedBody : LIMITS.controlBody;
}

/** Returns path and query of a request target, which may be an absolute URL. Source: RFC 9112, section 3.2.2. */
export const parseRequestTarget = (url: string): string => url.replace(/^https?:\/\/[^/?]*(?=\/|\?|$)/i, '') || '/';

/** How a client reached the emulator, as far as the transport knows. */
interface Connection {
  readonly scheme: 'http' | 'https';
  readonly host: string | undefined;
  /** Returns address and port of this end of the connection. */
  readonly ownHost: () => string;
  /** The path under which the emulator is mounted: `/fake`, or empty. */
  readonly mount: string;
}

export interface SentRequest
  extends Connection,
    Pick<HttpRequest, 'start' | 'method' | 'header' | 'headers' | 'remoteAddress' | 'refusal'> {
  /** The request target, which may be an absolute URL. */
  readonly url: string;
  /** Whether every path is of the API, as on the real host. Default: false */
  readonly apiOnly?: boolean;
}

const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+$/;

const isUsable = (host: string) => HOST.test(host) && URL.canParse(`http://${host}`);
/** The usual host, which is usable. */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1)(?::(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}))?$/;
const PROXY_HEADERS = ['forwarded', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix'];

/**
 * Returns the base of the URLs in responses, without a trailing slash. A proxy overrides scheme, host and prefix by
 * `X-Forwarded-Proto`, `-Host`, `-Port` and `-Prefix`, or by `Forwarded` (RFC 7239).
 */
export function publicBaseUrl(connection: Connection, header: (name: string) => string | undefined): string {
  const { scheme: ownScheme, host: sentHost = '', mount } = connection;
  if (LOCAL_HOST.test(sentHost) && !PROXY_HEADERS.some(header)) return `${ownScheme}://${sentHost}${mount}`;
  const standard = header('forwarded')?.split(',')[0];
  const forwarded = (name: string) =>
    header(`x-forwarded-${name}`)?.split(',')[0]?.trim() ??
    (standard && new RegExp(`(?:^|;)\\s*${name}="?([^";]*)`, 'i').exec(standard)?.[1]);
  const proto = forwarded('proto')?.toLowerCase();
  const scheme = proto === 'http' || proto === 'https' ? proto : ownScheme;
  const fallbackHost = connection.ownHost();
  const isGood = (host?: string) => host !== undefined && (host === fallbackHost || isUsable(host));
  const name = [forwarded('host'), connection.host].find(isGood) ?? fallbackHost;
  const port = forwarded('port');
  const isDefault = port === (scheme === 'https' ? '443' : '80');
  const host = port && /^\d{1,5}$/.test(port) ? name.replace(/(?::\d+)?$/, isDefault ? '' : `:${port}`) : name;
  const prefix = forwarded('prefix')?.replace(/\/$/, '') ?? '';
  return `${scheme}://${host}${PREFIX.test(prefix) ? prefix : ''}${mount}`;
}
