import { ApiError } from '../lib/errors.js';

/** Host names by which a machine reaches itself. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Accepts requests to loopback and allowed hosts only. The `Origin` rejects pages of other sites, the `Host` rejects
 * pages whose own name resolves to this machine (DNS rebinding).
 * @throws ApiError 403
 */
export function assertTrustedHost(
  host: string | undefined,
  origin: string | undefined,
  allowedHosts: readonly string[],
): void {
  const isTrusted = (name: string | undefined) =>
    name !== undefined && (LOOPBACK.test(name) || allowedHosts.includes(name));
  if (!isTrusted(parseHostname(`http://${host ?? ''}`))) throw forbidden('Host', host);
  if (origin !== undefined && !isTrusted(parseHostname(origin))) throw forbidden('Origin', origin);
}

const forbidden = (header: string, found: string | undefined) =>
  new ApiError(
    403,
    `The control API accepts loopback hosts and those in the option allowedHosts only; found ${header} ${JSON.stringify(found ?? '')}`,
  );

const parseHostname = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);
