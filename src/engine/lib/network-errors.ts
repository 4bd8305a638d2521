import { reasonFor } from './errors.js';

const HOW_TO_TRUST = 'NODE_EXTRA_CA_CERTS names a file with certificates to trust';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'host lookup failed',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection reset',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is signed by no authority (${HOW_TO_TRUST})`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate is signed by an unknown authority (${HOW_TO_TRUST})`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate is signed by an unknown authority (${HOW_TO_TRUST})`,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: use http://',
};

/** Returns the code of the cause of a failed request, as Node names it; empty for none. */
export const findNetworkCode = (error: unknown): string => {
  const cause = findCause(error);
  if (!(cause instanceof Error && 'code' in cause)) return '';
  // The failure of a write has the reason of OpenSSL in its message alone.
  const [, reason] = (cause.code === 'EPROTO' && /:SSL routines:[^:]*:([^:]+)/.exec(cause.message)) || [];
  return reason === undefined ? String(cause.code) : `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
};

/** Describes why a request failed, in a few words. */
export function describeNetworkError(error: unknown): string {
  const code = findNetworkCode(error);
  // The message of OpenSSL has two lines, and names its source files.
  if (code.startsWith('ERR_SSL_')) return REASONS[code] ?? `TLS failed (${code})`;
  return REASONS[code] ?? (reasonFor(findCause(error)) || code);
}

/** Finds the cause of an error of `fetch`, which has the details. */
const findCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error;
