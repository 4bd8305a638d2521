import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../api/http-request.js';
import { ApiError } from '../lib/errors.js';
import { badRequest } from '../state/errors.js';

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

/** Finds why HTTP/1.1 does not allow a request. */
export function findHttpError({
  httpVersion,
  headers: { host, expect = '100-continue' },
}: IncomingMessage): ApiError | undefined {
  if (httpVersion !== '1.1') return undefined;
  // Source: RFC 9112, section 3.2.
  if (host === undefined) return badRequest('Bad Request: the header Host is missing');
  // Source: RFC 9110, section 10.1.1.
  if (/^100-continue$/i.test(expect)) return undefined;
  return new ApiError(417, 'Expectation Failed: only 100-continue is supported');
}
