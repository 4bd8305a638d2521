import { memoizeLast } from '../domain/memoize-last.js';

/** How the client reached us before any proxy in between, by what the transport knows. */
export interface Reached {
  readonly scheme: 'http' | 'https';
  /** Name and port, or undefined where the client sent none that can be used in an address. */
  readonly host: string | undefined;
  /** Of this end of the connection, for want of a better one. */
  readonly fallbackHost: () => string;
  /** Where the emulator is mounted in another application: `/fake`, or empty. */
  readonly mount: string;
}

const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+$/;

/** Whether a host, with a port or without, can stand in an address. Nearly all requests name the same one. */
const isUsable = memoizeLast((host: string) => HOST.test(host) && URL.canParse(`http://${host}`));

/** One string for all requests that come the same way, which nearly all do: so keeping it costs nothing. */
const asLast = memoizeLast((base: string) => base);

/**
 * Scheme, host and prefix of the addresses in answers, without a slash at the end: as the client reached us, which a
 * proxy in between tells by `X-Forwarded-Proto`, `-Host` and `-Prefix`.
 */
export function baseOf(reached: Reached, header: (name: string) => string | undefined): string {
  const forwarded = (name: string) => header(name)?.split(',')[0]?.trim();
  const proto = forwarded('x-forwarded-proto');
  const scheme = proto === 'http' || proto === 'https' ? proto : reached.scheme;
  const host = [forwarded('x-forwarded-host'), reached.host].find((name) => name && isUsable(name));
  const prefix = forwarded('x-forwarded-prefix')?.replace(/\/$/, '') ?? '';
  return asLast(`${scheme}://${host ?? reached.fallbackHost()}${PREFIX.test(prefix) ? prefix : ''}${reached.mount}`);
}
