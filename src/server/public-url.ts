/** How a client reached the emulator, as far as the transport knows. */
export interface ConnectionInfo {
  readonly scheme: 'http' | 'https';
  /** The Host header. */
  readonly host: string | undefined;
  /** Address and port of this end of the connection. */
  readonly fallbackHost: string;
  /** The path under which the emulator is mounted: `/fake`, or empty. */
  readonly mount: string;
}

const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+$/;

const isUsable = (host: string) => HOST.test(host) && URL.canParse(`http://${host}`);

/**
 * Returns the base of the URLs in responses, without a trailing slash. A proxy overrides scheme, host and prefix by
 * `X-Forwarded-Proto`, `-Host` and `-Prefix`.
 */
export function publicBaseUrl(connection: ConnectionInfo, header: (name: string) => string | undefined): string {
  const forwarded = (name: string) => header(`x-forwarded-${name}`)?.split(',')[0]?.trim();
  const proto = forwarded('proto');
  const scheme = proto === 'http' || proto === 'https' ? proto : connection.scheme;
  const host = [forwarded('host'), connection.host].find((name) => name && isUsable(name)) ?? connection.fallbackHost;
  const prefix = forwarded('prefix')?.replace(/\/$/, '') ?? '';
  return `${scheme}://${host}${PREFIX.test(prefix) ? prefix : ''}${connection.mount}`;
}
