import { ApiError } from '../domain/errors.js';

/** Names by which a machine reaches itself. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Lets through what comes from this machine, or from hosts that were listed. A page of another origin is refused by its
 * `Origin`; one that has its own name point here, by the `Host` that it had to use.
 * @throws ApiError 403
 */
export function checkOrigin(host: string | undefined, origin: string | undefined, allowed: readonly string[]): void {
  const known = (name: string | undefined) => name !== undefined && (LOOPBACK.test(name) || allowed.includes(name));
  const hostname = hostnameOf(`http://${host ?? ''}`);
  if (!known(hostname)) throw refusal('Host', host);
  if (origin !== undefined && !known(hostnameOf(origin))) throw refusal('Origin', origin);
}

const refusal = (header: string, found: string | undefined) =>
  new ApiError(
    403,
    `The control plane answers only loopback hosts and those in the option allowedHosts; found ${header} ${JSON.stringify(found ?? '')}`,
  );

function hostnameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}

/** A page of an origin that was let through may read the answer. */
export const originHeaders = (origin: string | undefined): Readonly<Record<string, string>> =>
  origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' };
